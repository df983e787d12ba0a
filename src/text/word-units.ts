import { clusters, textWidth } from './width.ts';

/** The parts of a word between which a row may end. */
export function unitsOf(word: string): readonly string[] {
  const all = clusters(word);
  if (textWidth(word) === all.length) return [word];
  const units: string[] = [];
  for (const [index, cluster] of all.entries()) {
    if (index === 0 || isBreakable(all[index - 1], cluster)) units.push(cluster);
    else units[units.length - 1] += cluster;
  }
  return units;
}

/** Punctuation that a row does not begin with. */
const CLOSING = /^[\p{Pe}\p{Pf}、。，．：；！？,.:;!?]/u;

/** True if a row may end between two characters: one of them is wide, and none belongs to the other. */
export function isBreakable(before = '', after = ''): boolean {
  return (textWidth(before) > 1 || textWidth(after) > 1) && !CLOSING.test(after) && !/\p{Ps}$/u.test(before);
}
