import { FRAMES } from '../frames.ts';
import { AGAIN, failing, HELLO, type RawRow, rawRowsOf } from '../piece-row.ts';
import { jsonReply, pieceReply, type RawReply } from '../raw-server.ts';
import type { ReplyRow } from '../run-reply.ts';

const HELLO_FRAMES = [...FRAMES['openai-chat'].text('Hello'), ...FRAMES['openai-chat'].end('stop')];

const REPLIES: readonly RawRow[] = [
  [
    'a whole answer that ended with an error',
    'maximhq/bifrost#5425',
    jsonReply({
      choices: [{ index: 0, message: { content: '{"events": [{"title": "partial' }, finish_reason: 'error' }],
      usage: { prompt_tokens: null, total_tokens: 0 },
    }),
    AGAIN,
  ],
  ['null as the whole answer', 'theopenco/llmgateway#3904', jsonReply(null), AGAIN],
  ['no body at all', 'decolua/9router#3051', pieceReply([]), AGAIN],
  ['an empty list as the whole answer', 'no report; beside the others', jsonReply([]), AGAIN],
  [
    'chunked beside a length',
    'nodejs/node#7136',
    rawHead(
      ['HTTP/1.1 200 OK', 'content-type: text/event-stream', 'content-length: 5', 'transfer-encoding: chunked'],
      HELLO_FRAMES,
    ),
    HELLO,
  ],
  [
    'lines of the head without CR',
    'no report; beside the others',
    {
      pieces: [`HTTP/1.1 200 OK\ncontent-type: text/event-stream\nconnection: close\n\n${HELLO_FRAMES.join('')}`],
      afterwards: 'close',
    },
    HELLO,
  ],
  [
    'an early hint before the head',
    'RFC 8297',
    rawHead(
      [
        'HTTP/1.1 103 Early Hints',
        'link: </x>',
        '',
        'HTTP/1.1 200 OK',
        'content-type: text/event-stream',
        'transfer-encoding: chunked',
      ],
      HELLO_FRAMES,
    ),
    HELLO,
  ],
  [
    'bytes behind the body',
    'nodejs/llhttp#445',
    {
      pieces: [
        `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: 0\r\nconnection: close\r\n\r\nNot allowed`,
      ],
      afterwards: 'close',
    },
    failing('refused the request (400'),
  ],
  [
    'a head of 40 KB',
    'no report; beside the others',
    rawHead(
      [
        'HTTP/1.1 200 OK',
        `set-cookie: a=${'x'.repeat(40_000)}`,
        'content-type: text/event-stream',
        'transfer-encoding: chunked',
      ],
      HELLO_FRAMES,
    ),
    HELLO,
  ],

  [
    'a format that the model missed',
    'aaif-goose/goose#1161',
    jsonReply(
      {
        error_code: 'BAD_REQUEST',
        message:
          'Error: Model response did not respect the required format. Please consider retrying or using a more straightforward prompt.',
      },
      { status: 400 },
    ),
    AGAIN,
  ],
  [
    'a grammar that the server could not build',
    'lidge-jun/opencodex#2135',
    jsonReply(
      {
        error: {
          code: 400,
          message: 'Failed to initialize samplers: failed to parse grammar',
          type: 'invalid_request_error',
        },
      },
      { status: 400 },
    ),
    { code: 0, requests: 2, shows: ['sent again', 'They say seven.'] },
  ],
  [
    'a keyword that Cerebras does not know',
    'musistudio/claude-code-router#708',
    jsonReply(
      {
        message: "Unsupported JSON schema fields: {'minItems', 'items'}",
        type: 'invalid_request_error',
        param: 'response_format',
        code: 'wrong_api_format',
      },
      { status: 400 },
    ),
    { code: 0, requests: 2, shows: ['sent again', 'They say seven.'] },
  ],
  [
    'a keyword that Groq does not know',
    'i-am-bee/beeai-framework#1215',
    jsonReply(
      {
        error: {
          message: 'invalid schema for function read_file: minItems is not supported',
          type: 'invalid_request_error',
        },
      },
      { status: 400 },
    ),
    { code: 0, requests: 2, shows: ['sent again', 'They say seven.'] },
  ],
  [
    'a reset in the middle',
    'anomalyco/opencode#22803',
    pieceReply(HELLO_FRAMES.slice(0, 2), { unended: true, afterwards: 'reset' }),
    AGAIN,
  ],
  ['a reset before the head', 'jwbron/egg#1907', { pieces: [], afterwards: 'reset' }, AGAIN],
  ['an end before the head', 'openchamber/openchamber#3333', { pieces: [], afterwards: 'close' }, AGAIN],
  [
    'a chunk without its end',
    'microsoft/promptflow#1052',
    {
      pieces: [
        'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n',
        `${Buffer.byteLength(HELLO_FRAMES[0] ?? '').toString(16)}\r\n${HELLO_FRAMES[0]}\r\n`,
      ],
      afterwards: 'close',
    },
    AGAIN,
  ],
  [
    'whole frames, whose last chunk is missing',
    'microsoft/promptflow#1052',
    {
      pieces: [
        'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n',
        ...HELLO_FRAMES.map((frame) => `${Buffer.byteLength(frame).toString(16)}\r\n${frame}\r\n`),
      ],
      afterwards: 'close',
    },
    HELLO,
  ],
  [
    'the status 204',
    'Scottcjn/bottube#1979',
    { pieces: ['HTTP/1.1 204 No Content\r\n\r\n'], afterwards: 'close' },
    AGAIN,
  ],
  [
    'a proxy that wants a password',
    'RFC 9110',
    pieceReply(['<html><body>Proxy Authentication Required</body></html>'], { status: 407, type: 'text/html' }),
    failing('407'),
  ],
  [
    'a status without a reason',
    'RFC 9112',
    {
      pieces: [`HTTP/1.1 200\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n${HELLO_FRAMES.join('')}`],
      afterwards: 'close',
    },
    HELLO,
  ],
  [
    'HTTP/1.0',
    'RFC 1945',
    {
      pieces: [`HTTP/1.0 200 OK\r\ncontent-type: text/event-stream\r\n\r\n${HELLO_FRAMES.join('')}`],
      afterwards: 'close',
    },
    HELLO,
  ],
  ['no types at all', 'no report; beside the others', pieceReply(HELLO_FRAMES, { type: '' }), HELLO],
];

function rawHead(head: readonly string[], frames: readonly string[]): RawReply {
  const body = frames.map((frame) => `${Buffer.byteLength(frame).toString(16)}\r\n${frame}\r\n`);
  return { pieces: [`${head.join('\r\n')}\r\n\r\n`, ...body, '0\r\n\r\n'], afterwards: 'open' };
}

/** Malformed heads and bodies. */
export const HEAD_REPORTS: readonly ReplyRow[] = rawRowsOf('openai-chat', REPLIES);
