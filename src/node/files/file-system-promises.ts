import { FileSystemError } from '../../agent/errors.ts';
import type { FileSystemErrorCode } from '../../agent/ports/file-system.ts';
import { errorCode, isDiskFull } from '../../text/error-code.ts';

/** The bits of a mode that are permissions, and those of them that are for other users than the owner. */
export const PERMISSION_BITS = 0o7777;
export const GROUP_AND_OTHERS = 0o077;

interface KindLike {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

/** The part of a file's status that the adapter reads. */
export type StatLike = KindLike &
  Readonly<Record<'size' | 'mode' | 'mtimeMs' | 'uid' | 'gid' | 'nlink', number | bigint>>;

/** The part of a directory entry that the adapter reads. */
export type EntryLike = KindLike & { readonly name: string };

/** The part of an open file that the adapter uses. */
export interface HandleLike {
  readonly fd: number;
  stat(): Promise<StatLike>;
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>;
  write(
    bytes: Uint8Array,
    offset?: number,
    length?: number,
    position?: number,
  ): Promise<{ readonly bytesWritten: number }>;
  writeFile(bytes: Uint8Array): Promise<void>;
  truncate(size: number): Promise<void>;
  chmod(mode: number): Promise<void>;
  chown(uid: number, gid: number): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The part of `node:fs/promises` that the file-system adapter uses; `memfs` implements it too. */
export interface FileSystemPromises {
  open(path: string, flags: string | number, mode?: number): Promise<HandleLike>;
  stat(path: string): Promise<StatLike>;
  lstat(path: string): Promise<StatLike>;
  realpath(path: string): Promise<string>;
  readlink(path: string): Promise<string>;
  readdir(path: string, options: { readonly withFileTypes: true }): Promise<readonly EntryLike[]>;
  opendir(path: string, options: { readonly bufferSize: number }): Promise<AsyncIterable<EntryLike>>;
  mkdir(path: string, options?: { readonly recursive: true; readonly mode?: number }): Promise<unknown>;
  chmod(path: string, mode: number): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  rmdir(path: string): Promise<void>;
  rm(path: string, options: { readonly recursive: true; readonly force: true }): Promise<void>;
}

/** Flags for `open`; the optional ones do not exist on every platform. */
export interface OpenFlags {
  readonly O_RDONLY: number;
  readonly O_WRONLY: number;
  readonly O_RDWR: number;
  readonly O_APPEND: number;
  readonly O_CREAT: number;
  readonly O_NONBLOCK?: number;
  readonly O_NOFOLLOW?: number;
  readonly O_DIRECTORY?: number;
}

/** The port's error codes by the platform's. Any other code is an `io_error`. */
const CODES: Readonly<Record<string, FileSystemErrorCode>> = {
  ENOENT: 'not_found',
  ENOTDIR: 'not_a_directory',
  EISDIR: 'is_directory',
  EEXIST: 'already_exists',
  EACCES: 'permission_denied',
  EPERM: 'permission_denied',
  EROFS: 'permission_denied',
  ELOOP: 'link_loop',
  ENXIO: 'not_a_file',
  ENODEV: 'not_a_file',
};

/** Converts the error of an operation on `path` to the port's error. A `FileSystemError` is returned unchanged. */
export function toFileSystemError(error: unknown, path: string): FileSystemError {
  if (error instanceof FileSystemError) return error;
  const code = isDiskFull(error) ? 'no_space' : (CODES[errorCode(error) ?? ''] ?? 'io_error');
  // A project can name a path of megabytes, which no system follows, and whose message would take seconds.
  return new FileSystemError(code, path.slice(0, MAX_PATH), { cause: error });
}

const MAX_PATH = 4096;

/** Runs an operation on `path`. Throws every error as a `FileSystemError`. */
export async function withFileSystemErrors<Value>(path: string, operation: () => Promise<Value>): Promise<Value> {
  try {
    return await operation();
  } catch (error) {
    throw toFileSystemError(error, path);
  }
}
