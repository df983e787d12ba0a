import { sse, streamOf } from '../frames.ts';
import { AGAIN, BOTH, HELLO, PATH, type PieceRow, READ, rowsOf } from '../piece-row.ts';
import type { ReplyRow } from '../run-reply.ts';

const DONE = 'data: [DONE]\n\n';
const chunk = (delta: object, finish: unknown = null, more: object = {}) =>
  sse({ choices: [{ index: 0, delta, finish_reason: finish }], ...more });
const text = chunk({ content: 'Hello' });
const stop = chunk({}, 'stop');
const call = (name: string, args: string = PATH, finish = 'tool_calls') => [
  chunk({ tool_calls: [{ index: 0, id: 'a', function: { name, arguments: args } }] }),
  chunk({}, finish),
  DONE,
];

const fn = (name: string | undefined, args: string) => ({ type: 'function', function: { name, arguments: args } });

const CHAT: readonly PieceRow[] = [
  [
    'a cut call, called complete',
    'NousResearch/hermes-agent#7693',
    call('write_file', '{"path":"new.txt","content":"half of th'),
    { ...AGAIN, sends: ['so the call was not executed'] },
  ],
  [
    'a cut call of a name alone, called complete',
    'vllm-project/vllm#46303',
    call('write_file', '{"path":"new.txt'),
    { ...AGAIN, sends: ['so the call was not executed'] },
  ],
  [
    'counts that are only details',
    'theopenco/llmgateway#2861',
    [chunk({ content: 'Hello' }, null, { usage: { prompt_tokens_details: { cached_tokens: 0 } } }), stop, DONE],
    HELLO,
  ],
  [
    'no counts in an object',
    'zed-industries/zed#42893',
    [chunk({ content: 'Hello' }, null, { usage: {}, extend_fields: {} }), stop, DONE],
    HELLO,
  ],
  [
    'null in the details of the counts',
    'zed-industries/zed#63137',
    [
      text,
      stop,
      sse({
        choices: [],
        usage: {
          prompt_tokens: 67860,
          completion_tokens: 1281,
          prompt_tokens_details: { cached_tokens: 61952, cache_write_tokens: null },
        },
      }),
      DONE,
    ],
    { ...HELLO, shows: ['Hello', '67,860'] },
  ],
  [
    'probabilities of another form',
    'OpenRouterTeam/ai-sdk-provider#41',
    [
      text,
      sse({
        choices: [
          {
            index: 0,
            delta: { content: '', reasoning: null },
            finish_reason: 'stop',
            logprobs: { tokens: [''], top_logprobs: [{ '': -0.1 }] },
          },
        ],
      }),
    ],
    HELLO,
  ],
  [
    'a choice that is only a filter',
    'aaif-goose/goose#8641',
    [
      text,
      sse({
        choices: [
          {
            content_filter_offsets: { check_offset: 1 },
            content_filter_results: { hate: { filtered: false } },
            finish_reason: null,
            index: 0,
          },
        ],
        id: '',
      }),
      stop,
      DONE,
    ],
    HELLO,
  ],
  ['a name in a space', 'google-gemini/cookbook#1374', call('default_api.read_file'), READ],
  ['a name behind a colon', 'mastra-ai/mastra#12895', call('default_api:read_file'), READ],
  ['a name behind an invented word', 'mastra-ai/mastra#12895', call('creating:read_file'), READ],
  ['a name of functions', 'tontinton/maki#518', call('functions.read_file'), READ],
  [
    'a name in a call of Python',
    'google-gemini/cookbook#1374',
    call('print(default_api.read_file(path="notes.txt"))', '{}'),
    { code: 0, requests: 2, shows: ['They say seven.'] },
  ],
  ['a reason of repetition', 'simstudioai/sim#6302', [text, chunk({}, 'repetition'), DONE], AGAIN],
  [
    'a reset that a gateway calls an end, without any text',
    'BerriAI/litellm#33404',
    [chunk({ role: 'assistant' }), stop, DONE],
    AGAIN,
  ],
  [
    'an answer with the fields of a search',
    'Perplexity, citations',
    [
      chunk({ content: 'Hello' }, null, { citations: ['https://x.test'], search_results: [{ title: 'x' }] }),
      stop,
      DONE,
    ],
    HELLO,
  ],
  [
    'the size of a choice as a text',
    'no report; beside the others',
    [sse({ choices: [{ index: '0', delta: { content: 'Hello' } }] }), stop, DONE],
    HELLO,
  ],
  [
    'audio and annotations beside the text',
    'OpenAI, annotations',
    [chunk({ content: 'Hello', annotations: [], audio: null, refusal: null, function_call: null }), stop, DONE],
    HELLO,
  ],
  [
    'calls that only their places tell apart',
    'SamSaffron/term-llm#314',
    [
      ...[
        [fn('read_file', ''), fn('list_files', '')],
        [fn(undefined, PATH), fn(undefined, '{}')],
      ].map((calls) => chunk({ tool_calls: calls })),
      chunk({}, 'tool_calls'),
      DONE,
    ],
    BOTH,
  ],
  [
    'an error as a number beside the choices',
    'no report; beside the others',
    [sse({ error: 0, choices: [{ index: 0, delta: { content: 'Hello' } }] }), stop, DONE],
    HELLO,
  ],
];

/** A server whose streams end with the counts: its second answer is taken. */
const counted: ReplyRow = {
  name: 'counts in a chunk of their own as the only end',
  ...{ wire: 'openai-chat', source: 'earendil-works/pi#7441' },
  replies: [streamOf('openai-chat', [text, sse({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 5 } })])],
  ...{ ...HELLO, requests: 2 },
};

/** Calls, counts and fields of Chat Completions as public reports describe them. */
export const CALL_REPORTS: readonly ReplyRow[] = [...rowsOf('openai-chat', CHAT), counted];
