import { sse } from '../frames.ts';
import { AGAIN, BOTH, HELLO, PATH, type PieceRow, type RawRow, READ, rawRowsOf, rowsOf } from '../piece-row.ts';
import { jsonReply } from '../raw-server.ts';
import type { ReplyRow } from '../run-reply.ts';

const DONE = 'data: [DONE]\n\n';
const chunk = (delta: object, finish: unknown = null) => sse({ choices: [{ index: 0, delta, finish_reason: finish }] });
const part = (index: number, fields: object, id?: unknown) =>
  chunk({ tool_calls: [{ index, ...(id === undefined ? {} : { id }), function: fields }] });
const text = chunk({ content: 'Hello' });
const stop = chunk({}, 'stop');
const named = { name: 'read_file', arguments: '' };
const called = [chunk({}, 'tool_calls'), DONE];

const CHAT: readonly PieceRow[] = [
  [
    'an error of the filter in a choice without a delta',
    'BaranziniLab/biorouter#326',
    [
      text,
      sse({
        choices: [
          {
            index: 0,
            finish_reason: null,
            content_filter_result: {
              error: { code: 'content_filter_error', message: 'The contents are not filtered' },
            },
            content_filter_results: {},
          },
        ],
      }),
      stop,
      DONE,
    ],
    HELLO,
  ],
  [
    'numbers as text',
    'cloudflare/ai#651',
    [
      text,
      chunk({ content: ' [' }),
      chunk({ content: 6 }),
      chunk({ content: '] $' }),
      chunk({ content: 0 }),
      stop,
      DONE,
    ],
    { ...HELLO, shows: ['Hello [6] $0'] },
  ],
  [
    'an error within a cut event',
    'dativo-io/talon#393',
    [
      text,
      'data: {"choices":[{"index":0,"delta":{"content":"half of\nevent: error\ndata: {"type":"error","error":{"type":"api_error","message":"upstream died"}}\n\n',
    ],
    AGAIN,
  ],
  [
    'two objects in an event',
    'PawanOsman/OpenCursor#80',
    [
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Hel' } }] })}${JSON.stringify({ choices: [{ index: 0, delta: { content: 'lo' } }] })}\n\n`,
      stop,
      DONE,
    ],
    HELLO,
  ],
  [
    'arguments twice',
    'lidge-jun/opencodex#361',
    [
      part(0, { name: 'read_file', arguments: '' }, 'tool_a'),
      part(0, { arguments: PATH }),
      part(0, { arguments: PATH }),
      ...called,
    ],
    READ,
  ],
  [
    'a call at several indices',
    'mudler/LocalAI#9722',
    [part(0, named, 'LipwoT0p'), part(1, named, 'LipwoT0p'), part(2, { arguments: PATH }, 'LipwoT0p'), ...called],
    READ,
  ],
  [
    'a whole call at two indices',
    'mudler/LocalAI#9722, as its clients merge it',
    [part(0, { ...named, arguments: PATH }, 'a'), part(1, { ...named, arguments: PATH }, 'a'), ...called],
    { ...READ, shows: ['They say seven.'] },
  ],
  [
    'a name and its arguments at two indices',
    '6Kmfi6HP/opencode2api#17',
    [part(0, { name: 'read_file', arguments: '' }, 'call_1'), part(1, { name: '', arguments: PATH }, null), ...called],
    READ,
  ],
  [
    'two calls at one index',
    'apache/maka#1976',
    [
      part(0, { name: 'read_file', arguments: PATH }, 'call_a'),
      part(0, { name: 'list_files', arguments: '{}' }, 'call_b'),
      ...called,
    ],
    BOTH,
  ],
  [
    'reasoning beside a text of null',
    'can1357/oh-my-pi#2996',
    [
      chunk({ content: null, reasoning_content: 'Hm.' }),
      chunk({ content: 'Hello', reasoning_content: null }),
      stop,
      DONE,
    ],
    HELLO,
  ],
  [
    'an error after a text, and an end',
    'Augustas11/macprovider#186',
    [text, sse({ error: { message: 'Upstream stream failed', type: 'server_error', code: 'stream_truncated' } }), DONE],
    AGAIN,
  ],
  [
    'a text without JSON, as an error',
    'EricLBuehler/mistral.rs#1874',
    ['data: Number of choices must be greater than 0.\n\n'],
    { ...AGAIN, shows: ['Number of choices', 'They say seven.'] },
  ],
];

const THRICE: RawRow = [
  'arguments thrice in a whole answer',
  'Soju06/codex-lb#284',
  jsonReply({
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'read_file', arguments: PATH + PATH + PATH } },
          ],
        },
        finish_reason: 'tool_calls',
      },
    ],
  }),
  READ,
];

/** Answers over Chat Completions, from public reports of the autumn of 2026 and before. */
export const MORE_CHAT_REPORTS: readonly ReplyRow[] = [
  ...rowsOf('openai-chat', CHAT),
  ...rawRowsOf('openai-chat', [THRICE]),
];
