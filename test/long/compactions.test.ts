import { describe, expect, it } from 'vitest';
import { fitIntoWindow } from '../../src/context/fit-into-window.ts';
import { runAgent } from '../../src/core/agent-loop.ts';
import { ModelError } from '../../src/core/errors.ts';
import { repairHistory } from '../../src/core/repair-history.ts';
import type { AgentSettings } from '../../src/core/run-input.ts';
import { applyEvent, EMPTY_SESSION } from '../../src/core/session-state.ts';
import type { AgentEvent } from '../../src/ports/events.ts';
import type { LanguageModel, ModelRequest } from '../../src/ports/language-model.ts';
import type { Message } from '../../src/ports/messages.ts';
import { allowAll } from '../support/agent-harness.ts';
import { prefixProblems } from '../support/byte-prefix.ts';
import { createFakeSessionFiles } from '../support/fake-session-files.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { SCRIPTED } from '../support/scripted-model.ts';
import { result, scriptedTools } from '../support/scripted-tools.ts';

const RUNS = 30;
const TURNS_PER_RUN = 10;
const SYSTEM = 'You are under test.';

/** Numbers from 0 to below 1, the same in every run of the test. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A model that calls tools in every turn but the last of a run, and counts tokens as real ones do. */
function createModel(window: number, tokensPerCharacter: number) {
  const random = randomNumbers(7);
  const requests: ModelRequest[] = [];
  const refused = new Set<number>();
  let turn = 0;
  let summaries = 0;
  const model: LanguageModel = {
    identity: SCRIPTED,
    async *stream(request) {
      const inputTokens = Math.ceil(JSON.stringify(request).length * tokensPerCharacter);
      if (request.system !== SYSTEM) {
        summaries += 1;
        if (summaries % 3 === 0) throw new ModelError('overloaded', 'Try later.');
        yield { type: 'text_delta', text: `Summary ${summaries}. ${'It went on. '.repeat(20)}` };
        yield { type: 'usage', inputTokens, outputTokens: 100 };
        return yield { type: 'finish', reason: 'stop' };
      }
      requests.push(request);
      if (inputTokens > window) {
        refused.add(requests.length - 1);
        throw new ModelError('context_overflow', `${inputTokens} tokens are too many.`);
      }
      turn += 1;
      yield { type: 'text_delta', text: `Turn ${turn}. ${'Hm. '.repeat(random() * 50)}` };
      if (turn % TURNS_PER_RUN > 0) {
        const calls = 1 + Math.floor(random() * 3);
        for (let index = 0; index < calls; index += 1) {
          const args = JSON.stringify({ length: Math.floor(random() ** 3 * 20_000), text: 'y'.repeat(random() * 500) });
          yield { type: 'tool_call_delta', index, id: `c${turn}.${index}`, name: 'read', arguments: args };
        }
      }
      yield { type: 'usage', inputTokens, outputTokens: 100 };
      yield { type: 'finish', reason: turn % TURNS_PER_RUN > 0 ? 'tool_calls' : 'stop' };
    },
  };
  return { model, requests, refused };
}

async function playSession(window: number, tokensPerCharacter: number) {
  const { model, requests, refused } = createModel(window, tokensPerCharacter);
  const files = createFakeSessionFiles();
  const read = {
    async *run(args: unknown) {
      const length = typeof args === 'object' && args !== null && 'length' in args ? Number(args.length) : 0;
      return result('z'.repeat(length));
    },
  };
  const settings: AgentSettings = {
    system: SYSTEM,
    maxIterations: 25,
    dryRun: false,
    decide: allowAll,
    prepareRequest: fitIntoWindow({ maxTokens: window, threshold: 0.95, maxAnswerTokens: 1_000, files }),
    session: { sessionId: 's', model: 'm', workspace: '/w', permissionMode: 'ask' },
  };
  const ports = {
    model,
    tools: scriptedTools({ read }),
    approver: { decide: () => Promise.reject(new Error('asked')) },
    clock: createManualClock(),
  };
  const session = { state: EMPTY_SESSION };
  const events: AgentEvent[] = [];
  /** The state after each event, without any compaction. */
  let whole = EMPTY_SESSION;
  const restarts = new Set<number>();
  const { signal } = new AbortController();
  for (let run = 1; run <= RUNS; run += 1) {
    for await (const event of runAgent({ prompt: `Prompt ${run}.`, session, signal }, ports, settings)) {
      events.push(event);
      if (event.type === 'compaction') restarts.add(requests.length);
      else whole = applyEvent(whole, event);
    }
  }
  return { events, requests, refused, restarts, files, whole, state: session.state };
}

/** What is wrong with the messages of one request: each must be one of the session, or stand for some of them. */
function faultsOf(
  messages: readonly Message[],
  { files, whole }: Awaited<ReturnType<typeof playSession>>,
  known: ReadonlySet<string>,
): readonly string[] {
  const faults: string[] = [];
  if (JSON.stringify(repairHistory(messages)) !== JSON.stringify(messages)) faults.push('the history needs repair');
  if (JSON.stringify(messages[0]) !== JSON.stringify(whole.messages[0]))
    faults.push('the first message is not the first prompt');
  for (const [index, message] of messages.entries()) {
    if (known.has(JSON.stringify(message))) continue;
    if (message.role === 'user' && message.summary === true && index === 1) continue;
    const original =
      message.role === 'tool'
        ? whole.messages.find((other) => other.role === 'tool' && other.toolCallId === message.toolCallId)?.content
        : undefined;
    const [, length, file = ''] =
      /^\[Output of (\d+) characters, moved to (.*) to save space\.\]$/.exec(message.content) ?? [];
    const text = length === undefined ? message.content : (files.saved.get(file) ?? '');
    const isWhole = text === original && text.length === Number(length);
    if (!isWhole && !isTruncated(text, original))
      faults.push(`message ${index} is new: ${message.content.slice(0, 80)}`);
  }
  return faults;
}

/** True for a text that was truncated in the middle. */
function isTruncated(text: string, original: string | undefined): boolean {
  const [start = '', end] = text.split(/\n\[… \d+ characters omitted …\]\n/);
  return end !== undefined && original?.startsWith(start) === true && original.endsWith(end);
}

describe('a session of 300 turns', () => {
  it.each([
    ['a model with few tokens per character', 16_000, 0.2],
    ['a model with many tokens per character', 16_000, 0.6],
    ['a small window', 4_000, 0.25],
    ['a large window', 100_000, 0.25],
  ])('goes on to its end with %s, and every request is whole', async (_name, window, tokensPerCharacter) => {
    const played = await playSession(window, tokensPerCharacter);
    const { events, requests, refused, restarts, whole, state } = played;
    const ends = events.flatMap((event) => (event.type === 'run_end' ? [event.outcome] : []));
    expect(ends).toEqual(Array(RUNS).fill('done'));
    const turns = events.filter(({ type }) => type === 'turn_end');
    expect(turns).toHaveLength(RUNS * TURNS_PER_RUN);
    expect(requests.length - refused.size).toBe(turns.length);
    // A refused request is repeated in a shorter form, so a few are harmless: most must fit at once.
    expect(refused.size).toBeLessThanOrEqual(3);
    expect(restarts.size).toBeGreaterThanOrEqual(5);
    expect(prefixProblems(requests, restarts)).toEqual([]);
    const known = new Set(whole.messages.map((message) => JSON.stringify(message)));
    const faults = requests.flatMap(({ messages }, index) =>
      faultsOf(messages, played, known).map((fault) => `request ${index}: ${fault}`),
    );
    expect(faults).toEqual([]);
    // The events alone restore the session exactly.
    expect(events.reduce(applyEvent, EMPTY_SESSION)).toEqual(state);
  });
});
