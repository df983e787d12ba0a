import { gzipSync, zstdCompressSync } from 'node:zlib';
import { FRAMES, sse } from '../frames.ts';
import { AGAIN, event, HELLO, PATH, type PieceRow, type RawRow, READ, rawRowsOf, rowsOf } from '../piece-row.ts';
import { jsonReply, pieceReply } from '../raw-server.ts';
import type { ReplyRow } from '../run-reply.ts';

const DONE = 'data: [DONE]\n\n';
const chunk = (delta: unknown, finish: unknown = null, more: object = {}) =>
  sse({ choices: [{ index: 0, delta, finish_reason: finish, ...more }] });
const text = chunk({ content: 'Hello' });
const stop = chunk({}, 'stop');
const call = (fields: object) => chunk({ tool_calls: [{ index: 0, ...fields }] });
const called = [chunk({}, 'tool_calls'), DONE];

const CHAT: readonly PieceRow[] = [
  [
    'a heartbeat within a value',
    'james-6-23/codex2api#696',
    [
      text,
      'data: {"choices":[{"index":0,"delta":{"content":" you"},"safety_: keepalive\n\nbuffering":false}]}\n\n',
      stop,
      DONE,
    ],
    AGAIN,
  ],
  [
    'a heartbeat within a value, without a blank line',
    'maximhq/bifrost#5905',
    [text, 'data: {"choices":[{"index":0,"delta":{"cont', ': heartbeat\n', 'ent":" you"}}]}\n\n', stop, DONE],
    AGAIN,
  ],
  [
    'a comment with a blank line after an event with an id',
    'theopenco/llmgateway#2334',
    ['id: 1\n', text, ': ping\n\n', 'id: 2\n', stop, ': ping\n\n', DONE],
    HELLO,
  ],
  ['empty data', 'netease-lcap/wave-agent#1326', ['data:\n\n', text, 'data: \n\n', stop, DONE], HELLO],
  ['pings as values', 'caidaoli/ccLoad#69', [sse({ type: 'ping' }), sse({ type: 'ping' }), text, stop, DONE], HELLO],
  [
    'heartbeats as values with a time',
    'PhilflowIO/dav-mcp#31',
    [sse({ type: 'heartbeat', timestamp: '2025-10-31T11:30:41.100Z' }), text, stop, DONE],
    HELLO,
  ],
  [
    'a limit in place of the choices',
    'RooCodeInc/Roo-Code#9105',
    [sse({ id: 'x', choices: null, base_resp: { status_code: 1002, status_msg: 'rate limit' } })],
    { ...AGAIN, shows: ['rate limit', 'They say seven.'] },
  ],
  ['counts alone', 'tashfeenahmed/freellmapi#156', [text, sse({ usage: { total_tokens: 3 } }), stop, DONE], HELLO],
  ['an end whose delta is null', 'agentuniverse-ai/agentUniverse#772', [text, chunk(null, 'stop'), DONE], HELLO],
  [
    'an error of the gateway after the text',
    'BerriAI/litellm#42484',
    [text, sse({ error: { message: 'list index out of range', type: 'None', param: 'None', code: '500' } })],
    AGAIN,
  ],
  [
    'a failure of the network as the native reason of an end',
    'earendil-works/pi#8511',
    [text, chunk({ content: '' }, 'stop', { native_finish_reason: 'network_error' }), DONE],
    AGAIN,
  ],
  [
    'the same behind no text',
    'earendil-works/pi#8511, as it was reported',
    [chunk({ content: '' }, 'stop', { native_finish_reason: 'network_error' }), DONE],
    AGAIN,
  ],
  [
    'a name with each piece',
    'weicj/vLLM-2080Ti-Definitive#127',
    [
      call({ id: 'a', type: 'function', function: { name: 'read_file', arguments: '{"path": ' } }),
      call({ function: { name: 'read_file', arguments: '"notes.txt"' } }),
      call({ function: { name: 'read_file', arguments: '}' } }),
      call({ function: { name: 'read_file', arguments: '' } }),
      ...called,
    ],
    READ,
  ],
  [
    'frames without content, and an end',
    'NousResearch/hermes-agent#112183',
    ['data:\n\n', 'event: ping\n\n', 'id: 7\n\n'],
    AGAIN,
  ],
  [
    'a line separator and a next line within a text',
    'open-metadata/OpenMetadata#29531',
    ['data: {"choices":[{"index":0,"delta":{"content":"Hel\u2028lo\u0085 you"}}]}\n\n', stop, DONE],
    { ...HELLO, shows: ['lo'] },
  ],
  ['the end of an answer of another wire', 'vercel/modelfusion#343', [text, chunk({}, 'end_turn'), DONE], HELLO],
];

const bytes = (frames: readonly string[], split: number) => {
  const all = Buffer.from(frames.join(''));
  return [all.subarray(0, split), all.subarray(split)];
};
const HELLO_BYTES = Buffer.from(
  [...FRAMES['openai-chat'].text('Hello'), ...FRAMES['openai-chat'].end('stop')].join(''),
);
const HELLO_FRAMES = [HELLO_BYTES.subarray(0, 40), HELLO_BYTES.subarray(40)];
const CHINESE = [chunk({ content: '修复方法' }), stop, DONE];
const lost = Buffer.from([chunk({ content: 'Hello XX' }), stop, DONE].join(''));
const packed = (packer: (bytes: Buffer) => Buffer, encoding: string) => {
  const body = packer(HELLO_BYTES);
  return pieceReply([body.subarray(0, 11), body.subarray(11)], {
    headers: encoding === '' ? {} : { 'content-encoding': encoding },
  });
};
lost[lost.indexOf('XX')] = 0xe4;
lost[lost.indexOf('X')] = 0xb8;

const RAW: readonly RawRow[] = [
  [
    'a letter in two pieces',
    'anomalyco/opencode#39694',
    pieceReply(bytes(CHINESE, Buffer.from(CHINESE[0] ?? '').indexOf(0xe4) + 1)),
    { ...HELLO, shows: ['修复方法'] },
  ],
  [
    'a mark of the byte order in pieces',
    'elizaOS/eliza#19260',
    pieceReply([Buffer.from([0xef]), Buffer.from([0xbb]), Buffer.from([0xbf]), ...HELLO_FRAMES]),
    HELLO,
  ],
  ['half of a letter', 'ggml-org/llama.cpp#28926', pieceReply([lost]), HELLO],
  ['Zstandard', 'vm0-ai/vm0#8903', packed(zstdCompressSync, 'zstd'), HELLO],
  [
    'gzip that a gateway read as text',
    'Wei-Shaw/claude-relay-service#1056',
    pieceReply([gzipSync(HELLO_BYTES).toString('utf8')]),
    AGAIN,
  ],
  [
    'a whole answer with a reason of another wire',
    'vercel/modelfusion#343',
    jsonReply({
      id: 'gen-xxx',
      model: 'anthropic/claude-3-opus',
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'end_turn' }],
      usage: { prompt_tokens: 10, completion_tokens: 12, total_tokens: 22 },
    }),
    HELLO,
  ],
];

const item = (name: string, args: string) => ({ type: 'function_call', name, arguments: args });
const RESPONSES: readonly PieceRow[] = [
  [
    'heartbeats without data',
    'diegosouzapw/OmniRoute#1146',
    [
      'event: keepalive\n\n',
      ...FRAMES['openai-responses'].text('Hello'),
      'event: keepalive\ndata:\n\n',
      ...FRAMES['openai-responses'].end('completed'),
    ],
    HELLO,
  ],
  [
    'an empty name at the end of a call',
    'router-for-me/CLIProxyAPI#1004',
    [
      event('response.output_item.added', {
        output_index: 0,
        item: { ...item('read_file', ''), id: 'fc_1', call_id: 'a' },
      }),
      event('response.function_call_arguments.delta', { output_index: 0, item_id: 'fc_1', delta: PATH }),
      event('response.output_item.done', { output_index: 0, item: { ...item('', PATH), id: 'fc_1', call_id: 'a' } }),
      event('response.completed', { response: { status: 'completed' } }),
    ],
    READ,
  ],
  [
    'a call without any id',
    'BigPizzaV3/CodexPlusPlus#614',
    [
      event('response.output_item.added', { item: item('read_file', '') }),
      event('response.output_item.done', { item: item('', PATH) }),
      event('response.completed', { response: { status: 'completed' } }),
    ],
    READ,
  ],
  [
    'a call without an end',
    'NousResearch/hermes-agent#92764',
    [
      event('response.created', { response: { id: 'r' } }),
      event('response.output_item.added', { item: { ...item('read_file', ''), id: 'fc_1', call_id: 'call_1' } }),
      event('response.function_call_arguments.delta', { item_id: 'fc_1', delta: '{"path": ' }),
      event('response.function_call_arguments.delta', { item_id: 'fc_1', delta: '"notes.txt"}' }),
      event('response.completed', { response: { status: 'completed', output: [] } }),
    ],
    READ,
  ],
  [
    'a status that asks for the results of calls',
    'justlovemaki/AIClient2API#472',
    [
      event('response.output_item.added', {
        output_index: 0,
        item: { ...item('read_file', ''), id: 'fc_1', call_id: 'a' },
      }),
      event('response.custom_tool_call_input.delta', { output_index: 0, item_id: 'fc_1', delta: PATH }),
      event('response.output_item.done', {
        output_index: 0,
        item: { ...item('read_file', PATH), id: 'fc_1', call_id: 'a' },
      }),
      event('response.completed', { response: { status: 'requires_action' } }),
    ],
    READ,
  ],
  [
    'reasoning without a summary, which goes back with one',
    'newo-ether/Agora#141',
    [
      event('response.output_item.done', {
        output_index: 0,
        item: { type: 'reasoning', id: 'rs_1', encrypted_content: 'e' },
      }),
      event('response.output_item.done', {
        output_index: 1,
        item: { ...item('read_file', PATH), id: 'fc_1', call_id: 'a' },
      }),
      event('response.completed', { response: { status: 'completed' } }),
    ],
    { ...READ, sends: ['The notes say seven.', '"summary":[]'] },
  ],
];

const block = (fields: object, more: object = {}) => event('content_block_start', { content_block: fields, ...more });
const use = { type: 'tool_use', id: 'toolu_1', name: 'read_file' };
const begun = event('message_start', { message: { id: 'm', usage: { input_tokens: 5 } } });
const stopped = (reason: string) => [
  event('message_delta', { delta: { stop_reason: reason }, usage: { output_tokens: 3 } }),
  event('message_stop'),
];
const MESSAGES: readonly PieceRow[] = [
  [
    'arguments without an index',
    'decolua/9router#2218',
    [
      begun,
      block({ ...use, input: {} }, { index: 0 }),
      event('content_block_delta', { delta: { type: 'input_json_delta', partial_json: PATH } }),
      event('content_block_stop', { index: 0 }),
      ...stopped('tool_use'),
    ],
    READ,
  ],
  [
    'an error as the only event',
    'djinnos/djinn#751',
    ['event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n'],
    AGAIN,
  ],
  [
    'an error after half of a text',
    'farzaa/clicky#132',
    [
      begun,
      block({ type: 'text', text: '' }, { index: 0 }),
      event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Partial' } }),
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
    ],
    AGAIN,
  ],
  [
    'a refused request as the only event',
    'justrach/codegraff#748',
    ['event: error\ndata: {"type":"error","error":{"type":"invalid_request_error","message":"messages: bad"}}\n\n'],
    { code: 1, requests: 1, shows: ['messages: bad'] },
  ],
  [
    'a limit without the name of its event',
    'caidaoli/ccLoad#69',
    [
      'data: {"type": "ping"}\n\ndata: {"type": "ping"}\n\n',
      'data: {"type":"error","error":{"type":"rate_limit_error","message":"Concurrency limit exceeded for account, please retry later"}}\n\n',
    ],
    { ...AGAIN, shows: ['Concurrency limit exceeded', 'They say seven.'] },
  ],
];

const candidate = (parts: readonly object[], more: object = {}) =>
  sse({ candidates: [{ content: { role: 'model', parts }, ...more }] });
const READ_CALL = { functionCall: { name: 'read_file', args: { path: 'notes.txt' } } };
const GEMINI: readonly PieceRow[] = [
  [
    'a call of a tool that was not offered',
    'epam/ai-dial-adapter-vertexai#325',
    [
      candidate([{ functionCall: { name: 'undeclaredTool', args: { arg1: 'value1' } } }], {
        finishReason: 'UNEXPECTED_TOOL_CALL',
        finishMessage: 'Unexpected tool call: Model tried to call an undeclared function: undeclaredTool',
      }),
    ],
    { ...AGAIN, shows: ['undeclaredTool', 'They say seven.'] },
  ],
  [
    'a text and a call in one part',
    'NousResearch/hermes-agent#109862',
    [candidate([{ text: 'Let me check.', ...READ_CALL }], { finishReason: 'STOP' })],
    { ...READ, shows: ['Let me check.', 'They say seven.'] },
  ],
  [
    'a broken call without content',
    'elastic/kibana#227096',
    [sse({ candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL' }] })],
    AGAIN,
  ],
  [
    'empty texts around a call',
    'google/adk-js#425',
    [candidate([{ text: '' }]), candidate([READ_CALL]), candidate([{ text: '' }], { finishReason: 'STOP' })],
    READ,
  ],
];

const OLLAMA: readonly PieceRow[] = [
  ['no line at all', 'maruakshay/miii-cli#71', [], AGAIN],
  [
    'thinking ahead of the text',
    'cline/cline#12858',
    [
      `${JSON.stringify({ message: { role: 'assistant', content: '', thinking: 'Hm.' }, done: false })}\n`,
      ...FRAMES['ollama-chat'].text('Hello'),
      ...FRAMES['ollama-chat'].end('stop'),
    ],
    HELLO,
  ],
];

/** Streams on all wires, from public reports of the autumn of 2026. */
export const STREAM_REPORTS: readonly ReplyRow[] = [
  ...rowsOf('openai-chat', CHAT),
  ...rawRowsOf('openai-chat', RAW),
  ...rowsOf('openai-responses', RESPONSES),
  ...rowsOf('anthropic-messages', MESSAGES),
  ...rowsOf('gemini', GEMINI),
  ...rowsOf('ollama-chat', OLLAMA),
];
