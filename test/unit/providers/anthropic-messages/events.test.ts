import { describe, expect, it } from 'vitest';
import type { ModelEvent } from '../../../../src/agent/ports/language-model.ts';
import { createMessagesReader } from '../../../../src/providers/anthropic-messages/events.ts';
import { blockEvents, messageEnd, messageStart } from '../../../support/wires/anthropic-wire.ts';

const identity = { provider: 'anthropic', wire: 'anthropic-messages', model: 'claude' };

/** The events of these events of the stream; throws when one of them is invalid. */
function read(...events: readonly unknown[]): readonly ModelEvent[] {
  const reader = createMessagesReader(identity);
  return events.flatMap((event) => {
    const result = reader.read(event);
    if (result instanceof Promise) throw new Error('this is not an event');
    return result;
  });
}

const thinking = (index: number, text: string, signature?: string) =>
  blockEvents(
    index,
    { type: 'thinking', thinking: '', signature: '' },
    { type: 'thinking_delta', thinking: text },
    ...(signature === undefined ? [] : [{ type: 'signature_delta', signature }]),
  );
const words = (index: number, text: string) =>
  blockEvents(index, { type: 'text', text: '' }, { type: 'text_delta', text });
const call = (index: number, id: string) =>
  blockEvents(
    index,
    { type: 'tool_use', id, name: 'read_file', input: {} },
    { type: 'input_json_delta', partial_json: '{}' },
  );

/** The items of the state at the end of an answer. */
const stateOf = (...events: readonly unknown[]) =>
  read(...events).flatMap((event) => (event.type === 'provider_state' ? [event.state] : []));

const callWithInput = (input: unknown, ...deltas: readonly object[]) =>
  blockEvents(0, { type: 'tool_use', id: 'a', name: 'read_file', input }, ...deltas);

describe('createEventReader', () => {
  it.each([
    ['whole', callWithInput({ path: 'a' }), '{"path":"a"}'],
    ['in pieces', callWithInput({}, { type: 'input_json_delta', partial_json: '{"path":"a"}' }), '{"path":"a"}'],
    [
      'whole and in pieces once',
      callWithInput({ path: 'a' }, { type: 'input_json_delta', partial_json: '{"path":"a"}' }),
      '{"path":"a"}',
    ],
    ['as JSON in a text', callWithInput('{"path":"a"}'), '{"path":"a"}'],
    ['as another value not at all', callWithInput(7), ''],
    ['not sent as none', callWithInput(null), ''],
  ])('reads arguments %s', (_name, events, expected) => {
    const parts = read(messageStart(), ...events, ...messageEnd('tool_use'));
    const texts = parts.flatMap((event) => (event.type === 'tool_call_delta' ? [event.arguments] : []));
    expect(texts.join('')).toBe(expected);
  });

  it('reads reasoning, text and calls in order, and numbers the calls', () => {
    expect(
      read(
        messageStart(),
        ...thinking(0, 'hm', 'sig'),
        ...words(1, 'Hi'),
        ...call(2, 'a'),
        ...call(3, 'b'),
        ...messageEnd('tool_use'),
      ),
    ).toMatchObject([
      { type: 'reasoning_delta', text: 'hm' },
      { type: 'text_delta', text: 'Hi' },
      { type: 'tool_call_delta', index: 0, id: 'a', name: 'read_file', arguments: '' },
      { type: 'tool_call_delta', index: 0, arguments: '{}' },
      { type: 'tool_call_delta', index: 1, id: 'b', name: 'read_file', arguments: '' },
      { type: 'tool_call_delta', index: 1, arguments: '{}' },
      { type: 'provider_state' },
      { type: 'usage' },
      { type: 'finish', reason: 'tool_calls' },
    ]);
  });

  it('reads text that a block starts with, and a call without id and name', () => {
    const [start] = call(1, '');
    expect(read({ type: 'content_block_start', content_block: { type: 'text', text: 'Hi' } }, start)).toEqual([
      { type: 'text_delta', text: 'Hi' },
      { type: 'tool_call_delta', index: 0, name: 'read_file', arguments: '' },
    ]);
    expect(read({ type: 'content_block_start', content_block: { type: 'tool_use' } })).toEqual([
      { type: 'tool_call_delta', index: 0, arguments: '' },
    ]);
  });

  it.each<[string, readonly unknown[]]>([
    ['pings', [{ type: 'ping' }]],
    [
      'events of a later version',
      [{ type: 'message_pause' }, { type: 'content_block_start' }, { type: 'content_block_delta' }],
    ],
    ['blocks of a later version', blockEvents(0, { type: 'server_tool_use' }, { type: 'citations_delta' })],
    ['empty deltas', blockEvents(0, { type: 'text' }, { type: 'text_delta', text: '' }, { type: 'thinking_delta' })],
    [
      'arguments and signatures of a block that never began',
      [
        { type: 'input_json_delta', partial_json: '{' },
        { type: 'signature_delta', signature: 's' },
      ].map((delta) => {
        return { type: 'content_block_delta', index: 7, delta };
      }),
    ],
    ['an end without a stop reason', [{ type: 'message_delta', delta: {} }, { type: 'message_stop' }]],
  ])('ignores %s', (_name, events) => {
    expect(read(...events)).toEqual([]);
  });

  it('reads text and thinking of a block that never began', () => {
    const deltas = [
      { type: 'text_delta', text: 'a' },
      { type: 'thinking_delta', thinking: 'b' },
    ];
    expect(read(...deltas.map((delta) => ({ type: 'content_block_delta', delta })))).toEqual([
      { type: 'text_delta', text: 'a' },
      { type: 'reasoning_delta', text: 'b' },
    ]);
  });

  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['tool_use', 'tool_calls'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'window'],
    ['refusal', 'content_filter'],
    ['pause_turn', 'paused'],
  ])('finishes for %s with %s', (stopReason, reason) => {
    expect(read(...messageEnd(stopReason)).at(-1)).toEqual({ type: 'finish', reason });
  });

  it.each(['', 'steered'])('does not finish with the reason %j', (stopReason) => {
    const reader = createMessagesReader(identity);
    const [last, stop] = messageEnd(stopReason);
    void reader.read(last);
    expect(() => reader.read(stop)).toThrow(
      expect.objectContaining({ failure: { type: 'stopped', reason: stopReason, detail: '' } }),
    );
  });

  it('reads a block whose index another one has', () => {
    const start = (block: object) => ({ type: 'content_block_start', index: 0, content_block: block });
    const delta = (more: object) => ({ type: 'content_block_delta', index: 0, delta: more });
    const events = [
      ...[start({ type: 'thinking', thinking: '' }), delta({ type: 'thinking_delta', thinking: 'hm' })],
      ...[start({ type: 'tool_use', id: 'c1', name: 'now', input: {} })],
      delta({ type: 'input_json_delta', partial_json: '{}' }),
    ];
    expect(read(...events, ...messageEnd('tool_use')).slice(0, 4)).toEqual([
      { type: 'reasoning_delta', text: 'hm' },
      { type: 'tool_call_delta', index: 0, id: 'c1', name: 'now', arguments: '' },
      { type: 'tool_call_delta', index: 0, arguments: '{}' },
      expect.objectContaining({ type: 'provider_state' }),
    ]);
  });

  it('reads a whole message', () => {
    const content = [
      { type: 'thinking', thinking: 'hm', signature: 's' },
      { type: 'text', text: 'Hi' },
      { type: 'tool_use', id: 'c1', name: 'now', input: { a: 1 } },
    ];
    const usage = { input_tokens: 1, output_tokens: 2 };
    expect(read({ type: 'message', content, stop_reason: 'tool_use', usage })).toEqual([
      { type: 'reasoning_delta', text: 'hm' },
      { type: 'text_delta', text: 'Hi' },
      { type: 'tool_call_delta', index: 0, id: 'c1', name: 'now', arguments: '' },
      { type: 'tool_call_delta', index: 0, arguments: '{"a":1}' },
      expect.objectContaining({ type: 'provider_state' }),
      { type: 'usage', inputTokens: 1, outputTokens: 2 },
      { type: 'finish', reason: 'tool_calls' },
    ]);
    expect(read({ type: 'message', stop_reason: null })).toEqual([]);
  });

  it('finishes at the end of a stream without a last event', () => {
    const reader = createMessagesReader(identity);
    expect(reader.end(false)).toEqual([]);
    for (const event of messageEnd('end_turn').slice(0, 1)) void reader.read(event);
    expect(reader.end(false)).toEqual([{ type: 'finish', reason: 'stop' }]);
  });

  it.each<[string, object, object, object | undefined]>([
    [
      'the last output',
      { input_tokens: 10, output_tokens: 1 },
      { output_tokens: 7 },
      { inputTokens: 10, outputTokens: 7 },
    ],
    [
      'tokens from the cache and for it as input',
      { input_tokens: 10, cache_creation_input_tokens: 200, cache_read_input_tokens: 3000, output_tokens: 1 },
      { output_tokens: 7, input_tokens: null },
      { inputTokens: 3210, outputTokens: 7, cachedTokens: 3000 },
    ],
    [
      'input that is only known at the end',
      {},
      { input_tokens: 5, output_tokens: 7 },
      { inputTokens: 5, outputTokens: 7 },
    ],
    ['nothing without input', {}, { output_tokens: 7 }, undefined],
    ['nothing without output', { input_tokens: 7 }, {}, undefined],
  ])('counts %s', (_name, start, end, expected) => {
    const events = read(messageStart(start), ...messageEnd('end_turn', end));
    expect(events.slice(0, -1)).toEqual(expected === undefined ? [] : [{ type: 'usage', ...expected }]);
  });

  it('keeps signed and redacted thinking for this model', () => {
    const redacted = blockEvents(1, { type: 'redacted_thinking', data: 'xyz' });
    expect(
      stateOf(...thinking(0, 'hm', 'sig'), ...redacted, ...words(2, 'Hi'), ...call(3, 'a'), ...messageEnd('tool_use')),
    ).toEqual([
      {
        model: 'anthropic/anthropic-messages/claude',
        items: [
          { type: 'thinking', thinking: 'hm', signature: 'sig' },
          { type: 'redacted_thinking', data: 'xyz' },
        ],
      },
    ]);
  });

  it('keeps the places of text and calls before later thinking', () => {
    const events = [
      ...thinking(0, 'a', 's1'),
      ...words(1, 'Hello'),
      ...call(2, 'c'),
      ...thinking(3, 'b', 's2'),
      ...words(4, 'end'),
    ];
    expect(stateOf(...events, ...messageEnd('end_turn'))).toMatchObject([
      { items: [{ thinking: 'a' }, { type: 'text_place', length: 5 }, { type: 'call_place' }, { thinking: 'b' }] },
    ]);
  });

  it('keeps thinking without a signature, unless it was cut off', () => {
    expect(stateOf(...thinking(0, 'a'), ...messageEnd('end_turn'))).toHaveLength(1);
    expect(stateOf(...thinking(0, 'a'), ...messageEnd('max_tokens'))).toEqual([]);
    const start = { type: 'thinking', thinking: 'a', signature: 's' };
    expect(stateOf(...blockEvents(0, start), ...messageEnd('max_tokens'))).toHaveLength(1);
    const unsigned = blockEvents(0, { type: 'thinking' }, { type: 'signature_delta' });
    expect(stateOf(...unsigned, ...messageEnd('max_tokens'))).toEqual([]);
    const redacted = blockEvents(0, { type: 'redacted_thinking' }, { type: 'signature_delta' });
    expect(stateOf(...redacted, ...thinking(1, 'b'), ...messageEnd('max_tokens'))).toMatchObject([
      { items: [{ type: 'redacted_thinking', data: '' }] },
    ]);
  });

  it('reads places that are texts', () => {
    const delta = { type: 'input_json_delta', partial_json: '{}' };
    expect(
      read(
        { type: 'content_block_start', index: '0', content_block: { type: 'tool_use', id: 'a', name: 'read_file' } },
        { type: 'content_block_delta', index: 0, delta },
      ),
    ).toContainEqual({ type: 'tool_call_delta', index: 0, arguments: '{}' });
  });

  it.each([[7], [{ type: 7 }], [{ type: 'content_block_delta', index: 'a' }]])(
    'describes what is wrong with %j',
    async (event) => {
      await expect(createMessagesReader(identity).read(event)).rejects.toMatchObject({
        failure: { type: 'garbled', detail: expect.stringContaining('Invalid input') },
      });
    },
  );
});
