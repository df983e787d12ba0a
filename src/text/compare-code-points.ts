/**
 * Orders two texts by their Unicode code points, as the bytes of their UTF-8 forms would be ordered. Independent of
 * the locale; negative, zero or positive like any comparator.
 */
export function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const difference = rank(left.charCodeAt(index)) - rank(right.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Surrogates stand for characters above U+FFFF, so they come after U+E000–U+FFFF, which their own values do not. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
