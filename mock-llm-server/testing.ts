import type * as z from 'zod';
import { checkMockOptions } from './check-options.ts';
import type { JournalEntry } from './journal/entry.ts';
import { createJournal, type Journal } from './journal/journal.ts';
import { findUnusedSteps, type UnusedSteps } from './journal/tally.ts';
import type { ScenarioFileSchema, ScenarioSchema } from './scenario/format.ts';
import { loadScenarioFiles, nodeScenarioFiles } from './scenario/loading/load.ts';
import { createScenarioOverlays, type ScenarioOverlays } from './scenario/loading/overlays.ts';
import { checkContent } from './scenario/loading/read-file.ts';
import { createScenarioSet, type NamedScenarioFile, type ScenarioSet } from './scenario/prepare.ts';
import { createMockServer, type MockServerOptions } from './server/app.ts';
import { type StartOptions, startMockServer } from './server/listen.ts';
import { type VerifyOptions, type VerifyReport, verifyJournal } from './verify/report.ts';

export type { Clock } from './delivery/clock.ts';
export { createVirtualClock, type VirtualClock } from './delivery/clock.ts';
export type { JournalEntry } from './journal/entry.ts';
export type { UnusedSteps } from './journal/tally.ts';
export type { PromptDrift } from './scenario/lock/prompt-lock.ts';
export { ScenarioError } from './scenario/problems.ts';
export type { Problem, ProblemKind, VerifyOptions, VerifyReport } from './verify/report.ts';

/** One scenario, as in the list `scenarios` of a file. */
export type MockScenario = z.input<typeof ScenarioSchema>;
/** The content of a scenario file. */
export type MockScenarioFile = z.input<typeof ScenarioFileSchema>;

/** The scenarios of a mock model. */
export interface MockLlmScenarios {
  /** Scenarios, contents of scenario files, and paths of files, story directories, directories of those or globs. */
  readonly scenarios: string | readonly (string | MockScenario | MockScenarioFile)[];
  /** Text of the answer to requests that no scenario matches; a 400 if neither this nor a file has one. */
  readonly default_response?: string;
}

/**
 * Returns its argument. The compiler checks the scenarios, and an editor completes their fields, where they are
 * written: `const scenarios = defineScenarios([{ name: 'hello', … }])`.
 */
export function defineScenarios(
  scenarios: readonly (MockScenario | MockScenarioFile)[],
): readonly (MockScenario | MockScenarioFile)[] {
  return scenarios;
}

/** Options of `startMockLlm`. */
export interface MockLlmOptions extends MockLlmScenarios, Omit<StartOptions, keyof MockLlmScenarios | HiddenOption> {}
/** Options of `mockLlmFetch`. */
export interface MockLlmFetchOptions
  extends MockLlmScenarios,
    Omit<MockServerOptions, keyof MockLlmScenarios | HiddenOption> {}

type HiddenOption = 'overlays' | 'overrideGlobals' | 'journal' | 'observe' | 'observePrompt';

/** Maximum number of requests in the journal. */
const MAX_REQUESTS = 10_000;

/** The requests that a change of the scenarios is for. */
export interface MockLlmScope {
  /** Those with this header `x-test-id`; all requests without it. */
  readonly testId?: string | undefined;
}

/** Common part of the mock models of this module. */
export interface MockLlmControl {
  /** The requests so far and their answers, oldest first: a live list of at most 10,000 entries and 16 MB. */
  readonly requests: readonly JournalEntry[];
  /** The scenarios with steps that answered no request so far; empty if every step was used. */
  unused(): readonly UnusedSteps[];
  /**
   * Adds scenarios before all others, for all requests or those of one test. Rejects with a `ScenarioError`, and changes
   * nothing, if one is invalid or has a name that is in use; with `replace` it replaces the scenario of that name.
   */
  add(scenarios: MockLlmScenarios['scenarios'], options?: MockLlmScope & { readonly replace?: boolean }): Promise<void>;
  /** Removes a scenario, wherever it comes from. Rejects with an `Error` if there is none of this name. */
  remove(name: string, scope?: MockLlmScope): Promise<void>;
  /** Reverts the changes of `add` and `remove`, for one test or for all. */
  reset(scope?: MockLlmScope): Promise<void>;
  /** Checks the clients by their requests so far. */
  verify(options?: VerifyOptions): VerifyReport;
}

/** A mock model that listens on a port. `await using` closes it. */
export interface MockLlm extends MockLlmControl {
  /** Without a trailing slash: `http://127.0.0.1:41337`. Clients of OpenAI need `/v1` after it. */
  readonly url: string;
  /** Also ends open connections. Resolves when the port is free. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A `fetch` that a mock model answers in the same process. It has no scenarios before its first call. */
export interface MockLlmFetch extends MockLlmControl {
  (input: string | URL | Request, init?: RequestInit): Promise<Response>;
}

/**
 * Starts a mock model, on a free port of 127.0.0.1 by default. Rejects with a `ScenarioError` that names file, path and
 * reason if a scenario is invalid, and with an `Error` that has the system's `code` (`EADDRINUSE`) if it cannot listen.
 */
export async function startMockLlm(options: MockLlmOptions): Promise<MockLlm> {
  checkMockOptions('startMockLlm', options);
  const journal = createJournal({ maxEntries: MAX_REQUESTS });
  const scenarios = await loadSet(options);
  const overlays = createScenarioOverlays(() => scenarios);
  const { url, close } = await startMockServer({ ...options, scenarios, overlays, journal });
  let closed: Promise<void> | undefined;
  const closeOnce = () => {
    closed ??= close();
    return closed;
  };
  const control = controlOf(journal, overlays, Promise.resolve());
  return { url, ...control, close: closeOnce, [Symbol.asyncDispose]: closeOnce };
}

/**
 * Creates a mock model without a port: pass it as `fetch` to a client. Any base URL works, because only the path of a
 * request counts. Throws for a wrong option. If a scenario is invalid, its calls reject with a `ScenarioError`.
 */
export function mockLlmFetch(options: MockLlmFetchOptions): MockLlmFetch {
  checkMockOptions('mockLlmFetch', options);
  const journal = createJournal({ maxEntries: MAX_REQUESTS });
  let loaded = createScenarioSet([]);
  const overlays = createScenarioOverlays(() => loaded);
  const app = loadSet(options).then((scenarios) => {
    loaded = scenarios;
    return createMockServer({ ...options, scenarios, overlays, journal });
  });
  // Each call rejects with the failure, which without a call would be an unhandled rejection.
  app.catch(() => {});
  const answer = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    // A `Request` follows a signal by a weak reference only, so the server gets the signal itself.
    const request = new Request(input, { ...init, signal: null });
    signal?.throwIfAborted();
    const response = await (await app).fetch(request, { signal });
    signal?.throwIfAborted();
    return response;
  };
  return Object.assign(answer, controlOf(journal, overlays, app));
}

/** `ready` resolves when the scenarios of the options are loaded. */
function controlOf(journal: Journal, overlays: ScenarioOverlays, ready: Promise<unknown>): MockLlmControl {
  return {
    requests: journal.entries,
    unused: () => findUnusedSteps(overlays.current().scenarios, journal),
    async add(scenarios, options) {
      const files = await loadFiles(scenarios);
      await ready;
      overlays.add(files, options);
    },
    async remove(name, scope) {
      await ready;
      if (!overlays.remove(name, scope)) throw new Error(`There is no scenario named "${name}".`);
    },
    async reset(scope) {
      await ready;
      overlays.reset(scope);
    },
    verify: (options) => verifyJournal(journal, overlays.current(options?.testId).scenarios, options),
  };
}

async function loadSet({ scenarios, default_response }: MockLlmScenarios): Promise<ScenarioSet> {
  const set = createScenarioSet(await loadFiles(scenarios));
  return default_response === undefined ? set : { ...set, defaultResponse: default_response };
}

async function loadFiles(scenarios: MockLlmScenarios['scenarios']): Promise<readonly NamedScenarioFile[]> {
  const sources = typeof scenarios === 'string' ? [scenarios] : scenarios;
  return (await Promise.all(sources.map(loadSource))).flat();
}

async function loadSource(
  source: string | MockScenario | MockScenarioFile,
  index: number,
): Promise<readonly NamedScenarioFile[]> {
  if (typeof source === 'string') return loadScenarioFiles([source], nodeScenarioFiles);
  const file = `scenarios[${index}]`;
  const content = 'scenarios' in source ? source : { scenarios: [source] };
  return [{ file, content: await checkContent(content, file) }];
}
