/** How the lines of a text end; `none` for a text of at most one line without an ending. */
export type LineEndings = 'none' | 'lf' | 'crlf' | 'mixed';

/**
 * The lines of a text without their endings (LF or CRLF). An ending at the very end starts no further line, so that
 * `a\n` is one line and the empty text none. A CR without LF is a character like any other.
 */
export function splitLines(text: string): readonly string[] {
  return splitKeepingEndings(text).map((line) => line.replace(/\r?\n$/, ''));
}

/** The lines of a text, each with its ending; joined they are the text again. */
export function splitKeepingEndings(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Which endings a text uses. */
export function detectLineEndings(text: string): LineEndings {
  const all = countLineFeeds(text);
  if (all === 0) return 'none';
  const crlf = text.split('\r\n').length - 1;
  if (crlf === 0) return 'lf';
  return crlf === all ? 'crlf' : 'mixed';
}

/** How many LF a text holds, alone or in CRLF. */
export function countLineFeeds(text: string): number {
  let count = 0;
  for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) count++;
  return count;
}

/** The number, from 1, of the line that the character at `offset` is in. */
export function lineNumberAt(text: string, offset: number): number {
  return countLineFeeds(text.slice(0, offset)) + 1;
}

/** The same for many offsets, which are in order. */
export function lineNumbersAt(text: string, offsets: readonly number[]): readonly number[] {
  let line = 1;
  let next = text.indexOf('\n');
  return offsets.map((offset) => {
    for (; next >= 0 && next < offset; next = text.indexOf('\n', next + 1)) line++;
    return line;
  });
}
