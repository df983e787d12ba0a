/** The first `length` UTF-16 units of a text, one less where a character would be cut in two. */
export function takeStart(text: string, length: number): string {
  const start = text.slice(0, length);
  return start.length < text.length && isHighSurrogate(start, start.length - 1) ? start.slice(0, -1) : start;
}

/** The last `length` UTF-16 units of a text, one less where a character would be cut in two. */
export function takeEnd(text: string, length: number): string {
  const from = Math.max(0, text.length - length);
  return text.slice(from > 0 && isHighSurrogate(text, from - 1) ? from + 1 : from);
}

/**
 * A text of at most `limit` lines as it is; of a longer one the beginning and the end (two thirds and one third), with
 * a line between them that says how many are left out.
 */
export function truncateLines(lines: readonly string[], limit: number): readonly string[] {
  if (lines.length <= limit) return lines;
  const head = Math.ceil((limit * 2) / 3);
  const tail = limit - head;
  const left = lines.length - limit;
  return [...lines.slice(0, head), `[… ${left} lines left out …]`, ...lines.slice(lines.length - tail)];
}

/** A line of at most `limit` UTF-16 units as it is; of a longer one its beginning and how long it is. */
export function truncateLine(line: string, limit: number): string {
  if (line.length <= limit) return line;
  const start = takeStart(line, limit);
  return `${start} [… cut: ${start.length} of ${line.length} characters shown]`;
}

function isHighSurrogate(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xd800;
}
