import { sse } from '../frames.ts';
import { AGAIN, HELLO, type PieceRow, READ, rowsOf } from '../piece-row.ts';
import type { ReplyRow } from '../run-reply.ts';

const DONE = 'data: [DONE]\n\n';
const chunk = (delta: object | undefined, finish: unknown = null, more: object = {}) =>
  sse({ choices: [{ index: 0, ...(delta === undefined ? {} : { delta }), finish_reason: finish }], ...more });
const text = chunk({ content: 'Hello' });
const stop = chunk({}, 'stop');
const piece = (own: object) => chunk({ tool_calls: [{ index: 0, ...own }] });
const called = chunk({}, 'tool_calls');

const CHAT: readonly PieceRow[] = [
  ['an empty role', 'anomalyco/opencode#28427', [chunk({ role: '', content: 'Hello' }), stop, DONE], HELLO],
  ['null between the chunks', 'Kilo-Org/kilocode#3083', [text, 'data: null\n\n', stop, DONE], HELLO],
  [
    'null for all that a piece does not add',
    'deathbyknowledge/gsv#268',
    [
      chunk({ role: 'assistant', content: null, reasoning_content: 'Hm.', tool_calls: null }),
      chunk({
        content: null,
        reasoning_content: null,
        tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'read_file', arguments: '' } }],
      }),
      piece({ id: null, type: null, function: { name: null, arguments: '{"path":' } }),
      piece({ id: null, type: null, function: { name: null, arguments: '"notes.txt"}' } }),
      piece({ id: null, function: { name: null, arguments: null } }),
      called,
      DONE,
    ],
    READ,
  ],
  [
    'the text null as an id',
    'zed-industries/zed#53605',
    [
      piece({ id: 'WcG8xhSs1', function: { name: 'read_file', arguments: '' } }),
      piece({ function: { name: '', arguments: '{"' } }),
      piece({ id: 'null', function: { name: '', arguments: 'path": "notes.txt"}' } }),
      called,
      DONE,
    ],
    { ...READ, sends: ['The notes say seven.', 'WcG8xhSs1'] },
  ],
  [
    'two pieces of a call in the first chunk',
    'openai/openai-python#3201',
    [
      chunk({
        tool_calls: [
          { index: 0, id: 'a', type: 'function', function: { name: 'read_file', arguments: '' } },
          { index: 0, function: { arguments: '{"path":' } },
        ],
      }),
      piece({ function: { arguments: '"notes.txt"}' } }),
      called,
      DONE,
    ],
    READ,
  ],
  [
    'a first chunk with nothing',
    'grafana/grafana-llm-app#790',
    [sse({ choices: [], created: 0, id: '', model: '', object: '' }), text, stop],
    HELLO,
  ],
  [
    'a choice without a delta',
    'QwenLM/qwen-code#1448',
    [chunk(undefined), text, chunk(undefined, 'stop'), DONE],
    HELLO,
  ],
  ['a reason without its line', 'zeitlings/ayai-gpt-nexus#2', [text, chunk({}, 'endturn'), DONE], HELLO],
  [
    'a limit in the middle of a stream',
    'damianvtran/local-operator#223',
    [
      text,
      sse({
        error: { code: 429, message: 'Rate limit exceeded', metadata: { error_type: 'rate_limit_exceeded' } },
        choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
      }),
    ],
    { ...AGAIN, shows: ['is limiting requests', 'They say seven.'] },
  ],
  [
    'an error beside no choices',
    'diegosouzapw/OmniRoute#8210',
    [
      sse({
        choices: [],
        error: {
          code: 502,
          message: 'Worker local total request limit reached (33/32)',
          metadata: { error_type: 'provider_unavailable' },
        },
      }),
    ],
    { ...AGAIN, shows: ['Worker local total request limit reached', 'They say seven.'] },
  ],
  [
    'reasoning as an object',
    'anima-research/animachat#129',
    [chunk({ reasoning: { text: 'Hm.' } }), chunk({ reasoning: [{ text: 'So.' }] }), text, stop, DONE],
    { ...HELLO, hides: ['[object'] },
  ],
  [
    'counts that are null',
    'maximhq/bifrost#5425',
    [text, chunk({}, 'stop', { usage: { prompt_tokens: null, completion_tokens: null, total_tokens: 0 } }), DONE],
    HELLO,
  ],
  [
    'an event that only says that the body broke',
    'code-yeongyu/oh-my-openagent#1196',
    [text, sse({ error: 'Stream error: error decoding response body' })],
    AGAIN,
  ],
  [
    'an error of the parser of the server',
    'agentscope-ai/QwenPaw#3560',
    [
      text,
      sse({
        error: {
          code: 500,
          message: 'Failed to parse input at pos 128: <tool_call>\n<function=read_file>',
          type: 'server_error',
        },
      }),
    ],
    AGAIN,
  ],
  [
    'an end that never comes, behind a call',
    'CommandCodeAI/command-code#785',
    [piece({ id: 'a', function: { name: 'read_file', arguments: '{"path":' } })],
    AGAIN,
  ],
];

/** Streams of Chat Completions as public reports describe them. */
export const CHAT_REPORTS: readonly ReplyRow[] = rowsOf('openai-chat', CHAT);
