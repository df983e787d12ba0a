import { afterEach, expect, it } from 'vitest';
import { createScenarioSet } from '../../../mock-llm-server/scenario/prepare.ts';
import { type RunningServer, startMockServer } from '../../../mock-llm-server/server/listen.ts';
import { ModelError } from '../../../src/agent/errors.ts';
import type { Clock } from '../../../src/agent/ports/clock.ts';
import type { ModelEvent } from '../../../src/agent/ports/language-model.ts';
import { chooseModel } from '../../../src/providers/target/choose-model.ts';

/** The longest wait before a retry. Longer waits are timeouts, which never end here. */
const LONGEST_WAIT_MS = 7_000;

/** Sleeps in no time. */
const clock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    ms > LONGEST_WAIT_MS
      ? new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      : Promise.resolve(),
};
const TIMEOUT_MS = 900_000;

let server: RunningServer | undefined;
afterEach(() => server?.close());

/** The words of OpenAI. */
const QUOTA = 'You exceeded your current quota, please check your plan and billing details.';

/** Sends one request to a mock server whose first answer has this fault. */
async function ask(fault: object, attempts = 3) {
  const step = { response: { content: 'A long enough answer.' }, fault: { ...fault, times: 1 } };
  const content = { scenarios: [{ name: 'faulty', trigger: 'go', steps: [step] }] };
  server = await startMockServer({ scenarios: createScenarioSet([{ file: 'faulty.json', content }]) });
  const choice = chooseModel(
    {
      llm: { provider: 'mock', endpoint: server.url, max_tokens: 100, timeout_seconds: TIMEOUT_MS / 1000 },
      agent: { retry_attempts: attempts, retry_backoff_base_ms: 1_000 },
    },
    {},
    { clock, random: () => 0.5 },
  );
  if (choice.type === 'refused') throw new Error(choice.message);
  const model = await choice.open();
  const events: ModelEvent[] = [];
  const request = { system: '', messages: [{ role: 'user', content: 'go' } as const], tools: [] };
  try {
    for await (const event of model.stream(request, new AbortController().signal)) events.push(event);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { events, error };
  }
  return { events, error: undefined };
}

const textAfterRetry = (events: readonly ModelEvent[]): string =>
  events
    .slice(events.findLastIndex(({ type }) => type === 'retry') + 1)
    .flatMap((event) => (event.type === 'text_delta' ? [event.text] : []))
    .join('');

it.each<[string, object, string, number]>([
  ['a rate limit, after the backoff', { status: 429 }, 'rate_limit', 1_000],
  ['a rate limit, after the wait that the server asks for', { status: 429, retry_after: 7 }, 'rate_limit', 7_000],
  ['a server error', { status: 500 }, 'overloaded', 1_000],
  ['an overloaded server', { status: 503 }, 'overloaded', 1_000],
  ['a timeout of the server', { status: 408 }, 'network', 1_000],
  ['a connection that is reset before the answer', { reset: true, at: 'before_headers' }, 'network', 1_000],
  ['a connection that is reset within the answer', { reset: true, at: 'middle' }, 'network', 1_000],
  ['an answer without an end', { cut: 'before_finish' }, 'cut_off', 1_000],
  ['an error within the answer', { status: 503, at: 'middle' }, 'overloaded', 1_000],
  ['a chunk that is not JSON', { malformed_chunk: true }, 'network', 1_000],
])('repeats a request after %s', async (_name, fault, code, delayMs) => {
  const { events, error } = await ask(fault);
  expect(error).toBeUndefined();
  expect(events.filter(({ type }) => type === 'retry')).toMatchObject([{ attempt: 1, code, delayMs }]);
  expect(textAfterRetry(events)).toBe('A long enough answer.');
  expect(events.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
});

it.each<[string, object, string]>([
  ['400', { status: 400 }, 'bad_request'],
  ['401', { status: 401 }, 'auth'],
  ['403', { status: 403 }, 'bad_request'],
  ['404', { status: 404 }, 'unknown_model'],
  ['413', { status: 413 }, 'context_overflow'],
  ['an exhausted quota', { status: 429, code: 'insufficient_quota', message: QUOTA }, 'bad_request'],
  ['a wait of more than two minutes', { status: 429, retry_after: 121 }, 'rate_limit'],
])('does not repeat a request after %s', async (_name, fault, code) => {
  const { events, error } = await ask(fault);
  expect(events).toEqual([]);
  expect(error).toMatchObject({ code });
});

it('repeats no request when agent.retry_attempts is 0', async () => {
  const { events, error } = await ask({ status: 503 }, 0);
  expect(events).toEqual([]);
  expect(error).toMatchObject({ code: 'overloaded' });
});
