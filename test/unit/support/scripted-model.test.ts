import { describe, expect, it } from 'vitest';
import { ModelError } from '../../../src/agent/errors.ts';
import type { ModelEvent, ModelRequest } from '../../../src/agent/ports/language-model.ts';
import type { Message } from '../../../src/agent/ports/messages.ts';
import { createScriptedModel, type ScriptedAnswer, scriptedCall } from '../../support/fakes/scripted-model.ts';

const never = new AbortController().signal;
const request: ModelRequest = { system: 'Be brief.', messages: [{ role: 'user', content: 'hello' }], tools: [] };

async function collect(stream: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

const rows: readonly (readonly [string, ScriptedAnswer, readonly unknown[]])[] = [
  ['only a finish', {}, [{ type: 'finish', reason: 'stop' }]],
  [
    'text in pieces',
    { text: ['a', 'b'] },
    [
      { type: 'text_delta', text: 'a' },
      { type: 'text_delta', text: 'b' },
      { type: 'finish', reason: 'stop' },
    ],
  ],
  [
    'everything at once',
    {
      reasoning: 'hm',
      text: 'a',
      calls: [scriptedCall('c1', 'read_file', { path: 'a.js' }), scriptedCall('c2', 'read_file', '{"pa')],
      events: [{ type: 'text_delta', text: 'raw' }],
      usage: { inputTokens: 5, outputTokens: 2 },
    },
    [
      { type: 'reasoning_delta', text: 'hm' },
      { type: 'text_delta', text: 'a' },
      { type: 'tool_call_delta', index: 0, id: 'c1', name: 'read_file', arguments: '{"path":"a.js"}' },
      { type: 'tool_call_delta', index: 1, id: 'c2', name: 'read_file', arguments: '{"pa' },
      { type: 'text_delta', text: 'raw' },
      { type: 'usage', inputTokens: 5, outputTokens: 2 },
      { type: 'finish', reason: 'tool_calls' },
    ],
  ],
  [
    'the scripted finish reason',
    { text: 'a', end: 'length' },
    [
      { type: 'text_delta', text: 'a' },
      { type: 'finish', reason: 'length' },
    ],
  ],
  ['no finish', { text: 'a', end: 'none' }, [{ type: 'text_delta', text: 'a' }]],
];

describe('scripted model', () => {
  it.each(rows)('answers with %s', async (_name, answer, expected) => {
    const model = createScriptedModel(answer);
    expect(await collect(model.stream(request, never))).toEqual(expected);
    model.assertExhausted();
  });

  it('throws the scripted error after the pieces before it', async () => {
    const error = new ModelError('overloaded', 'busy');
    const model = createScriptedModel();
    model.enqueue({ text: 'a', end: error });
    const stream = model.stream(request, never)[Symbol.asyncIterator]();
    expect(await stream.next()).toEqual({ done: false, value: { type: 'text_delta', text: 'a' } });
    await expect(stream.next()).rejects.toBe(error);
  });

  it('keeps a copy of each request', async () => {
    const messages: Message[] = [{ role: 'user', content: 'first' }];
    const model = createScriptedModel({});
    await collect(model.stream({ ...request, messages }, never));
    messages.push({ role: 'user', content: 'added later' });
    expect(model.requests).toEqual([{ ...request, messages: [{ role: 'user', content: 'first' }] }]);
  });

  it('rejects a request after its last answer, and reports it at the end', async () => {
    const model = createScriptedModel();
    const problem = 'no answer for request 1: the last of 1 is {"role":"user","content":"hello"}, tools none';
    await expect(collect(model.stream(request, never))).rejects.toThrow(problem);
    await expect(collect(model.stream({ ...request, messages: [] }, never))).rejects.toThrow('2: no messages');
    expect(() => model.assertExhausted()).toThrow(problem);
  });

  it('names the unused answers', () => {
    const model = createScriptedModel({ text: 'left over' });
    expect(() => model.assertExhausted()).toThrow('unused answer: {"text":"left over"}');
  });

  it('stalls until the abort', async () => {
    const controller = new AbortController();
    const model = createScriptedModel({ text: 'a', end: 'stall' });
    const stream = model.stream(request, controller.signal)[Symbol.asyncIterator]();
    await stream.next();
    const stalled = stream.next();
    controller.abort();
    await expect(stalled).rejects.toBe(controller.signal.reason);
    model.assertExhausted();
  });
});
