import { countOf } from './quantities.ts';

/** The first `length` UTF-16 units of a text, one less where a character would be cut in two. */
export function takeStart(text: string, length: number): string {
  return text.slice(0, characterStart(text, length));
}

/** The last `length` UTF-16 units of a text, one less where a character would be cut in two. */
export function takeEnd(text: string, length: number): string {
  const start = Math.max(0, text.length - length);
  return text.slice(characterStart(text, start) < start ? start + 1 : start);
}

/** A text of at most `limit` UTF-16 units as it is; of a longer one its start and `…`. */
export function truncateText(text: string, limit: number): string {
  return text.length > limit ? `${takeStart(text, limit)}…` : text;
}

/**
 * At most `limit` lines as they are; of more the first two thirds of `limit` and the last third, with a line between
 * them that counts the omitted ones.
 */
export function truncateLines(lines: readonly string[], limit: number): readonly string[] {
  if (lines.length <= limit) return lines;
  const head = Math.ceil((limit * 2) / 3);
  const tail = limit - head;
  return [
    ...lines.slice(0, head),
    `[… ${countOf(lines.length - limit, 'line')} left out …]`,
    ...lines.slice(lines.length - tail),
  ];
}

/** A line of at most `limit` UTF-16 units as it is; of a longer one its start and its whole length. */
export function truncateLine(line: string, limit: number): string {
  if (line.length <= limit) return line;
  const start = takeStart(line, limit);
  return `${start} [… cut: ${start.length} of ${line.length} characters shown]`;
}

/**
 * A line of at most `limit` UTF-16 units as it is; of a longer one the part around the match, with `…` for what is
 * left out, and its whole length. `match` is a range of UTF-16 units.
 */
export function truncateAround(
  line: string,
  match: { readonly start: number; readonly length: number },
  limit: number,
): string {
  if (line.length <= limit) return line;
  const room = Math.max(0, limit - match.length);
  const latest = line.length - limit;
  const start = characterStart(line, Math.min(Math.max(0, match.start - Math.floor(room / 2)), latest));
  const end = characterStart(line, start + limit);
  const shown = `${start > 0 ? '…' : ''}${line.slice(start, end)}${end < line.length ? '…' : ''}`;
  return `${shown} [cut, the line has ${line.length} characters]`;
}

/** The start of the character that the UTF-16 unit at `index` belongs to. */
function characterStart(text: string, index: number): number {
  const isInside = index < text.length && (text.codePointAt(index - 1) ?? 0) > 0xffff;
  return isInside ? index - 1 : index;
}
