import { FileSystemError, ToolError } from '../../agent/errors.ts';
import type { ToolErrorCode } from '../../agent/ports/tool.ts';
import { errorCode } from '../../text/error-code.ts';

/**
 * Runs a file operation of a tool. Converts a `FileSystemError` to a `ToolError` that names the displayed path and
 * advises the model what to do next. Other errors are passed on.
 */
export async function withFileErrors<Value>(display: string, operation: () => Promise<Value>): Promise<Value> {
  try {
    return await operation();
  } catch (error) {
    if (!(error instanceof FileSystemError)) throw error;
    const [code, text] = describeFailure(error, display);
    throw new ToolError(code, text, { cause: error });
  }
}

function describeFailure(error: FileSystemError, display: string): readonly [ToolErrorCode, string] {
  switch (error.code) {
    case 'not_found':
      return ['not_found', `${display} does not exist. Use list_files to see what is there.`];
    case 'is_directory':
      return ['is_directory', `${display} is a directory. Use list_files with path="${display}" to see what is in it.`];
    case 'not_a_directory':
    case 'already_exists':
      return ['not_a_directory', `A part of ${display} is a file, not a directory. Check the path with list_files.`];
    case 'permission_denied':
      if (errorCode(error.cause) === 'EROFS') {
        return [
          'permission_denied',
          `The file system of ${display} is read-only, so nothing was written. Use another path, or tell the user.`,
        ];
      }
      return ['permission_denied', `Permission denied for ${display}. Use another path, or ask the user for access.`];
    case 'no_space':
      return ['no_space', `The disk is full, so ${display} was not written. Tell the user.`];
    case 'not_a_file':
      return specialFileProblem(display);
    case 'link_loop':
    case 'moved':
      return ['file_changed', `${display} was replaced by a link. Check the path with list_files.`];
    case 'io_error':
      if (errorCode(error.cause) === 'EFBIG') {
        return [
          'no_space',
          `The limit of the file size (ulimit -f) is reached, so ${display} was not written. Tell the user.`,
        ];
      }
      return [
        'io_error',
        `A system error occurred on ${display}${reasonOf(error)}. Try once more, then tell the user.`,
      ];
  }
}

/** The refusal of a file that has no content to read or replace. */
export function specialFileProblem(display: string): readonly [ToolErrorCode, string] {
  return ['not_a_file', `${display} is not a regular file but a device, a pipe or a socket. Use another path.`];
}

/** The platform's error code in parentheses; empty if the error has none. */
function reasonOf(error: FileSystemError): string {
  return error.cause instanceof Error && 'code' in error.cause ? ` (${String(error.cause.code)})` : '';
}
