import { expect, it } from 'vitest';
import type { JsonObject, Protocol } from '../../../../mock-llm-server/conversation/conversation.ts';
import { decodeAnswer } from '../../../../mock-llm-server/record/decode/decode-answer.ts';

/** The blocks of a whole answer, or of a stream of these events. */
const blocksOf = (protocol: Protocol, ...values: readonly JsonObject[]) => {
  const contentType = values.length > 1 ? 'application/x-ndjson' : 'application/json';
  return decodeAnswer(protocol, { contentType, text: values.map((value) => JSON.stringify(value)).join('\n') }).blocks;
};

const thinking = { type: 'thinking', thinking: 'Hm.', signature: 's' };
const use = { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'q' } };
const citation = { type: 'web_search_result_location', url: 'https://a.example' };
const anthropic = (...content: object[]) => ({ type: 'message', content });
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
      object: 'response',
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
  expect(blocksOf(protocol, body)).toEqual(blocks);
});

it('joins the deltas of each block of Anthropic', () => {
  const delta = (index: number, more: object) => ({ type: 'content_block_delta', index, delta: more });
  const events = [
    { type: 'content_block_start', index: 0, content_block: { ...use, input: {} } },
    delta(0, { type: 'input_json_delta', partial_json: '{"query":' }),
    delta(0, { type: 'input_json_delta', partial_json: '"q"}' }),
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
    delta(1, { type: 'citations_delta', citation }),
    delta(1, { type: 'text_delta', text: 'a' }),
    delta(1, { type: 'text_delta', text: 'b' }),
  ];
  expect(blocksOf('anthropic-messages', ...events)).toEqual([
    { type: 'raw', item: use },
    { type: 'text', text: 'ab', citations: [citation] },
  ]);
});

it('takes the finished items of a stream of the Responses API, or those of its last event', () => {
  const item = { type: 'web_search_call', id: 'ws_1' };
  const blocks = [{ type: 'raw', item }];
  const protocol = 'openai-responses';
  expect(blocksOf(protocol, { type: 'response.output_item.done', item })).toEqual(blocks);
  expect(blocksOf(protocol, { response: { output: [item] } })).toEqual(blocks);
  const begun = { ...item, status: 'in_progress' };
  expect(blocksOf(protocol, { type: 'response.output_item.added', item: begun })).toBeUndefined();
});

it('joins the pieces of the texts and thoughts of Gemini', () => {
  const thought = (text: string) => gemini({ text, thought: true });
  const events = [
    thought('A'),
    thought('B'),
    gemini({ text: 'c' }, { text: 'd' }),
    gemini({ toolCall: {} }, { text: '' }),
  ];
  expect(blocksOf('gemini', ...events)).toEqual([
    { type: 'reasoning', text: 'AB', signature: undefined, encrypted: undefined },
    { type: 'text', text: 'cd', citations: [] },
    { type: 'raw', item: { toolCall: {} } },
  ]);
});

it('joins the deltas of each block of Bedrock', () => {
  const delta = (index: number, more: object) => ({ contentBlockDelta: { contentBlockIndex: index, delta: more } });
  const toolUse = { toolUseId: 't', name: 'search', type: 'server_tool_use' };
  const events = [
    delta(0, { reasoningContent: { text: 'H' } }),
    delta(0, { reasoningContent: { text: 'm.' } }),
    delta(0, { reasoningContent: { signature: 's' } }),
    delta(1, { reasoningContent: { redactedContent: 'x' } }),
    { contentBlockStart: { contentBlockIndex: 2, start: { toolUse } } },
    delta(3, { citation }),
    delta(3, { text: 'a' }),
    delta(4, { text: 'b' }),
  ];
  expect(blocksOf('bedrock-converse', ...events)).toEqual([
    { type: 'reasoning', text: 'Hm.', signature: 's', encrypted: undefined },
    { type: 'reasoning', text: '', signature: undefined, encrypted: 'x' },
    { type: 'raw', item: { toolUse } },
    { type: 'text', text: 'a', citations: [citation] },
    { type: 'text', text: 'b', citations: [] },
  ]);
});

it('joins the deltas of each step of Interactions', () => {
  const delta = (index: number, more: object) => ({ event_type: 'step.delta', index, delta: more });
  const step = (index: number, more: object) => ({ event_type: 'step.start', index, step: more });
  const search = { type: 'google_search_call', id: 'g' };
  const events = [
    step(0, search),
    step(1, { type: 'thought' }),
    delta(1, { type: 'thought_summary', content: { text: 'Hm.' } }),
    delta(1, { type: 'thought_signature', signature: 's' }),
    step(2, { type: 'model_output' }),
    delta(2, { type: 'text', text: 'a' }),
    delta(2, { type: 'text', text: 'b' }),
    delta(2, { type: 'text_annotation', annotations: [citation] }),
  ];
  const texts = [
    { type: 'reasoning', text: 'Hm.', signature: 's', encrypted: undefined },
    { type: 'text', text: 'ab', citations: [citation] },
  ];
  expect(blocksOf('gemini-interactions', ...events)).toEqual([{ type: 'raw', item: search }, ...texts]);
  const picture = { type: 'model_output', content: [{ type: 'image', data: 'x' }] };
  const output = { type: 'model_output', content: [{ text: 'ab', annotations: [citation] }] };
  const steps = [{ type: 'thought', summary: [{ text: 'Hm.' }], signature: 's' }, output, picture];
  expect(blocksOf('gemini-interactions', { steps })).toEqual([...texts, { type: 'raw', item: picture }]);
});
