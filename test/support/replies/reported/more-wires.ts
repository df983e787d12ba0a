import { sse } from '../frames.ts';
import {
  AGAIN,
  event,
  failing,
  HELLO,
  PATH,
  type PieceRow,
  type RawRow,
  READ,
  rawRowsOf,
  rowsOf,
} from '../piece-row.ts';
import { jsonReply } from '../raw-server.ts';
import type { ReplyRow } from '../run-reply.ts';

const item = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'read_file', arguments: '' };
const RESPONSES: readonly PieceRow[] = [
  [
    'pieces without an item, and an end without an id',
    'Oaklight/llm-rosetta#56',
    [
      event('response.created', { response: { id: 'r' } }),
      event('response.output_text.delta', { delta: 'Hel' }),
      event('response.output_text.delta', { delta: 'lo' }),
      event('response.completed', { response: { status: 'completed', output: [] } }),
    ],
    HELLO,
  ],
  [
    'a text alone, whole',
    'Sophomoresty/gemini-web2api#57',
    [
      event('response.created', { response: { id: 'r' } }),
      event('response.output_text.done', { text: 'Hello' }),
      event('response.completed', { response: { status: 'completed' } }),
    ],
    HELLO,
  ],
  [
    'a call without its end, and an empty text in its place',
    'sgl-project/sglang#12652',
    [
      event('response.output_item.added', { output_index: 0, item }),
      event('response.function_call_arguments.delta', { output_index: 0, item_id: 'fc_1', delta: PATH }),
      event('response.function_call_arguments.done', { output_index: 0, item_id: 'fc_1', arguments: PATH }),
      event('response.completed', {
        response: {
          status: 'completed',
          output: [{ id: 'msg_1', type: 'message', role: 'assistant', content: [{ type: 'text', text: '' }] }],
        },
      }),
    ],
    READ,
  ],
  [
    'an item of null',
    'openai/openai-python#3126',
    [
      event('response.output_item.added', { output_index: 0, item: null }),
      event('response.output_item.added', { output_index: 3, item: { type: 'message', id: 'msg_1', content: [] } }),
      event('response.output_text.delta', { output_index: 3, item_id: 'msg_1', delta: 'Hello' }),
      event('response.completed', { response: { status: 'completed', output: null } }),
    ],
    HELLO,
  ],
  [
    'an error beside the response',
    'openai/codex#24973',
    [
      event('response.failed', {
        sequence_number: 3,
        response: { id: 'r', status: 'failed', error: null, output: [] },
        error: { message: 'Upstream provider error', type: 'server_error', code: 'upstream_error' },
      }),
    ],
    { ...AGAIN, shows: ['Upstream provider error', 'They say seven.'] },
  ],
  [
    'a limit of a plan that ends',
    'earendil-works/pi#4172',
    [
      event('error', {
        error: { type: 'usage_limit_reached', message: 'The usage limit has been reached', resets_in_seconds: 13_872 },
        status_code: 429,
      }),
    ],
    failing('The usage limit has been reached', 'It asks to wait 232 min'),
  ],
  [
    'reasoning twice, as a text and as its summary',
    'peonist-ai/halogen-flash-server#67',
    [
      event('response.reasoning_text.delta', { item_id: 'rs_1', output_index: 0, delta: 'The user' }),
      event('response.reasoning_summary_text.delta', { item_id: 'rs_1', output_index: 0, delta: 'The user' }),
      event('response.output_text.delta', { item_id: 'msg_1', output_index: 1, delta: 'Hello' }),
      event('response.completed', { response: { status: 'completed' } }),
    ],
    { ...HELLO, hides: ['The userThe user'] },
  ],
  [
    'an answer that was cut, in a response without a status',
    'maximhq/bifrost#4679',
    [
      event('response.output_text.delta', { item_id: 'msg_1', output_index: 0, delta: 'Hello wor' }),
      event('response.completed', { response: { stop_reason: 'length', output: [] } }),
    ],
    { code: 4, requests: 1, shows: ['Hello wor', 'The answer was cut at the output limit.'] },
  ],
  [
    'an error of null',
    'openai/codex#6710',
    [event('response.created', { response: { id: 'r' } }), event('error', { error: null, sequence_number: 2 })],
    AGAIN,
  ],
];

const begin = (id: string) => event('message_start', { message: { id, usage: { input_tokens: 5 } } });
const block = (index: number, content_block: object) => event('content_block_start', { index, content_block });
const add = (index: number, delta: object) => event('content_block_delta', { index, delta });
const use = { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: {} };
const stopped = (reason: string) => [
  event('message_delta', { delta: { stop_reason: reason }, usage: { output_tokens: 3 } }),
  event('message_stop'),
];

const MESSAGES: readonly PieceRow[] = [
  [
    'a start without content and with counts of zero',
    'farion1231/cc-switch#7390',
    [
      event('message_start', {
        message: { id: 'm', type: 'message', role: 'assistant', usage: { input_tokens: 0, output_tokens: 0 } },
      }),
      block(0, { type: 'text', text: '' }),
      add(0, { type: 'text_delta', text: 'Hello' }),
      event('content_block_stop', { index: 0 }),
      ...stopped('end_turn'),
    ],
    HELLO,
  ],
  [
    'a second message within the first',
    'vercel/ai#18331',
    [
      begin('msg_1'),
      block(0, { ...use, id: 'toolu_0', name: 'write_file' }),
      add(0, { type: 'input_json_delta', partial_json: '{"path":"a.t' }),
      begin('msg_2'),
      block(0, use),
      add(0, { type: 'input_json_delta', partial_json: PATH }),
      event('content_block_stop', { index: 0 }),
      ...stopped('tool_use'),
    ],
    READ,
  ],
  [
    'blocks without an end',
    'xemantic/anthropic-sdk-kotlin#147',
    [
      begin('msg_1'),
      block(0, { type: 'text', text: '' }),
      add(0, { type: 'text_delta', text: 'Hello' }),
      block(1, use),
      add(1, { type: 'input_json_delta', partial_json: PATH }),
      ...stopped('tool_use'),
    ],
    { ...READ, shows: ['Hello', 'They say seven.'] },
  ],
  [
    'an end that does not come',
    'strands-agents/harness-sdk#2047',
    [
      begin('msg_1'),
      block(0, { type: 'text', text: '' }),
      add(0, { type: 'text_delta', text: 'Hello' }),
      event('content_block_stop', { index: 0 }),
    ],
    AGAIN,
  ],
];

const candidate = (fields: object) => ({ candidates: [{ index: 0, ...fields }] });
const GEMINI: readonly PieceRow[] = [
  [
    'an end before the text',
    'Chevey339/kelivo#1002',
    [
      sse(candidate({ content: { role: 'model', parts: [] }, finishReason: 'STOP' })),
      sse(candidate({ content: { role: 'model', parts: [{ text: 'Hello' }] } })),
      sse(candidate({ content: { role: 'model', parts: [] }, finishReason: 'STOP' })),
    ],
    HELLO,
  ],
  [
    'an error after a text',
    'ankit373/hydra#874',
    [
      sse(candidate({ content: { role: 'model', parts: [{ text: 'the first half' }] } })),
      sse({ error: { code: 503, message: 'The model is overloaded. Please try again later.', status: 'UNAVAILABLE' } }),
    ],
    AGAIN,
  ],
  [
    'a reason with words',
    'agentjido/req_llm#935',
    [
      sse({ candidates: [{ content: { role: 'model', parts: [{ text: 'Hm', thought: true }] }, index: 0 }] }),
      sse({
        candidates: [
          {
            finishReason: 'MALFORMED_FUNCTION_CALL',
            finishMessage:
              'Malformed function call: Failed to parse function call: Function call is empty - no input to parse.',
            index: 0,
          },
        ],
      }),
    ],
    { ...AGAIN, shows: ['Function call is empty', 'They say seven.'] },
  ],
];

const LISTED: RawRow = [
  'a list whose last candidate has no content',
  'flachesis/gemini-rust#29',
  jsonReply([
    candidate({ content: { role: 'model', parts: [{ text: 'Listing.', thought: true }] } }),
    candidate({ finishReason: 'MALFORMED_FUNCTION_CALL' }),
  ]),
  AGAIN,
];

const OLLAMA: readonly PieceRow[] = [
  [
    'an error as the name of a field',
    'ollama/ollama#11781',
    [`${JSON.stringify({ "error parsing tool call: raw='{\"a', err=unexpected end of JSON input": '' })}\n`],
    AGAIN,
  ],
  [
    'a call that the server could not read',
    'langchain-ai/langchain#34746',
    [
      `${JSON.stringify({ message: { role: 'assistant', content: 'Hm' }, done: false })}\n`,
      JSON.stringify({ error: 'error parsing tool call: raw=\'{"reflection":"I\', err=unexpected end of JSON input' }) +
        '\n',
    ],
    AGAIN,
  ],
];

const CHAT_ENDS: readonly PieceRow[] = [
  [
    'an end without a delta, with counts',
    'agentgateway/agentgateway#3455',
    [
      sse({
        choices: [
          {
            index: 0,
            delta: {
              tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'read_file', arguments: '' } }],
            },
          },
        ],
      }),
      sse({
        choices: [{ index: 0, delta: { tool_calls: [{ index: 0, type: 'function', function: { arguments: PATH } }] } }],
      }),
      sse({
        choices: [{ finish_reason: 'tool_calls', index: 0 }],
        usage: { completion_tokens: 44, prompt_tokens: 37031, prompt_tokens_details: { cached_tokens: 34496 } },
      }),
      'data: [DONE]\n\n',
    ],
    READ,
  ],
  [
    'no choices in the middle',
    'paul356/KiCad-AI-Assistant#90',
    [
      sse({ choices: [{ index: 0, delta: { content: 'Hel' } }] }),
      sse({ choices: [], usage: null }),
      sse({ choices: [{ index: 0, delta: { content: 'lo' }, finish_reason: 'stop' }] }),
      'data: [DONE]\n\n',
    ],
    HELLO,
  ],
];

/**
 * Answers over Chat Completions, Responses, Messages, Gemini and Ollama, from public reports of the autumn of 2026 and
 * before.
 */
export const MORE_WIRE_REPORTS: readonly ReplyRow[] = [
  ...rowsOf('openai-chat', CHAT_ENDS),
  ...rowsOf('openai-responses', RESPONSES),
  ...rowsOf('anthropic-messages', MESSAGES),
  ...rowsOf('gemini', GEMINI),
  ...rawRowsOf('gemini', [LISTED]),
  ...rowsOf('ollama-chat', OLLAMA),
];
