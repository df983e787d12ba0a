/** A part of a text: where it starts and how long it is, in UTF-16 units. */
interface Part {
  readonly start: number;
  readonly length: number;
}

const LOW_SURROGATE = /^[\udc00-\udfff]/;

/**
 * A line of at most `maxLength` characters as it is; of a longer one the part around the match, with `…` where
 * something is missing and the whole length behind it. Characters are never cut in two.
 */
export function cutAround(line: string, match: Part, maxLength: number): string {
  if (line.length <= maxLength) return line;
  const room = Math.max(0, maxLength - match.length);
  const latest = line.length - maxLength;
  const start = wholeCharacter(line, Math.min(Math.max(0, match.start - Math.floor(room / 2)), latest));
  const end = wholeCharacter(line, start + maxLength);
  const shown = `${start > 0 ? '…' : ''}${line.slice(start, end)}${end < line.length ? '…' : ''}`;
  return `${shown} [cut, the line has ${line.length} characters]`;
}

function wholeCharacter(line: string, index: number): number {
  return LOW_SURROGATE.test(line.slice(index, index + 1)) ? index - 1 : index;
}
