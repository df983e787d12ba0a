import { FileSystemError } from '../../core/errors.ts';
import type { FileSystemErrorCode } from '../../ports/file-system.ts';

/** The platform's error names by what they mean here; a name that is missing is an `io_error`. */
const CODES: Readonly<Record<string, FileSystemErrorCode>> = {
  ENOENT: 'not_found',
  ENOTDIR: 'not_a_directory',
  EISDIR: 'is_directory',
  EEXIST: 'already_exists',
  EACCES: 'permission_denied',
  EPERM: 'permission_denied',
  EROFS: 'permission_denied',
  ENOSPC: 'no_space',
  EDQUOT: 'no_space',
  ELOOP: 'link_loop',
  ENXIO: 'not_a_file',
  ENODEV: 'not_a_file',
};

/** The error of a file operation on `path` as the port's own error. One that is already the port's own is kept. */
export function toFileSystemError(error: unknown, path: string): FileSystemError {
  if (error instanceof FileSystemError) return error;
  const name = error instanceof Error && 'code' in error ? String(error.code) : '';
  return new FileSystemError(CODES[name] ?? 'io_error', path, { cause: error });
}
