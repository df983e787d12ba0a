import { sse } from '../frames.ts';
import { AGAIN, BOTH, HELLO, PATH, type PieceRow, type RawRow, READ, rawRowsOf, rowsOf } from '../piece-row.ts';
import { jsonReply } from '../raw-server.ts';
import type { ReplyRow } from '../run-reply.ts';

const DONE = 'data: [DONE]\n\n';
const chunk = (delta: object, finish: unknown = null, more: object = {}) =>
  sse({ choices: [{ index: 0, delta, finish_reason: finish }], ...more });
const part = (index: number, fields: object, id?: unknown) =>
  chunk({ tool_calls: [{ index, ...(id === undefined ? {} : { id }), function: fields }] });
const text = chunk({ content: 'Hello' });
const stop = chunk({}, 'stop');
const only = (call: object) => chunk({ tool_calls: [{ index: 0, ...call }] });
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
  [
    'an error beside an end, within a call',
    'damianvtran/local-operator#223',
    [
      only({ id: 'a', function: { name: 'read_file', arguments: '{"pa' } }),
      chunk({ content: '' }, 'error', {
        error: { code: 502, message: 'Provider disconnected', metadata: { error_type: 'provider_unavailable' } },
      }),
      DONE,
    ],
    AGAIN,
  ],
  [
    'an error with a mark that it may be tried again',
    'BerriAI/litellm#16226',
    [
      text,
      sse({
        error: {
          code: 502,
          message: 'Error processing stream',
          metadata: { provider_name: 'Google', raw: { retryable: true } },
        },
      }),
    ],
    AGAIN,
  ],
  [
    'too long, in an event',
    'nugget/thane-ai-agent#1395',
    [
      'event: error\n' +
        sse({
          error: {
            message:
              'Trying to keep the first 8082 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
          },
          message: 'Trying to keep the first 8082 tokens when context the overflows.',
        }),
    ],
    { ...AGAIN, shows: ['refused the conversation as too long', 'They say seven.'] },
  ],
  [
    'null for the rest of a call',
    'sgl-project/sglang#35542',
    [
      only({ id: 'a', type: 'function', function: { name: 'read_file', arguments: '' } }),
      only({ id: null, function: { name: null, arguments: PATH } }),
      chunk({}, 'tool_calls'),
      DONE,
    ],
    READ,
  ],
  [
    'a start without a function',
    'vllm-project/vllm#19425',
    [
      chunk({
        role: 'assistant',
        content: '',
        tool_calls: [{ id: '4189fdfaG', index: 0, type: 'function', function: null }],
      }),
      chunk({ content: '', tool_calls: [] }),
      only({ id: null, type: 'function', function: { name: 'read_file', arguments: '{"path"' } }),
      only({ function: { arguments: ':"notes.txt"}' } }),
      chunk({}, 'tool_calls'),
      DONE,
    ],
    READ,
  ],
  [
    'an error within the arguments',
    'BerriAI/litellm#39288',
    [
      only({ id: 'a', function: { name: 'read_file', arguments: '' } }),
      sse({
        error: {
          message:
            "litellm.APIConnectionError: APIConnectionError: OpenAIException - Error parsing chunk: Chat provider: Invalid function argument delta {'delta': '', 'sequence_number': 95}",
          type: null,
          param: null,
          code: '500',
        },
      }),
    ],
    AGAIN,
  ],
  [
    'calls named as the end of a text',
    'vllm-project/vllm#53363',
    [text, chunk({ tool_calls: [] }, 'tool_calls'), DONE],
    HELLO,
  ],
  ['an abort', 'earendil-works/pi#1509', [text, chunk({}, 'abort'), DONE], AGAIN],
  [
    'a failure of the network',
    'earendil-works/pi#1509, network_error',
    [text, chunk({}, 'network_error'), DONE],
    AGAIN,
  ],
  ['an unknown end', 'anomalyco/opencode#49414', [text, chunk({}, 'completed_by_policy_v2'), DONE], AGAIN],
];

const WHOLE: readonly RawRow[] = [
  [
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
  ],
  [
    'no pieces beside a text',
    'vllm-project/vllm-ascend#14501',
    jsonReply({
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: null,
            tool_calls: [
              { id: 'call_xxx', type: 'function', index: 0, function: { name: 'read_file', arguments: PATH } },
            ],
          },
          finish_reason: 'tool_calls',
        },
      ],
    }),
    READ,
  ],
];

/** Answers over Chat Completions, from public reports of the autumn of 2026 and before. */
export const MORE_CHAT_REPORTS: readonly ReplyRow[] = [
  ...rowsOf('openai-chat', CHAT),
  ...rawRowsOf('openai-chat', WHOLE),
];
