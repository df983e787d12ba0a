import { expect, it } from 'vitest';
import type { JsonObject, Protocol } from '../../../../mock-llm-server/conversation/conversation.ts';
import { decodeBlocks } from '../../../../mock-llm-server/record/decode/decode-blocks.ts';

const thinking = { type: 'thinking', thinking: 'Hm.', signature: 's' };
const use = { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'q' } };
const citation = { type: 'web_search_result_location', url: 'https://a.example' };
const anthropic = (...content: object[]) => ({ content });
const gemini = (...parts: object[]) => ({ candidates: [{ content: { parts } }] });

it.each<[string, Protocol, JsonObject, unknown]>([
  ['text and calls', 'anthropic-messages', anthropic({ type: 'text', text: 'a' }, { type: 'tool_use' }), undefined],
  [
    'a text after a call',
    'anthropic-messages',
    anthropic({ type: 'tool_use' }, { type: 'text', text: 'a' }),
    [{ type: 'call' }, { type: 'text', text: 'a', citations: [] }],
  ],
  [
    'a server tool',
    'anthropic-messages',
    anthropic(thinking, use, { type: 'text', text: 'a', citations: [citation] }),
    [
      { type: 'reasoning', text: 'Hm.', signature: 's', encrypted: undefined },
      { type: 'raw', item: use },
      { type: 'text', text: 'a', citations: [citation] },
    ],
  ],
  [
    'redacted thinking',
    'anthropic-messages',
    anthropic(thinking, { type: 'redacted_thinking', data: 'x' }),
    [
      { type: 'reasoning', text: 'Hm.', signature: 's', encrypted: undefined },
      { type: 'reasoning', text: '', signature: undefined, encrypted: 'x' },
    ],
  ],
  [
    'items',
    'openai-responses',
    {
      output: [
        { type: 'web_search_call', id: 'ws_1' },
        { type: 'reasoning', summary: [{ text: 'A' }, { text: 'B' }], encrypted_content: 'x' },
        {
          type: 'message',
          content: [
            { type: 'output_text', text: 'a', annotations: [] },
            { type: 'refusal', refusal: 'b' },
          ],
        },
        { type: 'function_call' },
      ],
    },
    [
      { type: 'raw', item: { type: 'web_search_call', id: 'ws_1' } },
      { type: 'reasoning', text: 'A\n\nB', signature: undefined, encrypted: 'x' },
      { type: 'text', text: 'a', citations: [] },
      { type: 'text', text: 'b', citations: [] },
      { type: 'call' },
    ],
  ],
  [
    'parts',
    'gemini',
    {
      candidates: [
        {
          content: {
            parts: [{ text: 'T', thought: true, thoughtSignature: 's' }, { executableCode: {} }, { functionCall: {} }],
          },
          groundingMetadata: { webSearchQueries: ['q'] },
        },
      ],
    },
    [
      { type: 'reasoning', text: 'T', signature: 's', encrypted: undefined },
      { type: 'raw', item: { executableCode: {} } },
      { type: 'call' },
      { type: 'grounding', metadata: { webSearchQueries: ['q'] } },
    ],
  ],
  ['a message', 'openai-chat', { choices: [] }, undefined],
])('finds the blocks of %s of %s', (_name, protocol, body, blocks) => {
  expect(decodeBlocks({ protocol, body })).toEqual(blocks);
});

it('joins the deltas of each block of Anthropic', () => {
  const delta = (index: number, more: object) => ({ type: 'content_block_delta', index, delta: more });
  const events = [
    { type: 'content_block_start', index: 0, content_block: { ...use, input: {} } },
    delta(0, { type: 'input_json_delta', partial_json: '{"query":"q"}' }),
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
    delta(1, { type: 'citations_delta', citation }),
    delta(1, { type: 'text_delta', text: 'a' }),
    delta(1, { type: 'text_delta', text: 'b' }),
    delta(7, { type: 'text_delta', text: 'lost' }),
  ];
  expect(decodeBlocks({ protocol: 'anthropic-messages', events })).toEqual([
    { type: 'raw', item: use },
    { type: 'text', text: 'ab', citations: [citation] },
  ]);
});

it('takes the finished items of a stream of the Responses API, or those of its last event', () => {
  const item = { type: 'web_search_call', id: 'ws_1' };
  const blocks = [{ type: 'raw', item }];
  const protocol = 'openai-responses';
  expect(decodeBlocks({ protocol, events: [{ type: 'response.output_item.done', item }] })).toEqual(blocks);
  expect(decodeBlocks({ protocol, events: [{ response: { output: [item] } }] })).toEqual(blocks);
});

it('joins the pieces of the texts and thoughts of Gemini', () => {
  const thought = (text: string) => gemini({ text, thought: true });
  const events = [
    thought('A'),
    thought('B'),
    gemini({ text: 'c' }, { text: 'd' }),
    gemini({ toolCall: {} }, { text: '' }),
  ];
  expect(decodeBlocks({ protocol: 'gemini', events })).toEqual([
    { type: 'reasoning', text: 'AB', signature: undefined, encrypted: undefined },
    { type: 'text', text: 'cd', citations: [] },
    { type: 'raw', item: { toolCall: {} } },
  ]);
});

it('finds no blocks in an answer that was not kept', () => {
  expect(decodeBlocks(undefined)).toBeUndefined();
});
