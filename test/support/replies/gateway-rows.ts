import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { FRAMES, sse } from './frames.ts';
import { event, failing, HELLO, PATH, type PieceRow, type RawRow, READ, rawRowsOf, rowsOf } from './piece-row.ts';
import { pieceReply, type RawReply } from './raw-server.ts';
import type { ReplyRow } from './run-reply.ts';

const chat = FRAMES['openai-chat'];
const hello = [...chat.text('Hello'), ...chat.end('stop')];
const call = (args: unknown, reason = 'tool_calls') => [
  sse({ choices: [{ delta: { tool_calls: [{ id: 'a', function: { name: 'read_file', arguments: args } }] } }] }),
  ...chat.end(reason),
];
const compressed = (bytes: Uint8Array, encoding: string): RawReply =>
  pieceReply([bytes], encoding === '' ? {} : { headers: { 'content-encoding': encoding } });
const [gzip, deflate, brotli] = [gzipSync, deflateSync, brotliCompressSync].map((compress) => compress(hello.join('')));

/** Replies of proxies that compress without being asked, or truncate the body of an error. */
const REPLIES: readonly RawRow[] = [
  ['gzip', 'Wei-Shaw/claude-relay-service#1027', compressed(gzip ?? Buffer.of(), 'gzip'), HELLO],
  [
    'gzip in pieces of a byte',
    'psf/requests#2446',
    pieceReply(
      [...(gzip ?? [])].map((byte) => Buffer.of(byte)),
      { headers: { 'content-encoding': 'x-gzip' } },
    ),
    HELLO,
  ],
  ['gzip without a header', 'Pasta-Devs/Marinara-Engine#784', compressed(gzip ?? Buffer.of(), ''), HELLO],
  ['deflate', 'kdzwinel/betwixt#54', compressed(deflate ?? Buffer.of(), 'deflate'), HELLO],
  ['brotli', 'vm0-ai/vm0#8903', compressed(brotli ?? Buffer.of(), 'br'), HELLO],
  [
    'a header of compression on a plain answer',
    'qualixar/superlocalmemory#79',
    pieceReply(hello, { headers: { 'content-encoding': 'gzip' } }),
    HELLO,
  ],
  [
    'a compressed error',
    'lablup/backend.ai#5771',
    pieceReply([gzipSync('{"error":{"message":"Bad parameter given.","type":"invalid_request_error"}}')], {
      ...{ status: 400, type: 'application/json', headers: { 'content-encoding': 'gzip' } },
    }),
    failing('400: Bad parameter given'),
  ],
  [
    'an error whose body does not come',
    'agentgateway/agentgateway#1340',
    {
      pieces: ['HTTP/1.1 400 Bad\r\ncontent-type: application/json\r\ncontent-length: 120\r\n\r\n'],
      afterwards: 'close',
    },
    failing('refused the request (400)'),
  ],
  [
    'a relative redirect names the endpoint',
    'no report; beside the others',
    pieceReply([], { status: 302, headers: { location: '/x/v1/chat/completions' } }),
    { ...failing('/x/v1 (302)'), hides: ['/x/v1/chat'] },
  ],
];

const CHAT: readonly PieceRow[] = [
  ['frames within frames', 'openclaw/openclaw#97474', hello.map((frame) => `data: ${frame}`), HELLO],
  [
    'another answer beside the first',
    'OpenAI, `n`',
    [
      sse({
        choices: [
          { index: 0, delta: { content: 'Hello' } },
          { index: 1, delta: { content: 'Other' } },
        ],
      }),
      sse({ choices: [{ index: 1, delta: {}, finish_reason: 'length' }] }),
      ...chat.end('stop'),
    ],
    { ...HELLO, hides: ['Other'] },
  ],
  [
    'a number as content',
    'no report; beside the others',
    [sse({ choices: [{ delta: { content: 42 } }] }), ...chat.end('stop')],
    { code: 0, requests: 1, shows: ['42'] },
  ],
  ['a call in an answer that is withheld', 'HKUDS/nanobot#3249', call(PATH, 'refusal'), failing('content filter')],
  [
    'values without end that add nothing',
    'no report; a proxy that loops',
    Array.from({ length: 101 }, () => 'data: {}\n\n'.repeat(1000)),
    { code: 0, requests: 2, shows: ['100000 values add nothing', 'They say seven.'] },
  ],
];

const MESSAGES: readonly PieceRow[] = [
  [
    'arguments as an object in a piece',
    'no report; beside the others',
    [
      event('content_block_start', {
        index: 0,
        content_block: { type: 'tool_use', id: 't', name: 'read_file', input: {} },
      }),
      event('content_block_delta', {
        index: 0,
        delta: { type: 'input_json_delta', partial_json: { path: 'notes.txt' } },
      }),
      ...FRAMES['anthropic-messages'].end('tool_use'),
    ],
    READ,
  ],
];

const GEMINI: readonly PieceRow[] = [
  [
    'chunks within a response',
    'google-gemini/gemini-cli, Code Assist',
    [
      sse({ response: { candidates: [{ content: { parts: [{ text: 'Hello' }] } }] }, traceId: '1' }),
      sse({ response: { candidates: [{ finishReason: 'STOP' }] } }),
    ],
    HELLO,
  ],
];

/** Answers of services, changed by proxies and gateways. */
export const GATEWAY_ROWS: readonly ReplyRow[] = [
  ...rawRowsOf('openai-chat', REPLIES),
  ...rowsOf('openai-chat', CHAT),
  ...rowsOf('anthropic-messages', MESSAGES),
  ...rowsOf('gemini', GEMINI),
];
