import { describe, expect, it } from 'vitest';
import type { FinishReason, ModelEvent } from '../../../../src/agent/ports/language-model.ts';
import { createResponsesReader } from '../../../../src/providers/openai-responses/events.ts';
import { callEvents, itemAdded, itemDone, messageEvents, responseEnd } from '../../../support/wires/responses-wire.ts';

const identity = { provider: 'openai', wire: 'openai-responses', model: 'gpt' };

/** The events of these events of the stream; throws when one of them is invalid. */
function read(...stream: readonly unknown[]): readonly ModelEvent[] {
  const reader = createResponsesReader(identity, (text) => text);
  return stream.flatMap((event) => {
    const events = reader.read(event);
    if (events instanceof Promise) throw new Error(JSON.stringify(event));
    return events;
  });
}

const stateOf = (...stream: readonly unknown[]) =>
  read(...stream, responseEnd('stop')).flatMap((event) => (event.type === 'provider_state' ? [event.state.items] : []));

const reasoning = {
  type: 'reasoning',
  summary: [{ type: 'summary_text', text: 'hm' }],
  encrypted_content: 'enc',
};
const summary = (summary_index: number, delta: string) => [
  { type: 'response.reasoning_summary_part.added', output_index: 0, summary_index },
  { type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index, delta },
];

describe('createEventReader', () => {
  it('reads reasoning, text and calls in order, and numbers the calls', () => {
    expect(
      read(
        ...summary(0, 'hm'),
        itemDone(0, reasoning),
        ...messageEvents(1, ['H', 'i']),
        ...callEvents(2, 'a', 'read_file', '{}'),
        ...callEvents(3, 'b', 'read_file', '{}'),
        responseEnd('tool_calls', { input_tokens: 10, output_tokens: 7, input_tokens_details: { cached_tokens: 3 } }),
      ),
    ).toEqual([
      { type: 'reasoning_delta', text: 'hm' },
      { type: 'text_delta', text: 'H' },
      { type: 'text_delta', text: 'i' },
      { type: 'tool_call_delta', index: 0, id: 'a', name: 'read_file', arguments: '' },
      { type: 'tool_call_delta', index: 0, arguments: '{}' },
      { type: 'tool_call_delta', index: 1, id: 'b', name: 'read_file', arguments: '' },
      { type: 'tool_call_delta', index: 1, arguments: '{}' },
      { type: 'provider_state', state: { model: 'openai/openai-responses/gpt', items: [reasoning] } },
      { type: 'usage', inputTokens: 10, outputTokens: 7, cachedTokens: 3 },
      { type: 'finish', reason: 'tool_calls' },
    ]);
  });

  it('reads places that are texts', () => {
    const call = { type: 'function_call', call_id: 'a', name: 'read_file', arguments: '' };
    const part = (summary_index: string) => ({ type: 'response.reasoning_summary_part.added', summary_index });
    expect(
      read(
        part('0'),
        part('1'),
        { type: 'response.output_item.added', output_index: '0', item: call },
        { type: 'response.function_call_arguments.delta', output_index: '0', delta: '{}' },
      ),
    ).toEqual([
      { type: 'reasoning_delta', text: '\n\n' },
      { type: 'tool_call_delta', index: 0, id: 'a', name: 'read_file', arguments: '' },
      { type: 'tool_call_delta', index: 0, arguments: '{}' },
    ]);
  });

  it('reads whole texts and arguments of which no piece has come', () => {
    const call = { type: 'function_call', call_id: 'a', name: 'read_file', arguments: '' };
    const whole = { type: 'response.function_call_arguments.done', output_index: 1, arguments: '{}' };
    expect(
      read(
        { type: 'response.refusal.done', output_index: 0, refusal: 'No.' },
        { type: 'response.output_text.done', output_index: 0, text: 'No.' },
        { type: 'response.output_text.done', output_index: 2, text: { format: 'x' } },
        { type: 'response.function_call_arguments.done', output_index: 1, arguments: '{}' },
        itemAdded(1, call),
        whole,
        whole,
      ),
    ).toEqual([
      { type: 'text_delta', text: 'No.' },
      { type: 'tool_call_delta', index: 0, id: 'a', name: 'read_file', arguments: '' },
      { type: 'tool_call_delta', index: 0, arguments: '{}' },
    ]);
  });

  it('separates the parts of a summary, and reads the plain reasoning of open models or its summary, not both', () => {
    const plain = { type: 'response.reasoning_text.delta', output_index: 0, delta: 'c' };
    const texts = (...events: Parameters<typeof read>): readonly string[] =>
      read(...events).map((event) => (event.type === 'reasoning_delta' ? event.text : ''));
    expect(texts(...summary(0, 'a'), ...summary(1, 'b'), plain)).toEqual(['a', '\n\n', 'b']);
    expect(texts(plain, ...summary(0, 'c'))).toEqual(['c']);
  });

  it('reads a refusal as text', () => {
    const refusal = { type: 'response.refusal.delta', output_index: 0, delta: 'No.' };
    const item = { type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] };
    expect(read(itemAdded(0, item), refusal, itemDone(0, item))).toEqual([{ type: 'text_delta', text: 'No.' }]);
    expect(read(itemDone(0, item))).toEqual([{ type: 'text_delta', text: 'No.' }]);
  });

  it('reads complete items of servers that send no deltas', () => {
    const message = { type: 'message', content: [{ type: 'output_text', text: 'Hi' }] };
    const call = { type: 'function_call', call_id: 'a', name: 'read_file', arguments: '{}' };
    expect(read(itemAdded(0, { type: 'message' }), itemDone(0, message), itemDone(1, call))).toEqual([
      { type: 'text_delta', text: 'Hi' },
      { type: 'tool_call_delta', index: 0, id: 'a', name: 'read_file', arguments: '{}' },
    ]);
    expect(read(itemAdded(0, { ...call, arguments: '' }), itemDone(0, call))).toEqual([
      { type: 'tool_call_delta', index: 0, id: 'a', name: 'read_file', arguments: '' },
      { type: 'tool_call_delta', index: 0, arguments: '{}' },
    ]);
    expect(read(itemDone(0, { type: 'function_call' }), itemDone(0, { type: 'function_call' }))).toEqual([
      { type: 'tool_call_delta', index: 0, arguments: '' },
    ]);
  });

  it.each<[string, readonly object[]]>([
    ['other events', [{ type: 'response.created' }, { type: 'response.audio.delta', delta: { data: 'x' } }]],
    [
      'other items',
      [
        itemAdded(0, { type: 'web_search_call' }),
        itemDone(0, { type: 'web_search_call' }),
        itemDone(1, {
          type: 'message',
        }),
      ],
    ],
    ['events without an item', [{ type: 'response.output_item.added' }, { type: 'response.output_item.done' }]],
    [
      'empty deltas and arguments of no call',
      [
        { type: 'response.output_text.delta', delta: '' },
        { type: 'response.reasoning_text.delta' },
        { type: 'response.function_call_arguments.delta', delta: null },
        { type: 'response.function_call_arguments.delta', output_index: 4, delta: '{' },
      ],
    ],
  ])('ignores %s', (_name, events) => {
    expect(read(...events)).toEqual([]);
  });

  it('reads text of an item that never began', () => {
    const delta = { type: 'response.output_text.delta', delta: 'Hi' };
    expect(read(delta, delta)).toEqual([
      { type: 'text_delta', text: 'Hi' },
      { type: 'text_delta', text: 'Hi' },
    ]);
  });

  it.each<FinishReason>(['stop', 'length', 'content_filter'])('finishes with %s', (reason) => {
    expect(read(responseEnd(reason))).toEqual([{ type: 'finish', reason }]);
  });

  it('does not finish with a response that was cancelled', () => {
    expect(() => read({ type: 'response.cancelled', response: {} })).toThrow(
      expect.objectContaining({ failure: { type: 'stopped', reason: 'cancelled', detail: '' } }),
    );
  });

  it('reads a whole response', () => {
    const output = [
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] },
      { type: 'message', content: [{ type: 'output_text', text: 'Hi' }] },
      { type: 'function_call', call_id: 'a', name: 'read_file', arguments: '{}' },
    ];
    expect(read({ object: 'response', status: 'completed', output })).toEqual([
      { type: 'reasoning_delta', text: 'Hm.' },
      { type: 'text_delta', text: 'Hi' },
      { type: 'tool_call_delta', index: 0, id: 'a', name: 'read_file', arguments: '{}' },
      expect.objectContaining({ type: 'provider_state' }),
      { type: 'finish', reason: 'tool_calls' },
    ]);
    expect(read({ object: 'response', output: [{ type: 'web_search_call' }] })).toEqual([
      { type: 'finish', reason: 'stop' },
    ]);
    expect(read({ object: 'response' })).toEqual([{ type: 'finish', reason: 'stop' }]);
    expect(read({ type: 'response.completed' })).toEqual([{ type: 'finish', reason: 'stop' }]);
  });

  it('finishes without details', () => {
    expect(() => read({ type: 'response.incomplete' })).toThrow(
      expect.objectContaining({ failure: { type: 'stopped', reason: 'incomplete', detail: '' } }),
    );
    expect(read({ type: 'response.completed', response: { usage: { input_tokens: 1, output_tokens: 2 } } })).toEqual([
      { type: 'usage', inputTokens: 1, outputTokens: 2 },
      { type: 'finish', reason: 'stop' },
    ]);
  });

  it('keeps encrypted and plain reasoning and its summary, and none that only the server has', () => {
    const plain = { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'a' }] };
    expect(stateOf(itemDone(1, plain), itemDone(0, { ...reasoning, id: 'rs_1', status: 'completed' }))).toEqual([
      [reasoning, plain],
    ]);
    const summary = { ...reasoning, encrypted_content: null };
    expect(stateOf(itemDone(0, summary), itemDone(1, { type: 'reasoning' }))).toEqual([[summary]]);
  });

  it('keeps the phase of a text, and the places before later reasoning', () => {
    const call = callEvents(1, 'a', 'read_file', '{}');
    const text = messageEvents(0, ['Hello'], { phase: 'commentary' });
    expect(stateOf(...text, ...call)).toEqual([[{ type: 'text_place', length: 5, phase: 'commentary' }]]);
    expect(stateOf(...messageEvents(0, ['Hello'], { phase: 'later' }), ...call, itemDone(2, reasoning))).toEqual([
      [{ type: 'text_place', length: 5 }, { type: 'call_place' }, reasoning],
    ]);
  });

  it('takes events without their positions for the first', () => {
    const added = { type: 'response.output_item.added', item: { type: 'message', phase: 1 } };
    const delta = { type: 'response.output_text.delta', delta: 'a' };
    const done = { type: 'response.output_item.done', item: { type: 'message', content: [{ text: 'a' }] } };
    expect(read({ type: 'response.reasoning_summary_part.added' }, added, delta, { ...delta, delta: 1 }, done)).toEqual(
      [{ type: 'text_delta', text: 'a' }],
    );
  });

  it('reports the failure of a response, and what is wrong with a value', async () => {
    const reader = createResponsesReader(identity, (text) => text.replace('sk-1', '[key]'));
    const error = { code: 'server_error', message: 'Oops sk-1.' };
    const failure = (detail: string) =>
      expect.objectContaining({ failure: { type: 'in_stream', code: 'overloaded', detail } });
    expect(() => reader.read({ type: 'response.failed', response: { error } })).toThrow(failure('Oops [key]'));
    expect(() => reader.read({ type: 'response.failed' })).toThrow(failure(''));
    await expect(reader.read(7)).rejects.toMatchObject({
      failure: { type: 'garbled', detail: expect.stringContaining('Invalid input') },
    });
  });
});
