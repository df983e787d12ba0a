import type { Choice } from '../../app/terminal.ts';
import type { Key } from '../keys/key.ts';

/** The answers of a question. `chosen` is an index of those that match what is typed. */
export interface ChoiceList {
  readonly all: readonly Choice[];
  readonly chosen: number;
}

/** The choices that contain all typed words, in any case. The one whose value was typed comes first. */
export function matchingChoices({ all }: ChoiceList, typed: string): readonly Choice[] {
  const words = typed.toLowerCase().split(/\s+/);
  const found = all.filter(({ value, label }) => {
    const text = `${value} ${label}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const exact = found.filter(({ value }) => value === typed.trim());
  return exact.length === 0 ? found : [...exact, ...found.filter((choice) => !exact.includes(choice))];
}

/** Keys that choose another answer, with the number of rows that they go down. */
const STEPS: Readonly<Record<string, number>> = {
  Up: -1,
  'C-p': -1,
  'S-Tab': -1,
  Down: 1,
  'C-n': 1,
  Tab: 1,
  PageUp: -7,
  PageDown: 7,
};

/** The answer that Enter takes, or the list after another key; `undefined` for a key of the line with what is typed. */
export function pressInList(list: ChoiceList, typed: string, key: Key): ChoiceList | string | undefined {
  const name = key.type === 'key' ? key.name : '';
  const found = matchingChoices(list, typed);
  if (name === 'Enter') return found[list.chosen]?.value ?? typed.trim();
  const step = STEPS[name];
  if (step === undefined) return undefined;
  const wanted = list.chosen + step;
  if (wanted >= 0 && wanted < found.length) return { ...list, chosen: wanted };
  // One row beyond an end goes to the other end; a page stops at the end.
  return { ...list, chosen: step === 1 || step === -7 ? 0 : Math.max(found.length - 1, 0) };
}
