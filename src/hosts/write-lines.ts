import type { WriteText } from '../app/terminal.ts';

/** Characters that JSON may contain, but at which some readers end a line, and control characters of terminals. */
const UNSAFE_IN_LINE = /[\u007f-\u009f\u2028\u2029]/g;

/**
 * Writes an object as one line of JSON. Each write is awaited, so that a slow reader slows the run down instead of
 * filling the memory. Resolves to `false` when the output has been closed.
 */
export type WriteLine = (value: object) => Promise<boolean>;

/** Creates the writer of lines of an output. Lines are written whole, in the order of the calls. */
export function createLineWriter(write: WriteText): WriteLine {
  return (value) => write(`${asJsonLine(value)}\n`);
}

/**
 * An object as JSON on one line, in well-formed UTF-8: a lone surrogate is escaped, and so is every character at which a
 * reader may end a line.
 */
export function asJsonLine(value: object): string {
  return JSON.stringify(value).replace(UNSAFE_IN_LINE, escapeInJson);
}

function escapeInJson(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
