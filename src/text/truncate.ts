/** The first `length` UTF-16 units of a text, one less where a character would be cut in two. */
export function takeStart(text: string, length: number): string {
  const start = text.slice(0, length);
  return start.length < text.length && /[\ud800-\udbff]$/.test(start) ? start.slice(0, -1) : start;
}

/**
 * At most `limit` lines as they are; of more the beginning and the end (two thirds and one third), with
 * a line between them that says how many are left out.
 */
export function truncateLines(lines: readonly string[], limit: number): readonly string[] {
  if (lines.length <= limit) return lines;
  const head = Math.ceil((limit * 2) / 3);
  const tail = limit - head;
  const left = lines.length - limit;
  return [
    ...lines.slice(0, head),
    `[… ${left} line${left === 1 ? '' : 's'} left out …]`,
    ...lines.slice(lines.length - tail),
  ];
}

/** A line of at most `limit` UTF-16 units as it is; of a longer one its beginning and how long it is. */
export function truncateLine(line: string, limit: number): string {
  if (line.length <= limit) return line;
  const start = takeStart(line, limit);
  return `${start} [… cut: ${start.length} of ${line.length} characters shown]`;
}
