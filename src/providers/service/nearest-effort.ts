import { EFFORT_LEVELS, type EffortLevel, type ServiceRules } from './service-rules.ts';

const NAMES = EFFORT_LEVELS.join('|');
const LISTED = `(?:${NAMES}|default|auto)`;
const SEPARATOR = String.raw`[\s,|/]+(?:(?:or|and)\s)?`;

/** A level in quotes, in brackets or in a list. Alone, it may be an ordinary word: the max output tokens. */
const LEVEL = new RegExp(
  String.raw`(?<=["'[])(?:${NAMES})(?=\\?["'\]])|(?<=\b${LISTED}${SEPARATOR})(?:${NAMES})\b|\b(?:${NAMES})(?=${SEPARATOR}${LISTED}\b)`,
  'g',
);

/** Words that introduce the values that a model supports. */
export const NAMES_VALUES =
  /(?<!\b(?:not|is|are) )\b(?:supported|supports|valid|allowed|accepted|available|permitted|possible|expected|(?:should|must) be|one of|levels|values|options)\b/;

/**
 * The level nearest to the refused one among those that an error names, in its plain spelling; the higher one of two.
 * It is never `none`, which turns reasoning off. `undefined` for an error about something else, or that names no value.
 */
export function nearestEffort(effort: ServiceRules['effort'], error: string): EffortLevel | undefined {
  if (effort === 'sent' || effort === 'left out') return undefined;
  const isMeant = /effort|reasoning|thinking/.test(error) || new RegExp(`["']${effort}["']`).test(error);
  if (!isMeant) return undefined;
  const words = new Set(error.slice(error.search(NAMES_VALUES)).match(LEVEL));
  const refused = EFFORT_LEVELS.indexOf(effort);
  const distance = (level: EffortLevel): number => Math.abs(EFFORT_LEVELS.indexOf(level) - refused);
  const [nearest] = EFFORT_LEVELS.filter((level) => level !== effort && level !== 'none' && words.has(level))
    .toReversed()
    .sort((one, other) => distance(one) - distance(other));
  return nearest;
}
