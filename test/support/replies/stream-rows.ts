import { sse, textReply } from './frames.ts';
import { AGAIN, BOTH, type Expected, HELLO, PATH, READ } from './piece-row.ts';
import { jsonReply, pieceReply } from './raw-server.ts';
import type { ReplyRow } from './run-reply.ts';

const DONE = 'data: [DONE]\n\n';
const STOP = chunk({}, 'stop');
const CALLS = [chunk({}, 'tool_calls'), DONE];

function chunk(delta: object | null, finish: unknown = null, more: object = {}): string {
  return sse({ choices: [{ index: 0, delta, finish_reason: finish }], ...more });
}

function text(content: string): string {
  return chunk({ content });
}

function call(own: object = {}, called: object = {}): string {
  return chunk({ tool_calls: [piece(own, called)] });
}

function piece(own: object = {}, called: object = {}): object {
  const inside = { name: 'read_file', arguments: PATH, ...called };
  return { index: 0, id: 'call_1', type: 'function', function: inside, ...own };
}

const LIST = { name: 'list_files', arguments: '{"pattern":"*"}' };

/** Streams of Chat Completions that differ from those of OpenAI, each with the report of a server that sends it. */
const STREAMS: readonly (readonly [name: string, source: string, pieces: readonly string[], expected: Expected])[] = [
  ['a type of the page', 'Flask, whose responses have it', [text('Hello'), STOP, DONE], HELLO],
  [
    'one line break between the events',
    'SillyTavern/SillyTavern#1482',
    [[text('Hello'), STOP, DONE].join('').replaceAll('\n\n', '\n')],
    HELLO,
  ],
  [
    'CR LF, one byte at a time',
    'WHATWG, server-sent events',
    [...[text('Hello'), STOP, DONE].join('').replaceAll('\n', '\r\n')],
    HELLO,
  ],
  [
    'CR alone',
    'WHATWG, server-sent events',
    [text('Hello'), STOP, DONE].map((frame) => frame.replaceAll('\n', '\r')),
    HELLO,
  ],
  ['a byte order mark', 'WHATWG, server-sent events', [`\ufeff${text('Hello')}`, STOP, DONE], HELLO],
  ['no space behind the colon', 'WHATWG, server-sent events', [text('Hello').replace(': ', ':'), STOP], HELLO],
  ['two marks of the end', 'ray-project/ray#62246', [text('Hello'), STOP, DONE, DONE], HELLO],
  ['an empty reason in each chunk', 'ollama/ollama#4357', [chunk({ content: 'Hello' }, ''), STOP, DONE], HELLO],
  ['an object as the reason', 'SGLang', [text('Hello'), chunk({}, { type: 'stop', matched: 2 }), DONE], HELLO],
  [
    'the reason of a constant of Google',
    'Gemini behind gateways',
    [text('Hello'), chunk({}, 'FINISH_REASON_STOP')],
    HELLO,
  ],
  [
    'an error without content in each chunk',
    'one-api',
    [chunk({ content: 'Hello' }, 'stop', { error: { message: '', code: null } })],
    HELLO,
  ],
  [
    'a choice that is null',
    'no report; beside the others',
    [sse({ choices: [null] }), text('Hello'), STOP, DONE],
    HELLO,
  ],
  [
    'chunks without a choice, and a delta that is null',
    'Azure OpenAI',
    [
      sse({ choices: [], prompt_filter_results: [] }),
      chunk(null),
      text('Hello'),
      STOP,
      sse({ choices: [], usage: {} }),
    ],
    HELLO,
  ],
  [
    'another index of the choice',
    'BerriAI/litellm#376',
    [text('Hello'), STOP].map((each) => each.replace('"index":0', '"index":1')),
    HELLO,
  ],
  [
    'counts that are no numbers',
    'no report; beside the others',
    [text('Hello'), STOP, sse({ usage: { prompt_tokens: '7', completion_tokens: 1.5 } })],
    HELLO,
  ],
  [
    'the whole message in the last chunk',
    'GCWing/OpenBitFun#792',
    [
      text('Hello'),
      sse({ object: 'chat.completion', choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }] }),
    ],
    HELLO,
  ],
  [
    'the whole message with its call in the last chunk',
    'GCWing/OpenBitFun#792',
    [
      text('I look.'),
      call(),
      sse({ choices: [{ message: { content: 'I look.', tool_calls: [piece()] }, finish_reason: 'tool_calls' }] }),
    ],
    { ...READ, hides: ['I look.I look.', 'call_1_2'] },
  ],
  [
    'a call of another choice',
    'HKUDS/nanobot#1555',
    [text('I look.'), call().replace('"index":0', '"index":1'), ...CALLS],
    READ,
  ],
  ['a call, and no reason before the mark', 'earendil-works/pi#6226', [call(), DONE], READ],
  ['a text, and no reason before the mark', 'anomalyco/opencode#43882', [text('Half'), DONE], AGAIN],
  ['an index that is a text', 'anvia-hq/anvia#262', [call({ index: '0' }), ...CALLS], READ],
  ['an id that is a number', 'Kilo-Org/kilocode#5816', [call({ id: 17 }), ...CALLS], READ],
  ['no index', 'ollama/ollama#7881', [call({ index: undefined }), ...CALLS], READ],
  ['no id', 'sgl-project/sglang#7048', [call({ id: null }), ...CALLS], READ],
  [
    'an empty id in each later piece',
    'symfony/ai#2220',
    [
      call({}, { arguments: '' }),
      chunk({ tool_calls: [{ index: 0, id: '', function: { arguments: PATH } }] }),
      ...CALLS,
    ],
    READ,
  ],
  [
    'an empty name in each later piece',
    'huggingface/tau#715',
    [
      call({}, { arguments: '' }),
      chunk({ tool_calls: [{ index: 0, function: { name: '', arguments: PATH } }] }),
      ...CALLS,
    ],
    READ,
  ],
  [
    'an empty name at first',
    'vercel/ai#16507',
    [call({}, { name: '', arguments: '' }), call({}, { arguments: PATH }), ...CALLS],
    READ,
  ],
  [
    'the name in each piece',
    'NousResearch/hermes-agent#11984',
    [call({}, { arguments: '{"path":' }), call({}, { arguments: '"notes.txt"}' }), ...CALLS],
    READ,
  ],
  [
    'the name in two pieces',
    'continuedev/continue#5849',
    [
      call({}, { name: 'read_', arguments: '' }),
      chunk({ tool_calls: [{ index: 0, function: { name: 'file', arguments: PATH } }] }),
      ...CALLS,
    ],
    READ,
  ],
  [
    'the id before the name',
    'pipecat-ai/pipecat#5023',
    [chunk({ tool_calls: [{ index: 0, id: 'call_1' }] }), call({ id: undefined }), ...CALLS],
    { ...READ, sends: ['The notes say seven.', '"tool_call_id":"call_1"'] },
  ],
  [
    'an announced call that never comes',
    'no report; beside the others',
    [call(), chunk({ tool_calls: [{ index: 1, id: 'call_2', function: { name: '', arguments: '' } }] }), ...CALLS],
    READ,
  ],
  ['the index 0 for both calls', 'ollama/ollama#15457', [call(), call({ id: 'call_2' }, LIST), ...CALLS], BOTH],
  [
    'the rest of a call at another index',
    'agno-agi/agno#8880',
    [
      call(),
      call({ id: 'call_2' }, { ...LIST, arguments: '' }),
      chunk({ tool_calls: [{ index: 1, function: { arguments: LIST.arguments } }] }),
      ...CALLS,
    ],
    BOTH,
  ],
  [
    'one id for both calls, and no index',
    'no report; beside the others',
    [call({ index: undefined }), call({ index: undefined }, LIST), ...CALLS],
    BOTH,
  ],
  ['one call in place of a list', 'no report; beside the others', [chunk({ tool_calls: piece() }), ...CALLS], READ],
  [
    'a call without its function',
    'redhat-developer/abbenay#78',
    [chunk({ tool_calls: [{ index: 0, id: 'call_1', name: 'read_file', arguments: PATH }] }), ...CALLS],
    READ,
  ],
  [
    'an empty text in place of calls',
    'no report; beside the others',
    [chunk({ content: 'Hello', tool_calls: '', function_call: {} }), STOP],
    HELLO,
  ],
  ['reasoning as thinking', 'no report; beside the others', [chunk({ thinking: 'Hm.' }), text('Hello'), STOP], HELLO],
  [
    'an empty answer',
    'NousResearch/hermes-agent#6488',
    [STOP, DONE],
    { ...AGAIN, shows: ['an empty answer', 'They say seven.'] },
  ],
  [
    'reasoning and no answer',
    'logancyang/obsidian-copilot#2238',
    [chunk({ reasoning_content: 'Hm.' }), STOP, DONE],
    { ...AGAIN, shows: ['only its reasoning', 'They say seven.'] },
  ],
  ['the end of calls, without calls', 'vllm-project/vllm#53255', [chunk({}, 'tool_calls'), DONE], AGAIN],
];

/** Streams that differ from those of OpenAI. */
export const STREAM_ROWS: readonly ReplyRow[] = [
  ...STREAMS.map(([name, source, pieces, expected]): ReplyRow => {
    const type = name === 'a type of the page' ? 'text/html; charset=utf-8' : 'text/event-stream';
    const replies = [pieceReply(pieces, { type }), textReply('openai-chat', 'They say seven.')];
    return { name, source, wire: 'openai-chat', replies, ...expected };
  }),
  {
    name: 'a server that never names a reason',
    ...{ wire: 'openai-chat', source: 'anomalyco/opencode#43882' },
    replies: [pieceReply([text('Hello'), DONE])],
    ...{ ...HELLO, requests: 2 },
  },
  {
    name: 'a whole answer in two choices',
    ...{ wire: 'openai-chat', source: 'HKUDS/nanobot#1555' },
    replies: [
      jsonReply({
        choices: [
          { finish_reason: 'tool_calls', message: { content: 'I look.' } },
          { finish_reason: 'tool_calls', message: { tool_calls: [piece({ index: undefined })] } },
        ],
      }),
      textReply('openai-chat', 'They say seven.'),
    ],
    ...{ ...READ, shows: ['I look.', 'They say seven.'] },
  },
  {
    name: 'line breaks before a whole answer, which keep the connection open',
    ...{ wire: 'openai-chat', source: 'SillyTavern/SillyTavern#4351' },
    replies: [
      pieceReply(
        [
          '\n',
          '\n',
          '\n\n\n\n\n\n',
          JSON.stringify({ choices: [{ message: { content: 'Hello' }, finish_reason: 'STOP' }] }),
        ],
        {
          type: 'application/json',
        },
      ),
    ],
    ...HELLO,
  },
  ...(
    [
      ['a quota', 1008, 'insufficient balance', { code: 1, requests: 1, shows: ['quota', 'insufficient balance'] }],
      ['a limit', 1002, 'rate limit', { ...AGAIN, shows: ['rate limit', 'They say seven.'] }],
    ] as const
  ).map(
    ([what, code, message, expected]): ReplyRow => ({
      name: `${what} beside choices that are null`,
      ...{ wire: 'openai-chat', source: 'MiniMax, documentation of its errors' },
      replies: [
        jsonReply({ choices: null, usage: {}, base_resp: { status_code: code, status_msg: message } }),
        textReply('openai-chat', 'They say seven.'),
      ],
      ...expected,
    }),
  ),
];
