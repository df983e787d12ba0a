import type { FileSystemErrorCode } from '../ports/file-system.ts';
import type { ModelErrorCode } from '../ports/language-model.ts';
import type { ToolErrorCode } from '../ports/tool.ts';

/** Failure of a tool call. The message is for the model and says what to do next. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly code: ToolErrorCode;

  constructor(code: ToolErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
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

/** Failure of a file operation. `path` is the argument of the operation. */
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

/** A mistake in the command line, the configuration or a story. The message is for the user, who must correct it. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}

/** Message of a thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
