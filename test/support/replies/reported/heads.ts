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
];

function rawHead(head: readonly string[], frames: readonly string[]): RawReply {
  const body = frames.map((frame) => `${Buffer.byteLength(frame).toString(16)}\r\n${frame}\r\n`);
  return { pieces: [`${head.join('\r\n')}\r\n\r\n`, ...body, '0\r\n\r\n'], afterwards: 'open' };
}

/** Heads and bodies that are not as they should be. */
export const HEAD_REPORTS: readonly ReplyRow[] = rawRowsOf('openai-chat', REPLIES);
