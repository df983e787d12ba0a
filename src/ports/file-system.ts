/** Why a file operation failed, the same names on every platform. `moved`: the directory is no longer where it was. */
export type FileSystemErrorCode =
  | 'not_found'
  | 'not_a_directory'
  | 'is_directory'
  | 'already_exists'
  | 'permission_denied'
  | 'no_space'
  | 'link_loop'
  | 'not_a_file'
  | 'moved'
  | 'io_error';

/** `link` is only said of directory entries; every other call follows links. */
export type FileKind = 'file' | 'directory' | 'link' | 'other';

export interface FileStat {
  readonly kind: Exclude<FileKind, 'link'>;
  readonly size: number;
  /** Permission bits. */
  readonly mode: number;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly kind: FileKind;
}

/** At most `maxBytes` bytes of a file from its start, and how large the whole file is. */
export interface FileBytes {
  readonly bytes: Uint8Array;
  readonly size: number;
  readonly mode: number;
}

/**
 * The few file operations the agent needs. Paths are absolute, in the platform's own form.
 * Every call throws `FileSystemError` and nothing else.
 */
export interface FileSystem {
  /** Follows links. */
  stat(path: string): Promise<FileStat>;
  /** The real path of something that exists, every link resolved. */
  realPath(path: string): Promise<string>;
  /** Entries in code-point order of their names, links named as links. */
  list(path: string): Promise<readonly DirectoryEntry[]>;
  /**
   * Reads regular files only (`not_a_file` for a FIFO, a device, a socket), without waiting on them. With `refuse`,
   * `path` is a real path, and `moved` is thrown when a link has come to stand in it: for paths that rules allowed.
   */
  readFile(path: string, maxBytes: number, links?: 'follow' | 'refuse'): Promise<FileBytes>;
  /** Creates a directory and its missing parents; one that exists is fine. */
  createDirectory(path: string): Promise<void>;
  /**
   * Creates or replaces one file, whole or not at all: a new file beside it, flushed to disk, renamed over it.
   * `directory` is a real path, missing parts of it are created; when it has become something else since, the call
   * throws `moved` and writes nothing.
   * The mode of a replaced file is kept unless `mode` says otherwise.
   */
  replaceFile(directory: string, name: string, bytes: Uint8Array, mode?: number): Promise<void>;
  /** Appends to a file that only its owner may read, creating it if need be. */
  appendFile(path: string, bytes: Uint8Array): Promise<void>;
}
