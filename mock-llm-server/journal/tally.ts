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
  /** The tally of one test, or of all requests. */
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

/** Creates tallies of at most `maxTests` tests; beyond it, the oldest is forgotten. */
export function createTallies(maxTests = 10_000): Tallies {
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
      if (tests.size > maxTests && oldest !== undefined) tests.delete(oldest);
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
