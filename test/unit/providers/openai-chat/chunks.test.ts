import { describe, expect, it } from 'vitest';
import { createChatReader } from '../../../../src/providers/openai-chat/chunks.ts';

const IDENTITY = { provider: 'p', wire: 'openai-chat', model: 'm' };

/** The events and messages that a new reader returns for these deltas. */
function read(...deltas: readonly unknown[]): readonly unknown[] {
  const reader = createChatReader(IDENTITY, (text) => text);
  return deltas.flatMap((delta): readonly unknown[] => [reader.read({ choices: [{ delta }] })].flat());
}

const piece = (index: number, text: string, id?: string, name?: string) => ({
  type: 'tool_call_delta',
  index,
  ...(id === undefined ? {} : { id }),
  ...(name === undefined ? {} : { name }),
  arguments: text,
});
const wire = (text: unknown, rest: Readonly<Record<string, unknown>> = {}, name?: string) => ({
  tool_calls: [{ ...rest, type: 'function', function: { ...(name === undefined ? {} : { name }), arguments: text } }],
});

const rows: readonly (readonly [string, readonly unknown[], readonly unknown[]])[] = [
  ['a role alone as no event', [{ role: 'assistant', content: '' }], []],
  ['null and missing parts as no event', [{ content: null, tool_calls: null }, null, undefined, {}], []],
  ['text', [{ content: 'a' }], [{ type: 'text_delta', text: 'a' }]],
  ['a refusal as text', [{ refusal: 'No.' }], [{ type: 'text_delta', text: 'No.' }]],
  [
    'reasoning under either name, before the text beside it',
    [{ reasoning_content: 'r1', content: 'a' }, { reasoning: 'r2' }],
    [
      { type: 'reasoning_delta', text: 'r1' },
      { type: 'text_delta', text: 'a' },
      { type: 'reasoning_delta', text: 'r2' },
    ],
  ],
  ['a delta with unknown keys', [{ content: 'a', obfuscation: 'xx', audio: {} }], [{ type: 'text_delta', text: 'a' }]],
  [
    'a call in pieces, keeping its index',
    [wire('', { index: 0, id: 'c1' }, 'read_file'), wire('{"a"', { index: 0 }), wire(':1}', { index: 0 })],
    [piece(0, '', 'c1', 'read_file'), piece(0, '{"a"'), piece(0, ':1}')],
  ],
  [
    'an id and a name that arrive one after the other, both without arguments',
    [wire('', { index: 0 }), wire('', { index: 0, id: 'c1' }), wire('', { index: 0 }, 'a'), wire('{}', { index: 0 })],
    [piece(0, '', 'c1', 'a'), piece(0, '{}')],
  ],
  [
    'a delta of a call that adds nothing as no event',
    [
      wire('', { index: 0, id: 'c1' }, 'a'),
      wire('', { index: 0, id: 'c1' }, 'a'),
      wire('', { index: 0, id: 'c2' }, 'b'),
      wire('', { index: 0, id: 'c1' }),
      wire('', { index: 0 }),
    ],
    [piece(0, '', 'c1', 'a'), piece(1, '', 'c2', 'b')],
  ],
  [
    'two interleaved calls',
    [wire('', { index: 0, id: 'c1' }, 'a'), wire('', { index: 1, id: 'c2' }, 'b'), wire('x', { index: 0 })],
    [piece(0, '', 'c1', 'a'), piece(1, '', 'c2', 'b'), piece(0, 'x')],
  ],
  [
    'a second call with the index of the first',
    [wire('', { index: 0, id: 'c1' }, 'a'), wire('', { index: 0, id: 'c2' }, 'b')],
    [piece(0, '', 'c1', 'a'), piece(1, '', 'c2', 'b')],
  ],
  [
    'a second whole call with the index of the first, and no id',
    [wire('{"x":1}', { index: 0 }, 'a'), wire('{"y":2}', { index: 0 }, 'b')],
    [piece(0, '{"x":1}', undefined, 'a'), piece(1, '{"y":2}', undefined, 'b')],
  ],
  [
    'a name that each piece repeats',
    [wire('{"x"', { index: 0 }, 'a'), wire(':{}', { index: 0 }, 'a'), wire('}', { index: 0 }, 'a')],
    [piece(0, '{"x"', undefined, 'a'), piece(0, ':{}'), piece(0, '}')],
  ],
  [
    'a new id in each piece as the same call',
    [wire('', { index: 0, id: 'c1' }, 'a'), wire('{"x"', { index: 0, id: 'c2' }), wire(':1}', { index: 0, id: 'c3' })],
    [piece(0, '', 'c1', 'a'), piece(0, '{"x"', 'c1'), piece(0, ':1}', 'c1')],
  ],
  [
    'the parts of a content, with their reasoning',
    [
      { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] },
      {
        content: [
          { type: 'text', text: '' },
          '',
          { type: 'text', text: 'a' },
          { type: 'image_url', image_url: { url: 'x' } },
          'b',
        ],
      },
      { content: { type: 'text', text: 'c' } },
      { reasoning_content: [{ type: 'text', text: 'so' }] },
    ],
    [
      { type: 'reasoning_delta', text: 'hm' },
      { type: 'text_delta', text: 'a' },
      { type: 'text_delta', text: 'b' },
      { type: 'text_delta', text: 'c' },
      { type: 'reasoning_delta', text: 'so' },
    ],
  ],
  [
    'a call in the form before tool_calls',
    [{ function_call: { name: 'a', arguments: '' } }, { function_call: { arguments: '{}' } }],
    [piece(0, '', undefined, 'a'), piece(0, '{}')],
  ],
  ['arguments that are a list as JSON', [wire([1], { index: 0 }, 'a')], [piece(0, '[1]', undefined, 'a')]],
  ['empty ids and names as absent', [wire('{}', { index: 0, id: '' }, '')], [piece(0, '{}')]],
  ['arguments that are an object as JSON', [wire({ a: 1 }, { index: 0 }, 'a')], [piece(0, '{"a":1}', undefined, 'a')]],
  ['missing arguments as an empty string', [wire(null, { index: 0 }, 'a')], [piece(0, '', undefined, 'a')]],
  ['a call of which only its id comes as none', [{ tool_calls: [{ index: 2, id: 'c1' }] }], []],
  [
    'a name in pieces',
    [wire('', { index: 0, id: 'c1' }, 'read_'), wire('{}', { index: 0 }, 'file')],
    [piece(0, '', 'c1', 'read_'), piece(0, '{}', undefined, 'read_file')],
  ],
  [
    'a name that grows',
    [wire('', { index: 0 }, 'read_'), wire('', { index: 0 }, 'read_file'), wire('{}', { index: 0 }, 'read_file')],
    [piece(0, '', undefined, 'read_'), piece(0, '', undefined, 'read_file'), piece(0, '{}')],
  ],
  [
    'the rest of a call with another index than its start',
    [
      wire('{"a":1}', { index: 0, id: 'c1' }, 'a'),
      wire('', { index: 0, id: 'c2' }, 'b'),
      wire('{"b":2}', { index: 1 }),
    ],
    [piece(0, '{"a":1}', 'c1', 'a'), piece(1, '', 'c2', 'b'), piece(1, '{"b":2}')],
  ],
  [
    'an index that is a text, and an id that is a number',
    [{ tool_calls: [{ index: '1', id: 7, function: { name: 'a', arguments: '' } }] }, wire('{}', { index: 1 })],
    [piece(0, '', '7', 'a'), piece(0, '{}')],
  ],
  [
    'a name and arguments outside of the function, and one call outside of a list',
    [{ tool_calls: { index: 0, id: 'c1', name: 'a', arguments: '{}' } }],
    [piece(0, '{}', 'c1', 'a')],
  ],
  [
    'calls that are none',
    [{ content: 'a', tool_calls: '' }, { tool_calls: [null, 7, 'x'] }],
    [{ type: 'text_delta', text: 'a' }],
  ],
  [
    'calls without an index by their ids',
    [
      wire('', { id: 'c1' }, 'a'),
      wire('', { id: 'c2' }, 'b'),
      wire('1', { id: 'c1' }),
      wire('2'),
      wire('3', { id: 'c2' }),
    ],
    [piece(0, '', 'c1', 'a'), piece(1, '', 'c2', 'b'), piece(0, '1', 'c1'), piece(0, '2'), piece(1, '3', 'c2')],
  ],
  [
    'a name without index and id as a new call',
    [wire('{}', {}, 'a'), wire('{"x"', {}, 'b'), wire(':1}')],
    [piece(0, '{}', undefined, 'a'), piece(1, '{"x"', undefined, 'b'), piece(1, ':1}')],
  ],
  ['arguments alone as a first call', [wire('{')], [piece(0, '{')]],
  [
    'a call without an index after one with a higher index',
    [wire('', { index: 4, id: 'c1' }, 'a'), wire('', { index: 1, id: 'c2' }, 'b'), wire('', {}, 'c')],
    [piece(0, '', 'c1', 'a'), piece(1, '', 'c2', 'b'), piece(2, '', undefined, 'c')],
  ],
];

const finishes: readonly (readonly [string, string])[] = [
  ['stop', 'stop'],
  ['length', 'length'],
  ['content_filter', 'content_filter'],
  ['tool_calls', 'tool_calls'],
  ['function_call', 'tool_calls'],
  ['eos', 'stop'],
  ['model_length', 'window'],
];

const broken: readonly (readonly [string, unknown, string])[] = [
  ['null', null, 'expected object, received null'],
  ['a list', [], 'expected object, received array'],
  ['text that is a truth value', { choices: [{ delta: { content: true } }] }, 'choices[0].delta.content'],
];

describe('the chunk reader', () => {
  it.each(rows)('reads %s', (_name, deltas, expected) => {
    expect(read(...deltas)).toEqual(expected);
  });

  it.each(finishes)('maps the finish reason %s to %s', (reason, expected) => {
    const reader = createChatReader(IDENTITY, (text) => text);
    expect(reader.read({ choices: [{ delta: {}, finish_reason: reason }] })).toEqual([]);
    expect(reader.end(false)).toEqual([{ type: 'finish', reason: expected }]);
  });

  it('yields the last usage before the finish, in any order of arrival', () => {
    const reader = createChatReader(IDENTITY, (text) => text);
    void reader.read({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } });
    void reader.read({ choices: [{ finish_reason: 'stop' }], usage: null });
    void reader.read({ usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 } });
    expect(reader.end(false)).toEqual([
      { type: 'usage', inputTokens: 9, outputTokens: 4 },
      { type: 'finish', reason: 'stop' },
    ]);
  });

  it.each([
    [{ prompt_tokens: 9, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 3 } }, 3],
    [{ prompt_tokens: 9, completion_tokens: 4, prompt_cache_hit_tokens: 2 }, 2],
    [{ prompt_tokens: 9, completion_tokens: 4, cached_tokens: 1 }, 1],
    [{ input_tokens: 9, output_tokens: 4, prompt_tokens_details: null }, undefined],
  ])('reads the cached tokens of %j', (usage, cachedTokens) => {
    const reader = createChatReader(IDENTITY, (text) => text);
    void reader.read({ choices: [{ finish_reason: 'stop' }], usage });
    const counted = { type: 'usage', inputTokens: 9, outputTokens: 4, ...(cachedTokens && { cachedTokens }) };
    expect(reader.end(false)).toEqual([counted, { type: 'finish', reason: 'stop' }]);
  });

  it.each([null, {}, { prompt_tokens: 'many', completion_tokens: 1 }, { prompt_tokens: 1 }, 7])(
    'passes over the counts %j',
    (usage) => {
      const reader = createChatReader(IDENTITY, (text) => text);
      void reader.read({ choices: [{ finish_reason: 'stop' }], usage });
      expect(reader.end(false)).toEqual([{ type: 'finish', reason: 'stop' }]);
    },
  );

  it.each([
    ['abort', undefined, ''],
    ['error', { message: 'The key sk-1 is spent.' }, 'The key [key] is spent'],
  ])('does not finish with the reason %j', (reason, error, detail) => {
    const reader = createChatReader(IDENTITY, (text) => text.replace('sk-1', '[key]'));
    void reader.read({ choices: [{ finish_reason: reason, ...(error && { error }) }] });
    expect(() => reader.end(false)).toThrow(expect.objectContaining({ failure: { type: 'stopped', reason, detail } }));
  });

  it('does not take "null" for a reason', () => {
    const reader = createChatReader(IDENTITY, (text) => text);
    void reader.read({ choices: [{ finish_reason: 'null' }] });
    expect(reader.end(false)).toEqual([]);
  });

  it('reads an answer that is parted into several choices', () => {
    const reader = createChatReader(IDENTITY, (text) => text);
    const first = { index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'tool_calls' };
    const other = { message: wire('{}', { id: 'c1' }, 'a'), finish_reason: 'tool_calls' };
    expect(reader.read({ object: 'chat.completion', choices: [first, null, other] })).toEqual([
      { type: 'text_delta', text: 'Hi' },
      piece(0, '{}', 'c1', 'a'),
    ]);
    expect(reader.end(false)).toEqual([{ type: 'finish', reason: 'tool_calls' }]);
  });

  it('reads a whole message behind its pieces only once', () => {
    const reader = createChatReader(IDENTITY, (text) => text);
    const message = { content: 'Hi', reasoning_content: 'Hm', ...wire('{}', { id: 'c1' }, 'a') };
    const whole = { message, finish_reason: 'tool_calls' };
    void reader.read({ choices: [{ delta: { reasoning_content: 'Hm' } }, { delta: { content: 'Hi' } }] });
    expect(reader.read({ choices: [whole] })).toEqual([piece(0, '{}', 'c1', 'a')]);
    expect(reader.read({ choices: [whole] })).toEqual([]);
    expect(reader.end(false)).toEqual([
      expect.objectContaining({ type: 'provider_state' }),
      { type: 'finish', reason: 'tool_calls' },
    ]);
  });

  it.each([
    [{ type: 'stop' }, 'stop'],
    ['FINISH_REASON_STOP', 'stop'],
    ['normal', 'stop'],
  ])('reads the finish reason %j', (reason, expected) => {
    const reader = createChatReader(IDENTITY, (text) => text);
    void reader.read({ choices: [{ delta: { content: 'a' }, finish_reason: reason }] });
    expect(reader.end(false)).toEqual([{ type: 'finish', reason: expected }]);
  });

  it.each([null, '', 'null', 'None', 0, ['stop']])('takes %j for no reason', (reason) => {
    const reader = createChatReader(IDENTITY, (text) => text);
    void reader.read({ choices: [{ delta: { content: 'a' }, finish_reason: reason }] });
    expect(reader.end(false)).toEqual([]);
  });

  it('completes an answer without a reason at the mark, if its calls are whole, or if its server never names one', () => {
    const unnamed = { count: 0 };
    const endOf = (...deltas: readonly object[]) => {
      const reader = createChatReader(IDENTITY, (text) => text, unnamed);
      for (const delta of deltas) void reader.read({ choices: [{ delta }] });
      return reader.end(true);
    };
    expect(endOf()).toEqual([]);
    expect(endOf(wire('{"a":', { index: 0 }, 'a'))).toEqual([]);
    expect(endOf(wire('{"a":}', { index: 0 }, 'a'))).toEqual([]);
    expect(endOf(wire('{"a":1}', { index: 0 }, 'a'))).toEqual([{ type: 'finish', reason: 'tool_calls' }]);
    expect(endOf({ content: 'a' })).toEqual([]);
    expect(endOf({ content: 'a' })).toEqual([{ type: 'finish', reason: 'stop' }]);
  });

  it('returns no final events without a finish reason', () => {
    const reader = createChatReader(IDENTITY, (text) => text);
    void reader.read({ choices: [{ delta: { content: 'a' }, finish_reason: null }] });
    expect(reader.end(false)).toEqual([]);
  });

  it.each(broken)('describes why %s is not a chunk', async (_name, chunk, expected) => {
    await expect(createChatReader(IDENTITY, (text) => text).read(chunk)).rejects.toMatchObject({
      failure: { type: 'garbled', detail: expect.stringContaining(expected) },
    });
  });
});
