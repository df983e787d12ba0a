import type { AnsweredCall, FailedExpectation } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import { isMissed, markUsed } from '../journal/tally.ts';
import { describeUnmet } from '../matching/check-expectations.ts';
import type { PromptDrift } from '../scenario/lock/prompt-lock.ts';
import { countOf } from '../text.ts';
import { type CacheStability, checkCacheStability } from './cache-stability.ts';
import { readRequests } from './requests.ts';
import { checkResilience, describeFaultVerdict, type Resilience } from './resilience.ts';

/** The kinds of problems that a report can have. */
export const PROBLEM_KINDS = [
  'expectation',
  'miss',
  'past_end',
  'unused',
  'resilience',
  'history',
  'drift',
  'cache',
] as const;
export type ProblemKind = (typeof PROBLEM_KINDS)[number];

/** The kinds that fail a report by default. A changed prompt and one that no cache can serve may be intended. */
const DEFAULT_KINDS: readonly ProblemKind[] = PROBLEM_KINDS.filter((kind) => kind !== 'cache' && kind !== 'drift');

/** A reason why a report failed. `nothing_ran`: no request arrived. */
export interface Problem {
  readonly kind: ProblemKind | 'nothing_ran';
  readonly message: string;
  readonly request?: number;
  readonly scenario?: string;
}

/** The steps of a scenario that answered requests. Steps are counted from 0. */
export interface ScenarioUse {
  readonly name: string;
  readonly used: readonly number[];
  readonly unused: readonly number[];
  /** Number of requests for which no step was left. */
  readonly pastEnd: number;
}

/** The verdict on the clients of a server. */
export interface VerifyReport {
  readonly passed: boolean;
  /** The test whose requests were checked; absent for all requests. */
  readonly test?: string;
  readonly problems: readonly Problem[];
  readonly requests: number;
  /** Number of those that the journal has dropped: they count, but their details are lost. */
  readonly dropped: number;
  readonly scenarios: readonly ScenarioUse[];
  readonly unmet: readonly (FailedExpectation & { readonly request: number; scenario: string; step: number })[];
  readonly missed: readonly { readonly request: number; readonly message: string }[];
  /** Answers that the client sent back in another form, each with the first such request. */
  readonly history: readonly { readonly request: number; readonly message: string }[];
  readonly toolCalls: readonly (AnsweredCall & { readonly request: number })[];
  /** Notes of the server on answers, such as an argument that the schema of its tool forbids. These are no problems. */
  readonly notes: readonly { readonly request: number; readonly message: string }[];
  readonly resilience: Resilience;
  readonly cache: CacheStability;
  /** The parts of prompts that differ from the locks of their scenarios. */
  readonly drift: readonly (PromptDrift & { readonly request: number; scenario: string; step: number })[];
}

export interface VerifyOptions {
  /** Checks only the requests with this `x-test-id`. */
  readonly testId?: string | undefined;
  readonly failOn?: readonly ProblemKind[] | undefined;
}

/** Checks the clients of a server by its journal. Pure. */
export function verifyJournal(
  journal: Pick<Journal, 'entries' | 'traces' | 'droppedTally'>,
  scenarios: readonly { readonly name: string; readonly steps: { readonly length: number } }[],
  { testId, failOn = DEFAULT_KINDS }: VerifyOptions = {},
): VerifyReport {
  const entries = journal.entries.filter((entry) => testId === undefined || entry.testId === testId);
  const requests = readRequests(journal, testId);
  const tally = journal.droppedTally(testId);
  const used = new Map([...tally.used].map(([name, steps]) => [name, new Set(steps)]));
  for (const entry of entries) markUsed(used, entry);
  const report = {
    ...(testId !== undefined && { test: testId }),
    requests: tally.requests + entries.length,
    dropped: tally.requests,
    scenarios: scenarios.map(({ name, steps: { length } }): ScenarioUse => {
      const all = Array.from({ length }, (_, step) => step);
      const isUsed = (step: number) => used.get(name)?.has(step) ?? false;
      const pastEnd = entries.filter((entry) => entry.pastEnd === name).length;
      return { name, used: all.filter(isUsed), unused: all.filter((step) => !isUsed(step)), pastEnd };
    }),
    unmet: entries.flatMap(({ number, scenario = '', step = 0, unmet = [] }) =>
      unmet.map((each) => ({ request: number, scenario, step, ...each })),
    ),
    missed: entries.flatMap((entry) =>
      isMissed(entry) ? [{ request: entry.number, message: entry.error ?? '' }] : [],
    ),
    history: entries
      .flatMap(({ number, history = [] }) => history.map((message) => ({ request: number, message })))
      .filter(({ message }, index, all) => all.findIndex((other) => other.message === message) === index),
    toolCalls: entries.flatMap(({ number, calls = [] }) => calls.map((call) => ({ request: number, ...call }))),
    notes: entries.flatMap(({ number, notes = [] }) => notes.map((message) => ({ request: number, message }))),
    resilience: checkResilience(requests),
    cache: checkCacheStability(requests),
    drift: entries.flatMap(({ number, scenario = '', step = 0, drift = [] }) =>
      drift.map((each) => ({ request: number, scenario, step, ...each })),
    ),
  };
  const lost: readonly Problem[] = [
    ...lostProblem('expectation', tally.unmet, 'expectation that was not met'),
    ...lostProblem('miss', tally.missed, 'request that missed'),
    ...lostProblem('past_end', tally.pastEnd, 'request past the last step'),
  ];
  const problems = [...findProblems(report), ...lost].filter(
    ({ kind }) => kind === 'nothing_ran' || failOn.includes(kind),
  );
  return { passed: problems.length === 0, problems, ...report };
}

function lostProblem(kind: ProblemKind, count: number, noun: string): readonly Problem[] {
  if (count === 0) return [];
  return [{ kind, message: `${countOf(count, noun)}, whose details the journal has dropped` }];
}

function findProblems(report: Omit<VerifyReport, 'passed' | 'problems'>): readonly Problem[] {
  if (report.requests === 0) {
    const whose = report.test === undefined ? '' : ` with the test id ${JSON.stringify(report.test)}`;
    return [{ kind: 'nothing_ran', message: `no request${whose} has arrived` }];
  }
  return [
    ...report.unmet.map((each): Problem => {
      const { request, scenario, step } = each;
      const message = `request ${request}, step ${step} of "${scenario}": ${describeUnmet(each)}`;
      return { kind: 'expectation', request, scenario, message };
    }),
    ...report.missed.map(({ request, message }): Problem => {
      return { kind: 'miss', request, message: `request ${request}: ${message}` };
    }),
    ...report.scenarios.flatMap(({ name: scenario, used, unused, pastEnd }): readonly Problem[] => {
      const past = `${countOf(pastEnd, 'request')} past the last step of "${scenario}"`;
      const notUsed = `"${scenario}" was started, but not used: step ${unused.join(', ')}`;
      return [
        ...(pastEnd > 0 ? [{ kind: 'past_end', scenario, message: past } as const] : []),
        ...(used.length > 0 && unused.length > 0 ? [{ kind: 'unused', scenario, message: notUsed } as const] : []),
      ];
    }),
    ...report.resilience.faults.flatMap((verdict): readonly Problem[] =>
      verdict.ok ? [] : [{ kind: 'resilience', request: verdict.request, message: describeFaultVerdict(verdict) }],
    ),
    ...report.history.map(({ request, message }): Problem => {
      return { kind: 'history', request, message: `request ${request}: ${message}` };
    }),
    ...report.drift.map(({ request, scenario, step, part, summary }): Problem => {
      return { kind: 'drift', request, scenario, message: `step ${step} of "${scenario}": ${part}: ${summary}` };
    }),
    ...report.cache.breaks.map(({ request, previous, part, tokens }): Problem => {
      const message = `request ${request} does not begin with the prompt of request ${previous}: ${part}, about ${tokens} tokens`;
      return { kind: 'cache', request, message };
    }),
  ];
}
