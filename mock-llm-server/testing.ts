import type * as z from 'zod';
import { checkFetchOptions, checkStartOptions } from './cli/check-options.ts';
import { explainListenError } from './cli/serve.ts';
import { createJournal, type JournalEntry } from './journal/journal.ts';
import type { ScenarioFileSchema, ScenarioSchema } from './scenario/format.ts';
import { loadScenarioFiles, nodeScenarioFiles } from './scenario/load.ts';
import { checkScenarioFile } from './scenario/parse.ts';
import { createScenarioSet, type NamedScenarioFile, type ScenarioSet } from './scenario/prepare.ts';
import { createMockServer, type MockServerOptions } from './server/app.ts';
import { type StartOptions, startMockServer } from './server/listen.ts';

export { OptionsError } from './cli/check-options.ts';
export type { Clock } from './delivery/clock.ts';
export { createVirtualClock, type VirtualClock } from './delivery/clock.ts';
export type { JournalEntry } from './journal/journal.ts';
export { ScenarioError } from './scenario/problems.ts';

/** One scenario, as in the list `scenarios` of a file. */
export type MockScenario = z.input<typeof ScenarioSchema>;
/** The content of a scenario file. */
export type MockScenarioFile = z.input<typeof ScenarioFileSchema>;

/** What a mock model answers from. */
export interface MockLlmScenarios {
  /** Scenarios, contents of scenario files, and paths of files, story directories, directories of those or globs. */
  readonly scenarios: string | readonly (string | MockScenario | MockScenarioFile)[];
  /** The text for requests that no scenario matches. Without it, and without one in a file, they get a 400. */
  readonly default_response?: string;
}

/** Options of `startMockLlm`. */
export interface MockLlmOptions extends MockLlmScenarios, Omit<StartOptions, keyof MockLlmScenarios | HiddenOption> {}
/** Options of `mockLlmFetch`. */
export interface MockLlmFetchOptions
  extends MockLlmScenarios,
    Omit<MockServerOptions, keyof MockLlmScenarios | HiddenOption> {}

type HiddenOption = 'overrideGlobals' | 'journal';

/** How many requests are kept; the oldest go first. */
const MAX_REQUESTS = 10_000;

/** A mock model on a port of its own. `await using` closes it. */
export interface MockLlm {
  /** Without a slash at its end: `http://127.0.0.1:41337`. OpenAI's clients want `/v1` after it. */
  readonly url: string;
  /** What was asked so far and what became of it, oldest first; a live list of at most 10 000, and of 16 MB. */
  readonly requests: readonly JournalEntry[];
  /** Ends open connections too; resolves when the port is free. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A `fetch` that a mock model answers in this process. */
export interface MockLlmFetch {
  (input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** As in `MockLlm`. */
  readonly requests: readonly JournalEntry[];
}

/**
 * Starts a mock model on a free port of 127.0.0.1. Rejects with a `ScenarioError` that names file, path and reason
 * when scenarios are wrong, with an `OptionsError` when options are, and where it cannot listen with an `Error` that
 * has the system's `code`, as in `EADDRINUSE`.
 */
export async function startMockLlm(options: MockLlmOptions): Promise<MockLlm> {
  checkStartOptions(options);
  const journal = createJournal({ maxEntries: MAX_REQUESTS });
  const scenarios = await loadSet(options);
  const { url, close } = await startMockServer({ ...options, scenarios, journal }).catch((error: unknown) => {
    throw listenErrorOf(error, options);
  });
  let closed: Promise<void> | undefined;
  const closeOnce = () => {
    closed ??= close();
    return closed;
  };
  return { url, requests: journal.entries, close: closeOnce, [Symbol.asyncDispose]: closeOnce };
}

/**
 * A mock model without a port: pass it as `fetch` to a client. It looks at the path of a request only, so any base URL
 * does. Scenarios that are wrong reject its first call with a `ScenarioError`. Throws an `OptionsError` when options
 * are wrong.
 */
export function mockLlmFetch(options: MockLlmFetchOptions): MockLlmFetch {
  checkFetchOptions(options);
  const journal = createJournal({ maxEntries: MAX_REQUESTS });
  const app = loadSet(options).then((scenarios) => createMockServer({ ...options, scenarios, journal }));
  // Whoever calls gets the failure; without a call it is nobody's.
  app.catch(() => {});
  const answer = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    // A request would follow the signal by a weak reference only, and for as long as the signal lives.
    const request = new Request(input, { ...init, signal: null });
    signal?.throwIfAborted();
    const response = await (await app).fetch(request, { signal });
    signal?.throwIfAborted();
    return response;
  };
  return Object.assign(answer, { requests: journal.entries });
}

/** The system's error in words, with its code. */
function listenErrorOf(error: unknown, { host = '127.0.0.1', port = 0 }: MockLlmOptions): Error {
  const said = explainListenError(error, { host, port }, { host: 'the option host', port: 'the option port' });
  const code = error instanceof Error && 'code' in error ? { code: error.code } : {};
  return Object.assign(new Error(`startMockLlm: ${said}`, { cause: error }), code);
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
