import { UsageError } from '../agent/errors.ts';
import { escapeLine } from '../text/escape.ts';

/** A place in a text; both numbers begin at 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * An unusable configuration. The message is for the user: it names the source, the problem and what to do next.
 * Of several problems, each has a line.
 */
export class ConfigError extends UsageError {
  override readonly name = 'ConfigError';
  /** Absolute path, `environment` or `command line`. */
  readonly source: string;

  constructor(source: string, problem: string, position?: Position, further: readonly string[] = []) {
    super([`${placeOf(source, position)}: ${problem}`, ...further].join('\n'));
    this.source = source;
  }

  /** The same error with one more line. */
  with(line: string): ConfigError {
    const error = new ConfigError(this.source, '');
    error.message = `${this.message}\n${line}`;
    return error;
  }
}

/** A place in a file, on one line, in the form that terminals and editors turn into a link: `/home/ada/.ybs.json:3:5`. */
export function placeOf(source: string, position?: Position): string {
  const place = escapeLine(source);
  return position === undefined ? place : `${place}:${position.line}:${position.column}`;
}
