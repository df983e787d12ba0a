import { AGAIN, BOTH, event, failing, HELLO, PATH, type PieceRow, READ, rowsOf } from './piece-row.ts';
import type { ReplyRow } from './run-reply.ts';

const added = (item: object, output_index = 0) => event('response.output_item.added', { output_index, item });
const ended = (item: object, output_index = 0) => event('response.output_item.done', { output_index, item });
const completed = (response: object = {}) =>
  event('response.completed', { response: { status: 'completed', ...response } });
const failed = (error: object | null) => event('response.failed', { response: { status: 'failed', error } });
const message = (text: string) => ({
  type: 'message',
  id: 'msg_1',
  content: text === '' ? [] : [{ type: 'output_text', text }],
});
const call = (own: object = {}) => ({
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'read_file',
  arguments: PATH,
  ...own,
});
const delta = (text: string) => event('response.output_text.delta', { output_index: 0, item_id: 'msg_1', delta: text });
const args = (kind: 'delta' | 'done', fields: object) =>
  event(`response.function_call_arguments.${kind}`, { output_index: 0, item_id: 'fc_1', ...fields });

const RESPONSES: readonly PieceRow[] = [
  ['counts that are null', 'LionSR/TeXRA#1857', [delta('Hello'), completed({ usage: { input_tokens: null } })], HELLO],
  [
    'counts with the names of Chat Completions',
    'pingmike2/freebuff2api-wokers#10',
    [delta('Hello'), completed({ usage: { prompt_tokens: 1234, completion_tokens: 2 } })],
    { ...HELLO, shows: ['Hello', '1,234 tokens in'] },
  ],
  ['a text without the start of its item', 'Oaklight/llm-rosetta#56', [delta('Hel'), delta('lo'), completed()], HELLO],
  [
    'a whole text alone',
    'no report; beside the others',
    [
      added(message('')),
      event('response.output_text.done', { output_index: 0, item_id: 'msg_1', text: 'Hello' }),
      completed(),
    ],
    HELLO,
  ],
  [
    'a text in the last event alone',
    'no report; beside the others',
    [added(message('')), completed({ output: [message('Hello')] })],
    HELLO,
  ],
  [
    'a text that four events repeat',
    'QuantumNous/new-api#4362',
    [
      added(message('')),
      delta('Hello'),
      event('response.output_text.done', { output_index: 0, item_id: 'msg_1', text: 'Hello' }),
      ended(message('Hello')),
      completed({ output: [message('Hello')] }),
    ],
    HELLO,
  ],
  [
    'no output in the last event',
    'decolua/9router#705',
    [added(message('')), delta('Hello'), ended(message('Hello')), completed({ output: [] })],
    HELLO,
  ],
  ['a last event without a response', 'decolua/9router#705', [delta('Hello'), event('response.completed')], HELLO],
  [
    'kinds of events beside the data',
    'no report; beside the others',
    [
      'event: response.output_text.delta\ndata: {"delta":"Hello"}\n\n',
      'event: response.completed\ndata: {"response":{}}\n\n',
    ],
    HELLO,
  ],
  [
    'an item without a type',
    'no report; beside the others',
    [added({ id: 'x' }), delta('Hello'), completed({ output: [{ id: 'x' }] })],
    HELLO,
  ],
  [
    'whole arguments alone',
    'lidge-jun/opencodex#4652',
    [added(call({ arguments: '' })), args('done', { arguments: PATH }), completed()],
    READ,
  ],
  [
    'arguments that are an object',
    'no report; beside the others',
    [ended(call({ arguments: { path: 'notes.txt' } })), completed()],
    READ,
  ],
  [
    'arguments without the start of their item',
    'no report; beside the others',
    [args('delta', { delta: PATH }), ended(call()), completed()],
    READ,
  ],
  [
    'a second call in the last event alone',
    'no report; beside the others',
    [
      added(call({ arguments: '' })),
      ended(call()),
      completed({
        output: [call(), call({ id: 'fc_2', call_id: 'call_2', name: 'list_files', arguments: '{"pattern":"*"}' })],
      }),
    ],
    BOTH,
  ],
  [
    'an end of a call that comes twice',
    'no report; beside the others',
    [added(call({ arguments: '' })), ended(call()), ended(call()), completed({ output: [call()] })],
    { ...READ, hides: ['call_1_2'] },
  ],
  ['a call without ids', 'no report; beside the others', [ended(call({ id: '', call_id: '' })), completed()], READ],
  ['an answer without output', 'jundot/omlx#2817', [completed({ output: [] })], AGAIN],
  [
    'a failure of the server',
    'published schema',
    [delta('Hel'), failed({ code: 'server_error', message: 'An error occurred.' })],
    AGAIN,
  ],
  ['a failure without words', 'published schema', [failed(null)], AGAIN],
  [
    'a request that is withheld',
    'published schema',
    [failed({ code: 'invalid_prompt', message: 'Invalid prompt: your prompt was flagged.' })],
    failing('your prompt was flagged'),
  ],
  [
    'an overload within the stream',
    'published schema',
    [event('error', { code: 'server_is_overloaded', message: 'Our servers are currently overloaded.' })],
    AGAIN,
  ],
  ['a stream without its last event', 'published schema', [delta('Hello'), 'data: [DONE]\n\n'], AGAIN],
  [
    'an event that keeps the connection open',
    'OpenAI',
    [event('keepalive', { sequence_number: 3 }), delta('Hello'), completed()],
    HELLO,
  ],
];

/** Streams of the Responses API that differ from those of OpenAI. */
export const RESPONSE_ROWS: readonly ReplyRow[] = rowsOf('openai-responses', RESPONSES);
