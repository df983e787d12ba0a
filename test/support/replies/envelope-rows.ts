import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import type { Wire } from '../../../src/providers/wires.ts';
import { FRAMES, sse, streamOf } from './frames.ts';
import {
  AGAIN,
  BOTH,
  event,
  failing,
  HELLO,
  PATH,
  type PieceRow,
  type RawRow,
  READ,
  rawRowsOf,
  rowsOf,
} from './piece-row.ts';
import { jsonReply, pieceReply, type RawReply } from './raw-server.ts';
import type { ReplyRow } from './run-reply.ts';

const chat = FRAMES['openai-chat'];
const hello = [...chat.text('Hello'), ...chat.end('stop')];
const whole = chat.whole('Hello');
const calls = [{ id: 'a', function: { name: 'read_file', arguments: PATH } }];
const wholeCall = { choices: [{ message: { content: null, tool_calls: calls }, finish_reason: 'tool_calls' }] };
const completed = event('response.completed', { response: { status: 'completed', output: [] } });
const compressed = (bytes: Uint8Array, encoding?: string): RawReply =>
  pieceReply([bytes], encoding === undefined ? {} : { headers: { 'content-encoding': encoding } });

/** Answers within the JSON of a gateway. */
const WHOLE: readonly RawRow[] = [
  ['an answer in data', 'mnfst/llm-gateway#2557', jsonReply({ data: whole, success: true }), HELLO],
  ['a call in data', 'kittors/CliRelay#569', jsonReply({ success: true, data: wholeCall }), READ],
  ['an answer in data, and ok', 'no report; beside the others', jsonReply({ code: 0, msg: 'ok', data: whole }), HELLO],
  ['an answer in result', 'Cloudflare Workers AI', jsonReply({ result: whole, success: true, errors: [] }), HELLO],
  ['an answer as a text', 'AWS Lambda', jsonReply({ statusCode: 200, body: JSON.stringify(whole) }), HELLO],
  ['an answer in output', 'DashScope', jsonReply({ output: whole, usage: { input_tokens: 1 } }), HELLO],
  [
    'an error as a text',
    'AWS Lambda',
    jsonReply({ statusCode: 400, body: '{"error":{"message":"Bad parameter x"}}' }),
    failing('Bad parameter x'),
  ],
  [
    'a limit of use in tokens is no limit of the window',
    'anomalyco/opencode#39620, crewAIInc/crewAI#7613',
    jsonReply({ __type: 'ThrottlingException', message: 'Too many tokens, please wait.' }, { status: 400 }),
    { code: 0, requests: 2, shows: ['limiting requests', 'They say seven.'] },
  ],
  ['zstd', 'SillyTavern/SillyTavern#6007', compressed(zstdCompressSync(hello.join('')), 'zstd'), HELLO],
  ['zstd without a header', 'SillyTavern/SillyTavern#6007', compressed(zstdCompressSync(hello.join(''))), HELLO],
  ['two formats', 'nodejs/undici#3762', compressed(deflateSync(gzipSync(hello.join(''))), 'gzip, deflate'), HELLO],
  [
    'another binary body',
    'nodejs/undici#954, of an unknown compression',
    compressed(Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00, 0x04, 0xe6, 0xd6]), 'xz'),
    { code: 0, requests: 2, shows: ['which is neither text nor JSON', 'They say seven.'] },
  ],
];

/** An answer in the form of another wire. */
const OTHER_WIRES: readonly (readonly [Wire, Wire, source: string, title: string])[] = [
  ['openai-responses', 'openai-chat', 'OpenRouterTeam/ai-sdk-provider#333', 'Chat Completions, not of Responses'],
  ['openai-chat', 'openai-responses', 'anomalyco/opencode#30580', 'Responses, not of Chat Completions'],
  ['openai-chat', 'anthropic-messages', 'no report; beside the others', 'Messages, not of Chat Completions'],
  ['anthropic-messages', 'openai-chat', 'no report; beside the others', 'Chat Completions, not of Messages'],
  ['ollama-chat', 'openai-chat', 'no report; beside the others', 'Chat Completions, not of Ollama'],
  ['openai-chat', 'ollama-chat', 'no report; beside the others', 'Ollama, not of Chat Completions'],
  ['gemini', 'openai-chat', 'no report; beside the others', 'Chat Completions, not of Gemini'],
  ['openai-chat', 'gemini', 'no report; beside the others', 'Gemini, not of Chat Completions'],
];

const piece = (more: object, called?: object) =>
  sse({ choices: [{ delta: { tool_calls: [{ index: 0, ...more, function: called }] } }] });
const [, text = ''] = chat.text('Hello');
const [stop = ''] = chat.end('stop');

const CHAT: readonly PieceRow[] = [
  ['chunks in data', 'mnfst/llm-gateway#2557', [text, stop].map((f) => sse({ data: JSON.parse(f.slice(6)) })), HELLO],
  [
    'a response in a frame',
    'qoder',
    [sse({ body: '{"message":"Blocked"}', statusCodeValue: 406 })],
    failing('Blocked'),
  ],
  ['the mark without brackets', 'googleapis/java-genai#1084', [text, stop, 'data: DONE\n\n'], HELLO],
  ['the mark in small letters', 'no report; beside the others', [text, stop, 'data: [done]\n\n'], HELLO],
  [
    'two chunks in a line, one with braces in its text',
    'rexxars/eventsource-parser#31',
    [`data: ${chat.text('}{Hello')[1]?.slice(6).trim()}${stop.slice(6)}`],
    HELLO,
  ],
  ['the text in the field of completions', 'FastChat', [sse({ choices: [{ text: 'Hello' }] }), stop], HELLO],
  [
    'a call that failed, called an end',
    'vellum-ai/vellum-assistant#43134',
    [
      sse({ choices: [{ delta: { content: ',patch:true}}' } }] }),
      sse({ choices: [{ finish_reason: 'stop', native_finish_reason: 'MALFORMED_FUNCTION_CALL' }] }),
    ],
    AGAIN,
  ],
  [
    'arguments by the name of Anthropic',
    'no report; beside the others',
    [piece({ id: 'a' }, { name: 'read_file', input: { path: 'notes.txt' } }), ...chat.end('tool_calls')],
    READ,
  ],
  [
    'arguments by the name of Llama',
    'no report; beside the others',
    [piece({ id: 'a' }, { name: 'read_file', parameters: { path: 'notes.txt' } }), ...chat.end('tool_calls')],
    READ,
  ],
  [
    'a second call without its start',
    'dyedd/lens#49',
    [
      piece({ id: 'a' }, { name: 'read_file', arguments: '' }),
      piece({}, { name: '', arguments: PATH }),
      piece({}, { name: '', arguments: '{"path":"none.txt"}' }),
      ...chat.end('tool_calls'),
    ],
    { ...READ, sends: ['The notes say seven.', 'none.txt'] },
  ],
];

const call = { id: 'f', call_id: 'c', name: 'read_file' };
const RESPONSES: readonly PieceRow[] = [
  [
    'a custom call',
    'github/copilot-cli#4327',
    [
      event('response.output_item.added', { item: { type: 'custom_tool_call', ...call, input: '' } }),
      event('response.custom_tool_call_input.delta', { item_id: 'f', delta: PATH }),
      event('response.custom_tool_call_input.done', { item_id: 'f', input: PATH }),
      event('response.output_item.done', { item: { type: 'custom_tool_call', ...call, input: PATH } }),
      completed,
    ],
    READ,
  ],
  [
    'calls whose pieces alternate',
    'mcowger/plexus#694',
    [
      event('response.output_item.added', { output_index: 2, item: { type: 'function_call', ...call } }),
      event('response.output_item.added', {
        output_index: 5,
        item: { type: 'function_call', id: 'g', call_id: 'd', name: 'list_files' },
      }),
      event('response.function_call_arguments.delta', { output_index: 2, item_id: 'f', delta: '{"path":' }),
      event('response.function_call_arguments.delta', { output_index: 5, item_id: 'g', delta: '{"pattern":"*"}' }),
      event('response.function_call_arguments.delta', { output_index: 2, item_id: 'f', delta: '"notes.txt"}' }),
      completed,
    ],
    BOTH,
  ],
  [
    'a text in an object',
    'no report; beside the others',
    [event('response.output_text.delta', { delta: { text: 'Hello' } }), completed],
    HELLO,
  ],
  [
    'a part without pieces',
    'Wei-Shaw/sub2api#2875, the other way round',
    [
      event('response.content_part.done', { part: { type: 'reasoning_text', text: 'Hm.' } }),
      event('response.content_part.done', { part: { type: 'output_text', text: 'Hello' } }),
      completed,
    ],
    { ...HELLO, hides: ['Hm.Hello'] },
  ],
  [
    'the status of the start at the end',
    'no report; beside the others',
    [...FRAMES['openai-responses'].text('Hello'), event('response.completed', { response: { status: 'in_progress' } })],
    HELLO,
  ],
  [
    'a message whose content is a text',
    'no report; beside the others',
    [event('response.completed', { response: { output: [{ type: 'message', content: 'Hello' }] } })],
    HELLO,
  ],
  [
    'the text alone',
    'router-for-me/CLIProxyAPI#3064, the other way round',
    [event('response.completed', { response: { output: [], output_text: 'Hello' } })],
    HELLO,
  ],
];

/** Answers within other values, in the form of another wire, or with parts by other names. */
export const ENVELOPE_ROWS: readonly ReplyRow[] = [
  ...rawRowsOf('openai-chat', WHOLE),
  ...OTHER_WIRES.map(([wire, other, source, title]): ReplyRow => {
    const frames = [...FRAMES[other].text('Hello'), ...FRAMES[other].end(FRAMES[other].reasons.stop)];
    const name = `the form of ${other}`;
    return { name, source, wire, replies: [streamOf(other, frames)], ...failing(`in the form of ${title}`) };
  }),
  ...rowsOf('openai-chat', CHAT),
  ...rowsOf('openai-responses', RESPONSES),
];
