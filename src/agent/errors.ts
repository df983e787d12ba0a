import { errorCode } from '../text/error-code.ts';
import { escapeLine } from '../text/escape.ts';
import type { FileSystemErrorCode } from './ports/file-system.ts';
import type { ModelErrorCode } from './ports/language-model.ts';
import type { ToolErrorCode } from './ports/tool.ts';

/** Failure of a tool call. The message is for the model and says what to do next. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly code: ToolErrorCode;
  /** The rule that refuses the call, if one does. */
  readonly rule: string | undefined;

  constructor(code: ToolErrorCode, message: string, options?: ErrorOptions & { readonly rule?: string | undefined }) {
    super(message, options);
    this.code = code;
    this.rule = options?.rule;
  }
}

/** Failure of a request to the model. The message is for the user; it never contains a key. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly code: ModelErrorCode;
  /** The wait that the provider asked for, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(code: ModelErrorCode, message: string, options?: ErrorOptions & { readonly retryAfterMs?: number }) {
    super(message, options);
    this.code = code;
    this.retryAfterMs = options?.retryAfterMs;
  }
}

/** Failure of a file operation. `path` is the argument of the operation. The message is one line: the path and the reason. */
export class FileSystemError extends Error {
  override readonly name = 'FileSystemError';
  readonly code: FileSystemErrorCode;
  readonly path: string;
  /** The cause of the failure, in words for the user. */
  readonly reason: string;

  constructor(code: FileSystemErrorCode, path: string, options?: ErrorOptions) {
    const reason = reasonOf(code, errorCode(options?.cause));
    super(`${escapeLine(path)}: ${reason}`, options);
    this.code = code;
    this.path = path;
    this.reason = reason;
  }
}

const REASONS: Readonly<Record<Exclude<FileSystemErrorCode, 'io_error'>, string>> = {
  not_found: 'it does not exist',
  not_a_directory: 'a file is where a directory is needed',
  is_directory: 'it is a directory',
  already_exists: 'it already exists',
  permission_denied: 'permission denied',
  no_space: 'the disk is full',
  link_loop: 'its links lead in a circle',
  not_a_file: 'it is not a regular file',
  moved: 'its path leads through a link',
};

/** The cause of a failure, in words. `cause` is the code of the platform, if it is known. */
function reasonOf(code: FileSystemErrorCode, cause: string | undefined): string {
  if (cause === 'EROFS') return 'the file system is read-only';
  if (cause === 'EFBIG') return 'the limit of the file size (ulimit -f) is reached';
  return code === 'io_error' ? `system error${cause === undefined ? '' : ` ${cause}`}` : REASONS[code];
}

/** The result of file operations; `undefined` if one of them fails or, with `code`, fails in this way. */
export async function unlessFileError<T>(work: Promise<T>, code?: FileSystemErrorCode): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof FileSystemError && (code === undefined || code === error.code)) return undefined;
    throw error;
  }
}

/** A mistake in the command line, the configuration or a story. The message is for the user, who must correct it. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}

/** Message of a thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
