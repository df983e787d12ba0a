/** The line endings of a text; `none` if it has none. */
export type LineEndings = 'none' | 'lf' | 'crlf' | 'mixed';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * The lines of a text without their endings (LF or CRLF). An ending at the end of the text does not start a new line:
 * `a\n` is one line, and the empty text has no lines. A CR without LF is an ordinary character.
 */
export function splitLines(text: string): readonly string[] {
  return splitKeepingEndings(text).map((line) => line.replace(/\r?\n$/, ''));
}

/** The lines of a text, each with its ending. */
export function splitKeepingEndings(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

export function detectLineEndings(text: string): LineEndings {
  let found: LineEndings = 'none';
  for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1)) {
    const ending = text.charCodeAt(index - 1) === CARRIAGE_RETURN ? 'crlf' : 'lf';
    if (found !== 'none' && found !== ending) return 'mixed';
    found = ending;
  }
  return found;
}

/** The number of LF characters in a text, including those in CRLF. */
export function countLineFeeds(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) === LINE_FEED) count++;
  return count;
}

/** The number of lines of a text. A line feed at its end does not start a new line. */
export function countLines(text: string): number {
  return countLineFeeds(text) + (text === '' || text.endsWith('\n') ? 0 : 1);
}

/** The number of the line that contains the character at `offset`, counted from 1. */
export function lineNumberAt(text: string, offset: number): number {
  return countLineFeeds(text.slice(0, offset)) + 1;
}

/** The line numbers of several offsets, which must be in ascending order. */
export function lineNumbersAt(text: string, offsets: readonly number[]): readonly number[] {
  let line = 1;
  let next = text.indexOf('\n');
  return offsets.map((offset) => {
    for (; next >= 0 && next < offset; next = text.indexOf('\n', next + 1)) line++;
    return line;
  });
}
