import { describe, expect, it } from 'vitest';
import { createLineReader } from '../../../../src/providers/ollama-chat/lines.ts';

function events(...lines: readonly unknown[]): readonly object[] {
  const reader = createLineReader();
  return lines.flatMap((line): readonly object[] => [reader.read(line)].flat());
}
const call = (name: string, more: object = {}) => ({ function: { name, ...more } });

describe('the lines of an answer', () => {
  it('become reasoning, text and calls in this order', () => {
    const message = {
      thinking: 'hm',
      content: 'a',
      tool_calls: [{ id: 'c1', ...call('now', { arguments: { x: 1 } }) }],
    };
    expect(events({ message })).toEqual([
      { type: 'reasoning_delta', text: 'hm' },
      { type: 'text_delta', text: 'a' },
      { type: 'tool_call_delta', index: 0, id: 'c1', name: 'now', arguments: '{"x":1}' },
    ]);
  });

  it('give every call its own index, whatever the server writes', () => {
    const lines = [
      { message: { tool_calls: [call('a', { index: 0 }), call('b')] } },
      { message: { tool_calls: [call('c')] } },
    ];
    expect(events(...lines)).toEqual(
      ['a', 'b', 'c'].map((name, index) => ({ type: 'tool_call_delta', index, name, arguments: '{}' })),
    );
  });

  it('keep arguments that arrive as text', () => {
    const line = { message: { tool_calls: [{ id: '', ...call('now', { arguments: '{"x"' }) }] } };
    expect(events(line)).toEqual([{ type: 'tool_call_delta', index: 0, name: 'now', arguments: '{"x"' }]);
  });

  it('add nothing when their parts are empty', () => {
    expect(events({}, { message: null }, { message: { content: '', thinking: null }, done: false })).toEqual([]);
  });

  it('end with usage and a finish reason', () => {
    const end = { done: true, done_reason: 'stop', prompt_eval_count: 12, eval_count: 3 };
    expect(events(end)).toEqual([
      { type: 'usage', inputTokens: 12, outputTokens: 3 },
      { type: 'finish', reason: 'stop' },
    ]);
    expect(events({ done: true, prompt_eval_count: 12 })[0]).toEqual({
      type: 'usage',
      inputTokens: 12,
      outputTokens: 0,
    });
  });

  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    [undefined, 'stop'],
  ])('translate the reason %s to %s', (done_reason, reason) => {
    expect(events({ done: true, done_reason })).toEqual([{ type: 'finish', reason }]);
  });

  it('report calls in the finish reason', () => {
    const lines = [{ message: { tool_calls: [call('now')] } }, { done: true, done_reason: 'stop' }];
    expect(events(...lines).at(-1)).toEqual({ type: 'finish', reason: 'tool_calls' });
  });

  it.each([[null], [[]], ['a'], [{ message: { tool_calls: [{ function: {} }] } }]])(
    'may be invalid: %j',
    async (line) => {
      await expect(createLineReader().read(line)).rejects.toMatchObject({
        failure: { type: 'garbled', detail: expect.stringContaining('Invalid') },
      });
    },
  );
});
