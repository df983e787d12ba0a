import type { FileSystemErrorCode } from '../ports/file-system.ts';
import type { ModelErrorCode } from '../ports/language-model.ts';
import type { ToolErrorCode } from '../ports/tool.ts';

/** A tool could not do what it was asked. The message is written for the model and says what to do next. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly code: ToolErrorCode;

  constructor(code: ToolErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A request to the model failed. The message is written for the user; it never holds a key. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly code: ModelErrorCode;
  /** How long the provider asked to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(code: ModelErrorCode, message: string, options?: ErrorOptions & { readonly retryAfterMs?: number }) {
    super(message, options);
    this.code = code;
    this.retryAfterMs = options?.retryAfterMs;
  }
}

/** A file operation failed. `path` is the path the operation was given. */
export class FileSystemError extends Error {
  override readonly name = 'FileSystemError';
  readonly code: FileSystemErrorCode;
  readonly path: string;

  constructor(code: FileSystemErrorCode, path: string, options?: ErrorOptions) {
    super(`${code}: ${path}`, options);
    this.code = code;
    this.path = path;
  }
}

/** Ybs cannot start: the command line, the configuration or a story has a mistake. The message is for the user. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}

/** The code of a thrown error of the platform, such as `ENOENT`; `undefined` for any other value. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** True for a platform's error about a full disk or an exceeded disk quota. */
export function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '');
}

/** Message of a thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
