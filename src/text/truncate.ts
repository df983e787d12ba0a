import { countOf } from './quantities.ts';

/** The first `length` UTF-16 units of a text, or one less to avoid splitting a surrogate pair. */
export function takeStart(text: string, length: number): string {
  return text.slice(0, characterStart(text, length));
}

/** The last `length` UTF-16 units of a text, or one less to avoid splitting a surrogate pair. */
export function takeEnd(text: string, length: number): string {
  const start = Math.max(0, text.length - length);
  return text.slice(characterStart(text, start) < start ? start + 1 : start);
}

/** Truncates a text that is longer than `limit` UTF-16 units to its start and `…`. */
export function truncateText(text: string, limit: number): string {
  return text.length > limit ? `${takeStart(text, limit)}…` : text;
}

/**
 * Truncates a list of more than `limit` lines in the middle: keeps the first two thirds and the last third of `limit`,
 * with a line between them that counts the omitted ones.
 */
export function truncateLines(lines: readonly string[], limit: number, note = omittedLines): readonly string[] {
  if (lines.length <= limit) return lines;
  const head = Math.ceil((limit * 2) / 3);
  const tail = limit - head;
  return [...lines.slice(0, head), note(lines.length - limit), ...lines.slice(lines.length - tail)];
}

export function omittedLines(count: number): string {
  return `[… ${countOf(count, 'line')} omitted …]`;
}

/** Truncates a line that is longer than `limit` UTF-16 units to its start, followed by a note with its full length. */
export function truncateLine(line: string, limit: number): string {
  if (line.length <= limit) return line;
  const start = takeStart(line, limit);
  return `${start} [… truncated: ${start.length} of ${line.length} characters shown]`;
}

/**
 * Truncates a line that is longer than `limit` UTF-16 units to the part around the match, with `…` where text is
 * omitted and a note with its full length. `match` is a range of UTF-16 units.
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
  return `${shown} [truncated; the line has ${line.length} characters]`;
}

/** The index at which the character that contains the UTF-16 unit at `index` starts. */
function characterStart(text: string, index: number): number {
  const isInside = index < text.length && (text.codePointAt(index - 1) ?? 0) > 0xffff;
  return isInside ? index - 1 : index;
}
