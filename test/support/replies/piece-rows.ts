import { sse } from './frames.ts';
import { AGAIN, event, failing, HELLO, PATH, type PieceRow, READ, rowsOf } from './piece-row.ts';
import type { ReplyRow } from './run-reply.ts';

const block = (index: number, content_block: object) => event('content_block_start', { index, content_block });
const add = (index: number, fields: object) => event('content_block_delta', { index, delta: fields });
const begin = event('message_start', { message: { usage: { input_tokens: 5 } } });
const stop = (stop_reason: string | null, usage: object | null = { output_tokens: 5 }) => [
  event('message_delta', { delta: { stop_reason }, usage }),
  event('message_stop'),
];
const hello = [block(0, { type: 'text', text: '' }), add(0, { type: 'text_delta', text: 'Hello' })];
const use = (index: number, input: unknown, pieces = PATH) => [
  block(index, { type: 'tool_use', id: 'toolu_1', name: 'read_file', input }),
  ...(pieces === '' ? [] : [add(index, { type: 'input_json_delta', partial_json: pieces })]),
];

const MESSAGES: readonly PieceRow[] = [
  [
    'a text that its start has already',
    'cline/cline#9215',
    [begin, block(0, { type: 'text', text: 'Hello' }), ...hello.slice(1), ...stop('end_turn')],
    HELLO,
  ],
  [
    'thinking that its start has already',
    'cline/cline#9215',
    [
      begin,
      block(0, { type: 'thinking', thinking: 'Hm.' }),
      add(0, { type: 'thinking_delta', thinking: 'Hm.' }),
      block(1, { type: 'text', text: 'Hello' }),
      ...stop('end_turn'),
    ],
    { ...HELLO, hides: ['Hm.Hm.'] },
  ],
  [
    'counts that are texts or null',
    'no report; beside the others',
    [event('message_start', { message: { usage: { input_tokens: '5' } } }), ...hello, ...stop('end_turn', null)],
    HELLO,
  ],
  [
    'no counts',
    'no report; beside the others',
    [event('message_start', { message: null }), ...hello, ...stop('end_turn', {})],
    HELLO,
  ],
  [
    'a text without the start of its block',
    'no report; beside the others',
    [begin, ...hello.slice(1), ...stop('end_turn')],
    HELLO,
  ],
  ['no last event', 'tombii/better-ccflare#307', [begin, ...hello, stop('end_turn')[0] ?? ''], HELLO],
  ['a call, and no reason', 'no report; beside the others', [begin, ...use(0, {}), ...stop(null)], READ],
  ['a text, and no reason', 'no report; beside the others', [begin, ...hello, ...stop(null)], AGAIN],
  [
    'a block of a tool of the server at the index of a call',
    'published schema',
    [
      begin,
      ...use(0, {}),
      block(0, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }),
      add(0, { type: 'input_json_delta', partial_json: '{"query":1}' }),
      ...stop('tool_use'),
    ],
    READ,
  ],
  [
    'arguments in the start of a call',
    'Yeachan-Heo/gajae-code#1895',
    [begin, ...use(0, { path: 'notes.txt' }, ''), ...stop('tool_use')],
    READ,
  ],
  [
    'arguments in the start of a call, and in pieces',
    'no report; beside the others',
    [begin, ...use(0, { path: 'notes.txt' }), ...stop('tool_use')],
    READ,
  ],
  [
    'arguments in the start of a call, as a text',
    'no report; beside the others',
    [begin, ...use(0, PATH, ''), ...stop('end_turn')],
    READ,
  ],
  [
    'the reason of a call, without one',
    'mastra-ai/mastra#14187, with a text',
    [begin, ...hello, ...stop('tool_use')],
    HELLO,
  ],
  ['an answer without blocks', 'documentation: empty responses with end_turn', [begin, ...stop('end_turn')], AGAIN],
  [
    'an overload within the stream',
    'documentation of the errors',
    [begin, ...hello, event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } })],
    AGAIN,
  ],
  [
    'a time that is up within the stream',
    'documentation of the errors',
    [begin, event('error', { error: { type: 'timeout_error', message: 'Too slow' } })],
    AGAIN,
  ],
  [
    'unknown blocks, pieces and events',
    'documentation: versioning',
    [
      begin,
      event('new_event'),
      block(0, { type: 'new_block' }),
      add(0, { type: 'new_delta' }),
      block(1, { type: 'text', text: 'Hello' }),
      ...stop('end_turn'),
    ],
    HELLO,
  ],
];

const part = (parts: unknown, finishReason?: string, more: object = {}) =>
  sse({ candidates: [{ content: { role: 'model', parts }, finishReason, ...more }] });

const GEMINI: readonly PieceRow[] = [
  ['an empty answer', 'livekit/agents#4066', [part([], 'STOP')], AGAIN],
  ['an answer without content', 'AstrBotDevs/AstrBot#6735', [sse({ candidates: [{ finishReason: 'STOP' }] })], AGAIN],
  [
    'thoughts and no answer',
    'logancyang/obsidian-copilot#2238',
    [part([{ text: 'Hm.', thought: true }], 'STOP')],
    AGAIN,
  ],
  [
    'arguments as a text',
    'no report; beside the others',
    [part([{ functionCall: { name: 'read_file', args: PATH } }], 'STOP')],
    READ,
  ],
  [
    'counts that are none',
    'no report; beside the others',
    [
      sse({
        candidates: [{ content: { parts: [{ text: 'Hello' }] }, finishReason: 'STOP' }],
        usageMetadata: { promptTokenCount: 5, candidatesTokenCount: -1 },
      }),
    ],
    HELLO,
  ],
  [
    'parts of other kinds',
    'published schema',
    [part([{}, { inlineData: { data: 'x' } }, { executableCode: { code: 'x' } }, { text: 'Hello' }], 'STOP')],
    HELLO,
  ],
  [
    'a list of chunks in one event',
    'no report; beside the others',
    [
      `data: [${JSON.stringify({ candidates: [{ content: { parts: [{ text: 'Hello' }] }, finishReason: 'STOP' }] })}]\n\n`,
    ],
    HELLO,
  ],
  ['no reason', 'several reports', [part([{ text: 'Hello' }])], AGAIN],
  [
    'a blocked prompt',
    'published schema',
    [sse({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } })],
    failing('content filter'),
  ],
];

const line = (content: object | null, more: object = {}) =>
  `${JSON.stringify({ message: content, done: false, ...more })}\n`;
const last = (more: object = {}) => line({ content: '' }, { done: true, done_reason: 'stop', ...more });

const OLLAMA: readonly PieceRow[] = [
  [
    'counts that are none',
    'no report; beside the others',
    [line({ content: 'Hello' }), last({ prompt_eval_count: -1, eval_count: 2.5 })],
    HELLO,
  ],
  [
    'an id that is a number',
    'no report; beside the others',
    [line({ tool_calls: [{ id: 7, function: { name: 'read_file', arguments: PATH } }] }), last()],
    READ,
  ],
  [
    'thinking and no answer',
    'logancyang/obsidian-copilot#2238',
    [line({ content: '', thinking: 'Hm.' }), last()],
    AGAIN,
  ],
  ['lines that end with CR LF', 'proxies', [line({ content: 'Hello' }).replace('\n', '\r\n'), last()], HELLO],
  ['a line that is cut', 'Ollama 0.17.4, killed', [line({ content: 'Hel' }), '{"message":{"content":"lo'], AGAIN],
  [
    'no reason in the last line',
    'Ollama, older',
    [line({ content: 'Hello' }), last({ done_reason: undefined })],
    HELLO,
  ],
];

/** Streams of Anthropic's, Gemini's and Ollama's wires that differ from those of the services that defined them. */
export const PIECE_ROWS: readonly ReplyRow[] = [
  ...rowsOf('anthropic-messages', MESSAGES),
  ...rowsOf('gemini', GEMINI),
  ...rowsOf('ollama-chat', OLLAMA),
];
