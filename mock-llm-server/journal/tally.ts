import { countOf } from '../text.ts';
import type { JournalEntry } from './entry.ts';

/** Steps that answered a request, by the name of their scenario. Steps are counted from 0. */
export type UsedSteps = ReadonlyMap<string, ReadonlySet<number>>;

/** Counts of requests that the journal has dropped. */
export interface Tally {
  readonly requests: number;
  /** Expectations that were not met. */
  readonly unmet: number;
  readonly missed: number;
  readonly pastEnd: number;
  readonly used: UsedSteps;
}

/** The tallies of dropped requests, for each test and for all of them. */
export interface Tallies {
  add(entry: JournalEntry): void;
  of(testId: string | undefined): Tally;
  /** Forgets one test, or everything. */
  clear(testId: string | undefined): void;
}

/** Statuses of requests for a route that the server does not have. */
const NO_ROUTE: readonly number[] = [404, 405, 426];

/** True for a request that the server itself refused, except one that passed the last step and one without a route. */
export function isMissed({ error, fault, pastEnd, model, status }: JournalEntry): boolean {
  if (error === undefined || fault !== undefined || pastEnd !== undefined) return false;
  return model !== undefined || !NO_ROUTE.includes(status);
}

const MAX_TESTS = 10_000;

/** Creates tallies of the last tests; beyond `MAX_TESTS`, the oldest is forgotten. */
export function createTallies(): Tallies {
  let all = createTally();
  const tests = new Map<string, MutableTally>();
  return {
    add(entry) {
      count(all, entry);
      const { testId } = entry;
      if (testId === undefined) return;
      const known = tests.get(testId) ?? createTally();
      count(known, entry);
      tests.set(testId, known);
      const [oldest] = tests.keys();
      if (tests.size > MAX_TESTS && oldest !== undefined) tests.delete(oldest);
    },
    of: (testId) => (testId === undefined ? all : (tests.get(testId) ?? createTally())),
    clear(testId) {
      if (testId !== undefined) return void tests.delete(testId);
      tests.clear();
      all = createTally();
    },
  };
}

interface MutableTally extends Tally {
  requests: number;
  unmet: number;
  missed: number;
  pastEnd: number;
  readonly used: Map<string, Set<number>>;
}

function createTally(): MutableTally {
  return { requests: 0, unmet: 0, missed: 0, pastEnd: 0, used: new Map() };
}

function count(tally: MutableTally, entry: JournalEntry): void {
  tally.requests++;
  tally.unmet += entry.unmet?.length ?? 0;
  if (isMissed(entry)) tally.missed++;
  if (entry.pastEnd !== undefined) tally.pastEnd++;
  markUsed(tally.used, entry);
}

/** Adds the step that answered a request, if one did. */
export function markUsed(
  used: Map<string, Set<number>>,
  { scenario, step }: Pick<JournalEntry, 'scenario' | 'step'>,
): void {
  if (scenario === undefined || step === undefined) return;
  const steps = used.get(scenario);
  if (steps === undefined) used.set(scenario, new Set([step]));
  else steps.add(step);
}

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

/** The part of a journal that knows the steps in use. */
interface StepUse {
  isUsed(scenario: string, step: number): boolean;
}

/** The scenarios with steps that answered no request since the journal was created or cleared. */
export function findUnusedSteps(scenarios: readonly Steps[], { isUsed }: StepUse): UnusedSteps[] {
  return scenarios.flatMap(({ name, steps: { length } }) => {
    const steps = Array.from({ length }, (_, step) => step).filter((step) => !isUsed(name, step));
    return steps.length === 0 ? [] : [{ scenario: name, steps }];
  });
}

/** At most this many scenarios are named; the others are counted. */
const MAX_NAMED = 5;

/** A line about unused steps: `never used: 2 scenarios of 12 (a, b); steps 1, 2 of "c"`. */
export function describeUnused(scenarios: readonly Steps[], journal: StepUse): string {
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
