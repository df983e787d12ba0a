import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type {
  LanguageModel,
  ModelEvent,
  ModelRequest,
  TokenUsage,
} from '../../../../src/agent/ports/language-model.ts';
import { computeDigest } from '../../../../src/node/system.ts';
import { answerKey, hidePlaces, withoutVolatile } from '../../../../src/stories/evaluation/answer-key.ts';
import { createEvaluationStore } from '../../../../src/stories/evaluation/evaluation-store.ts';
import { type Answer, rememberAnswers } from '../../../../src/stories/evaluation/remember-answers.ts';
import { configOf } from '../../../support/agent/config-of.ts';
import { createMemoryFileSystem } from '../../../support/fakes/memory-file-system.ts';
import { resultOf } from '../../../support/stories/evaluation-results.ts';

const { llm } = configOf();
const identity = { provider: 'p', wire: 'w', model: 'm' };
const placesIn = (path: string) => [{ path, name: '<workspace>' }];
const facts = { llm, source: undefined, run: 1, places: placesIn('/tmp/ybs-story-1') };

const request = (text: string, system = 'Work in /tmp/ybs-story-1.'): ModelRequest => ({
  system,
  messages: [{ role: 'user', content: text }],
  tools: [],
});

describe('the key of an answer', () => {
  const key = (text: string, rest: Partial<Parameters<typeof answerKey>[1]> = {}, system?: string) =>
    answerKey(request(text, system), { ...facts, identity, ...rest }, computeDigest);

  it('is equal for equal requests, regardless of the directory of the run and the duration of commands', () => {
    const other = { places: placesIn('/tmp/ybs-story-2') };
    expect(key('go', other, 'Work in /tmp/ybs-story-2.')).toBe(key('go'));
    expect(key('# duration_ms 12.3\nok (4 ms)')).toBe(key('# duration_ms 9\nok (38.5ms)'));
  });

  it.each<readonly [string, string]>([
    ['another text', key('stop')],
    ['another system prompt', key('go', {}, 'Be brief.')],
    ['another run', key('go', { run: 2 })],
    ['another model', key('go', { identity: { ...identity, model: 'n' } })],
    ['another temperature', key('go', { llm: { ...llm, temperature: 1 } })],
    ['another scenario', key('go', { source: { scenarios: [] } })],
  ])('differs with %s', (_name, other) => {
    expect(other).not.toBe(key('go'));
  });

  it('keeps numbers that are not durations', () => {
    expect(withoutVolatile('line 12 of 5 files, 3 tests', [])).toBe('line 12 of 5 files, 3 tests');
    expect(hidePlaces(String.raw`{"a":"C:\\work\\b"}`, [{ path: String.raw`C:\work`, name: '<w>' }])).toBe(
      String.raw`{"a":"<w>\\b"}`,
    );
  });
});

describe('a model with a cache of answers', () => {
  const call = (text: string): ModelEvent => ({ type: 'tool_call_delta', index: 0, arguments: text });
  const usage: ModelEvent = { type: 'usage', inputTokens: 90, outputTokens: 10 };
  const finish: ModelEvent = { type: 'finish', reason: 'stop' };

  function remember(events: readonly ModelEvent[], answers = new Map<string, Answer>()) {
    const asked: TokenUsage[] = [];
    const cached: number[] = [];
    let [time, requests] = [0, 0];
    const model: LanguageModel = {
      identity,
      async *stream() {
        requests += 1;
        yield* events;
      },
    };
    const ask = async (workspace = '/tmp/ybs-story-1', system?: string) => {
      const remembered = rememberAnswers(
        model,
        { ...facts, places: () => placesIn(workspace) },
        {
          readAnswer: async (key) => answers.get(key),
          writeAnswer: async (key, answer) => void answers.set(key, answer),
          digest: computeDigest,
          now: () => (time += 500),
          onCached: (durationMs) => cached.push(durationMs),
          onAsked: (spent) => asked.push(spent),
        },
      );
      const stream = remembered.stream(request('go', system), new AbortController().signal);
      const received: ModelEvent[] = [];
      for await (const event of stream) received.push(event);
      return received;
    };
    return { ask, asked, cached, answers, requests: () => requests };
  }

  it('answers a repeated request from the cache, in the directory of each run', async () => {
    const script = remember([
      { type: 'reasoning_delta', text: 'I ' },
      { type: 'reasoning_delta', text: 'think.' },
      { type: 'text_delta', text: 'See /tmp/ybs-st' },
      { type: 'text_delta', text: 'ory-1/a.' },
      { type: 'tool_call_delta', index: 0, id: 'c1', name: 'read_file', arguments: '{"path":"/tmp/ybs-' },
      call('story-1/a"}'),
      usage,
      finish,
    ]);
    expect(await script.ask()).toHaveLength(8);
    expect(await script.ask('/tmp/x2', 'Work in /tmp/x2.')).toEqual([
      { type: 'reasoning_delta', text: 'I think.' },
      { type: 'text_delta', text: 'See /tmp/x2/a.' },
      { type: 'tool_call_delta', index: 0, id: 'c1', name: 'read_file', arguments: '{"path":"/tmp/x2/a"}' },
      usage,
      finish,
    ]);
    expect([script.requests(), script.asked, script.cached]).toEqual([1, [usage], [500]]);
  });

  it('does not store text that a retry withdrew', async () => {
    const retry: ModelEvent = { type: 'retry', attempt: 1, delayMs: 1, code: 'network', message: '' };
    const script = remember([
      { type: 'text_delta', text: 'half' },
      retry,
      { type: 'text_delta', text: 'whole' },
      finish,
    ]);
    expect(await script.ask()).toHaveLength(4);
    expect(await script.ask()).toEqual([{ type: 'text_delta', text: 'whole' }, finish]);
  });

  it('stores only complete answers, and estimates tokens that the provider does not count', async () => {
    const script = remember([{ type: 'text_delta', text: 'cut' }]);
    await script.ask();
    await script.ask();
    expect([script.requests(), script.answers.size]).toEqual([2, 0]);
    expect(script.asked[0]?.inputTokens).toBeGreaterThan(10);
  });
});

describe('the store of an evaluation', () => {
  const answer: Answer = { durationMs: 5, events: [{ type: 'finish', reason: 'stop' }] };

  function open() {
    const memory = createMemoryFileSystem();
    return { ...memory, store: createEvaluationStore('/cache/eval', path.posix.join, memory.fileSystem) };
  }

  it('keeps answers and runs in files that only their owner may read', async () => {
    const { store, fileSystem } = open();
    expect(await store.readAnswer('k1')).toBeUndefined();
    await store.writeAnswer('k1', answer);
    await store.writeRun('r1', resultOf());
    expect(await store.readAnswer('k1')).toEqual(answer);
    expect(await store.readRun('r1')).toEqual(resultOf());
    expect((await fileSystem.stat('/cache/eval/answers/k1.json')).mode & 0o777).toBe(0o600);
    expect((await fileSystem.stat('/cache/eval/answers')).mode & 0o777).toBe(0o700);
    await store.removeRun('r1');
    expect(await store.readRun('r1')).toBeUndefined();
  });

  it.each(['', '{', '{"durationMs":1}', '{"durationMs":1,"events":[{"type":"later"}]}'])(
    'treats the damaged file %j as missing',
    async (text) => {
      const { store, fileSystem } = open();
      await store.writeAnswer('k1', answer);
      await fileSystem.replaceFile('/cache/eval/answers', 'k1.json', new TextEncoder().encode(text));
      expect(await store.readAnswer('k1')).toBeUndefined();
    },
  );

  it('removes old answers', async () => {
    const { store, fileSystem } = open();
    await store.removeOld(0);
    await store.writeAnswer('k1', answer);
    const { modifiedMs } = await fileSystem.stat('/cache/eval/answers/k1.json');
    await store.removeOld(modifiedMs);
    expect(await store.readAnswer('k1')).toEqual(answer);
    await store.removeOld(modifiedMs + 1);
    expect(await store.readAnswer('k1')).toBeUndefined();
  });
});
