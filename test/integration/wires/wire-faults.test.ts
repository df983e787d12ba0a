import { describe, expect, it } from 'vitest';
import type { ModelEvent } from '../../../src/agent/ports/language-model.ts';
import { systemClock } from '../../../src/node/system.ts';
import { listModels } from '../../../src/providers/list-models.ts';
import type { WireOptions } from '../../../src/providers/wire-options.ts';
import { loadWire, WIRE_NAMES, WIRES, type Wire } from '../../../src/providers/wires.ts';
import { collect } from '../../support/contracts/language-model.ts';
import { serveScenarios } from '../../support/wires/serve-scenarios.ts';

const never = new AbortController().signal;
const PARTIAL = /^One two/;
const NOTHING = /^$/;

/** Faults of the server, the error of the model, and the text before it. */
const faults = [
  ['a limit', { status: 429, retry_after: 7 }, { code: 'rate_limit', retryAfterMs: 7_000 }, NOTHING],
  ['an invalid key', { status: 401 }, { code: 'auth' }, NOTHING],
  ['an unknown model', { status: 404 }, { code: 'unknown_model' }, NOTHING],
  ['an overloaded server', { status: 503 }, { code: 'overloaded' }, NOTHING],
  ['an error in the stream', { status: 503, at: 'middle' }, { code: 'overloaded' }, PARTIAL],
  ['a broken connection', { reset: true, at: 'middle' }, { code: 'network' }, PARTIAL],
  ['a stream that ends early', { cut: 'before_finish' }, { code: 'cut_off' }, PARTIAL],
  ['half a chunk', { malformed_chunk: true }, { code: 'network' }, /^/],
] as const;

const served = serveScenarios([
  ...faults.map(([name, fault]) => ({
    name,
    trigger: name,
    steps: [{ response: { content: 'One two three four five six.' }, fault: { ...fault } }],
  })),
  {
    name: 'control events',
    trigger: 'keep me waiting',
    steps: [{ response: { content: 'One two three.' }, fault: { control_events: true } }],
  },
  {
    name: 'calls',
    trigger: 'call both',
    steps: [
      {
        response: { reasoning: 'Two.', tool_calls: [{ name: 'now', arguments: { a: 1 } }, { name: 'now' }] },
        fault: { missing_call_id: true },
      },
    ],
  },
]);

const optionsOf = (wire: Wire) => ({
  provider: 'mock',
  label: 'The mock',
  endpoint: `${served.url}${WIRES[wire].basePath}`,
  model: 'mock-model',
  maxTokens: 100,
  timeoutMs: 10_000,
  clock: systemClock,
});

const open = async (wire: Wire, changed: Partial<WireOptions> = {}) =>
  (await loadWire(wire))({ ...optionsOf(wire), ...changed });

const ask = (content: string) => ({ system: '', messages: [{ role: 'user', content } as const], tools: [] });

describe.each(['gemini', 'ollama-chat'] as const)('%s before the mock server', (wire) => {
  it.each(faults)('reports %s', async (name, _fault, error, text) => {
    const events: ModelEvent[] = [];
    const model = await open(wire);
    await expect(collect(model.stream(ask(name), never), events)).rejects.toMatchObject(error);
    expect(events.flatMap((event) => (event.type === 'text_delta' ? [event.text] : [])).join('')).toMatch(text);
  });

  it('reads calls without ids', async () => {
    const model = await open(wire);
    expect(await collect(model.stream(ask('call both'), never))).toMatchObject([
      // Gemini sends thoughts only where they are asked for.
      ...(wire === 'gemini' ? [] : [{ type: 'reasoning_delta', text: 'Two.' }]),
      { type: 'tool_call_delta', index: 0, name: 'now', arguments: '{"a":1}' },
      { type: 'tool_call_delta', index: 1, name: 'now', arguments: '{}' },
      ...(wire === 'gemini' ? [{ type: 'provider_state' }] : []),
      { type: 'usage', inputTokens: expect.any(Number), outputTokens: expect.any(Number) },
      { type: 'finish', reason: 'tool_calls' },
    ]);
  });

  it('lists the models and knows the window', async () => {
    const model = await open(wire);
    expect((await model.contextWindow?.(never))?.tokens).toBeGreaterThan(100_000);
    expect(await listModels(wire, { ...optionsOf(wire), model: '' }, never)).not.toEqual([]);
  });
});

it.each(WIRE_NAMES)('%s reads past comments and events without data', async (wire) => {
  const model = await open(wire);
  const events = await collect(model.stream(ask('keep me waiting'), never));
  expect(events.flatMap((event) => (event.type === 'text_delta' ? [event.text] : [])).join('')).toBe('One two three.');
  expect(events.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
});

it('takes the window of a small local model from the server', async () => {
  const model = await open('ollama-chat', { model: 'small:2k', maxContextTokens: 32_000 });
  expect(await model.contextWindow?.(never)).toEqual({ tokens: 2_048 });
  const stream = model.stream(ask('a limit '.repeat(2_000)), never);
  await expect(collect(stream)).rejects.toMatchObject({ code: 'context_overflow' });
});

it('recognizes a conversation that is too long for the window of Ollama', async () => {
  const model = await open('ollama-chat', { model: 'small', maxContextTokens: 50 });
  const stream = model.stream(ask('a limit '.repeat(100)), never);
  const message = expect.stringContaining('exceeds the available context size (50 tokens)');
  await expect(collect(stream)).rejects.toMatchObject({ code: 'context_overflow', message });
});
