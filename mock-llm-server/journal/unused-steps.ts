import { countOf } from '../text.ts';
import type { Journal } from './journal.ts';

/** The steps of a scenario that answered no request. */
export interface UnusedSteps {
  readonly scenario: string;
  /** Counted from 0. */
  readonly steps: readonly number[];
}

/** A scenario with its number of steps. */
interface Steps {
  readonly name: string;
  readonly steps: { readonly length: number };
}

/** The scenarios with steps that answered no request since the journal was created or cleared. */
export function findUnusedSteps(scenarios: readonly Steps[], { isUsed }: Pick<Journal, 'isUsed'>): UnusedSteps[] {
  return scenarios.flatMap(({ name, steps: { length } }) => {
    const steps = Array.from({ length }, (_, step) => step).filter((step) => !isUsed(name, step));
    return steps.length === 0 ? [] : [{ scenario: name, steps }];
  });
}

/** At most this many scenarios are named; the others are counted. */
const MAX_NAMED = 5;

/** A line about unused steps: `never used: 2 scenarios of 12 (a, b); steps 1, 2 of "c"`. */
export function describeUnused(scenarios: readonly Steps[], journal: Pick<Journal, 'isUsed'>): string {
  const unused = findUnusedSteps(scenarios, journal);
  const lengths = new Map(scenarios.map(({ name, steps }) => [name, steps.length]));
  const whole = unused.filter(({ scenario, steps }) => steps.length === lengths.get(scenario));
  const partial = unused.filter((each) => !whole.includes(each));
  const parts: string[] = [];
  if (whole.length > 0) {
    const names = joinNames(whole.map(({ scenario }) => scenario));
    parts.push(`${countOf(whole.length, 'scenario')} of ${scenarios.length} (${names})`);
  }
  if (partial.length > 0) {
    parts.push(joinNames(partial.map(({ scenario, steps }) => `${nameSteps(steps)} of "${scenario}"`)));
  }
  return parts.length === 0 ? 'every step of every scenario was used' : `never used: ${parts.join('; ')}`;
}

function nameSteps(steps: readonly number[]): string {
  return steps.length === 1 ? `step ${steps[0]}` : `steps ${steps.join(', ')}`;
}

function joinNames(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  return [...names.slice(0, MAX_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
