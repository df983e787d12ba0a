import type * as z from 'zod';
import type { JournalEntry } from './journal/entry.ts';
import { createJournal } from './journal/journal.ts';
import { findUnusedSteps, type UnusedSteps } from './journal/unused-steps.ts';
import type { ScenarioFileSchema, ScenarioSchema } from './scenario/format.ts';
import { loadScenarioFiles, nodeScenarioFiles } from './scenario/load.ts';
import { checkScenarioFile } from './scenario/parse.ts';
import { createScenarioSet, type NamedScenarioFile, type ScenarioSet } from './scenario/prepare.ts';
import { createMockServer, type MockServerOptions } from './server/app.ts';
import { type StartOptions, startMockServer } from './server/listen.ts';

export type { Clock } from './delivery/clock.ts';
export { createVirtualClock, type VirtualClock } from './delivery/clock.ts';
export type { JournalEntry } from './journal/entry.ts';
export type { UnusedSteps } from './journal/unused-steps.ts';
export type { PromptDrift } from './scenario/format/prompt-lock.ts';
export { ScenarioError } from './scenario/problems.ts';

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

type HiddenOption = 'overrideGlobals' | 'journal' | 'observe' | 'observePrompt';

/** Maximum number of requests in the journal. */
const MAX_REQUESTS = 10_000;

/** A mock model that listens on a port. `await using` closes it. */
export interface MockLlm {
  /** Without a trailing slash: `http://127.0.0.1:41337`. Clients of OpenAI need `/v1` after it. */
  readonly url: string;
  /** The requests so far and their answers, oldest first: a live list of at most 10,000 entries and 16 MB. */
  readonly requests: readonly JournalEntry[];
  /** The scenarios with steps that answered no request so far; empty if every step was used. */
  unused(): readonly UnusedSteps[];
  /** Also ends open connections. Resolves when the port is free. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A `fetch` that a mock model answers in the same process. */
export interface MockLlmFetch {
  (input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** As `requests` of `MockLlm`. */
  readonly requests: readonly JournalEntry[];
  /** As `unused` of `MockLlm`; empty before the first call. */
  unused(): readonly UnusedSteps[];
}

/**
 * Starts a mock model, on a free port of 127.0.0.1 by default. Rejects with a `ScenarioError` that names file, path and
 * reason if a scenario is invalid, and with an `Error` that has the system's `code` (`EADDRINUSE`) if it cannot listen.
 */
export async function startMockLlm(options: MockLlmOptions): Promise<MockLlm> {
  const journal = createJournal({ maxEntries: MAX_REQUESTS });
  const scenarios = await loadSet(options);
  const { url, close } = await startMockServer({ ...options, scenarios, journal });
  let closed: Promise<void> | undefined;
  const closeOnce = () => {
    closed ??= close();
    return closed;
  };
  const unused = () => findUnusedSteps(scenarios.scenarios, journal);
  return { url, requests: journal.entries, unused, close: closeOnce, [Symbol.asyncDispose]: closeOnce };
}

/**
 * Creates a mock model without a port: pass it as `fetch` to a client. Any base URL works, because only the path of a
 * request counts. If a scenario is invalid, its calls reject with a `ScenarioError`.
 */
export function mockLlmFetch(options: MockLlmFetchOptions): MockLlmFetch {
  const journal = createJournal({ maxEntries: MAX_REQUESTS });
  let loaded: ScenarioSet['scenarios'] = [];
  const app = loadSet(options).then((scenarios) => {
    loaded = scenarios.scenarios;
    return createMockServer({ ...options, scenarios, journal });
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
  return Object.assign(answer, { requests: journal.entries, unused: () => findUnusedSteps(loaded, journal) });
}

async function loadSet({ scenarios, default_response }: MockLlmScenarios): Promise<ScenarioSet> {
  const sources = typeof scenarios === 'string' ? [scenarios] : scenarios;
  const files = (await Promise.all(sources.map(loadSource))).flat();
  const set = createScenarioSet(files);
  return default_response === undefined ? set : { ...set, defaultResponse: default_response };
}

async function loadSource(
  source: string | MockScenario | MockScenarioFile,
  index: number,
): Promise<readonly NamedScenarioFile[]> {
  if (typeof source === 'string') return loadScenarioFiles([source], nodeScenarioFiles);
  const file = `scenarios[${index}]`;
  const content = 'scenarios' in source ? source : { scenarios: [source] };
  return [{ file, content: checkScenarioFile(content, file) }];
}
