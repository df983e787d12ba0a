import { WIRE_NAMES } from '../../../src/providers/wires.ts';
import { FRAMES, sse, streamOf, textReply } from './frames.ts';
import { jsonReply, pieceReply } from './raw-server.ts';
import type { ReplyRow } from './run-reply.ts';

const SHOWN = { code: 0, requests: 1, shows: ['Hello'] };
const READ = { code: 0, requests: 2, shows: ['They say seven.'], sends: ['The notes say seven.'] };
const chat = FRAMES['openai-chat'];

/** Heartbeats between the frames of an answer. */
const HEARTBEATS = [
  'data:\n\n',
  'event: ping\n\n',
  'data: : PROCESSING\n\n',
  'data: ping\n\n',
  ': keep-alive\n\n',
  'id: 7\n\n',
];

const wholeAnswers = WIRE_NAMES.map(
  (wire): ReplyRow => ({
    name: 'a whole answer in JSON to a request for a stream',
    ...{ wire, source: 'mistralai/mistral-vibe#84' },
    replies: [jsonReply(FRAMES[wire].whole('Hello'))],
    ...SHOWN,
  }),
);

const heartbeats = WIRE_NAMES.filter((wire) => wire !== 'ollama-chat').map(
  (wire): ReplyRow => ({
    name: 'heartbeats of six forms',
    ...{ wire, source: 'openclaw/openclaw#52679' },
    replies: [
      streamOf(wire, [
        ...HEARTBEATS,
        ...FRAMES[wire].text('Hello'),
        ...HEARTBEATS,
        ...FRAMES[wire].end(FRAMES[wire].reasons.stop),
      ]),
    ],
    ...SHOWN,
  }),
);

/** Events of llama.cpp 11434: no `output_index`, only ids. */
const withoutIndex = (...items: readonly object[]) => items.map((item) => sse(item)).join('');

/** The forms of answers, errors and calls, on the wires where they were seen. */
export const SHAPE_ROWS: readonly ReplyRow[] = [
  ...wholeAnswers,
  ...heartbeats,
  {
    name: 'an error in JSON with status 200 is that error',
    ...{ wire: 'openai-chat', source: 'mistralai/mistral-vibe#84' },
    replies: [jsonReply({ error: { message: 'Bad parameter.', type: 'invalid_request_error' } })],
    ...{ code: 1, requests: 1, shows: ['refused the request', 'Bad parameter'] },
  },
  {
    name: 'an overload in JSON with status 200 is tried again',
    ...{ wire: 'openai-chat', source: 'mistralai/mistral-vibe#84' },
    replies: [jsonReply({ error: { message: 'Busy.', code: 503 } }), textReply('openai-chat', 'Hello')],
    ...{ code: 0, requests: 2, shows: ['Busy', 'Hello'] },
  },
  {
    name: 'an error as plain text within the stream keeps its words',
    ...{ wire: 'openai-chat', source: 'mistral.rs 0.8.1, recorded' },
    replies: [
      pieceReply([
        'data: Prompt sequence length is greater than 32768, perhaps consider using `truncate_sequence`?\n\n',
        'data: [DONE]\n\n',
      ]),
    ],
    ...{ code: 1, requests: 2, shows: ['is too long for some-model', 'Prompt sequence length is greater than 32768'] },
  },
  {
    name: 'an unknown model with status 500 is not tried again',
    ...{ wire: 'openai-chat', source: 'mistral.rs 0.8.1, recorded' },
    replies: [
      jsonReply(
        {
          message:
            "Requested model 'no-such-model' is not available. Available models: /models/scripted. Use 'default' to use the default model.",
        },
        { status: 500 },
      ),
    ],
    ...{ code: 1, requests: 1, shows: ['has no model "some-model"'] },
  },
  {
    name: 'an unknown model with status 400',
    ...{ wire: 'openai-chat', source: 'LiteLLM 1.108.7, recorded' },
    replies: [
      jsonReply(
        {
          error: {
            message:
              '/chat/completions: Invalid model name passed in model=no-such-model. Call `/v1/models` to view available models for your key.',
            type: 'invalid_request_error',
            param: null,
            code: '400',
          },
        },
        { status: 400 },
      ),
    ],
    ...{ code: 1, requests: 1, shows: ['has no model "some-model"'] },
  },
  {
    name: 'a text before a call, in events without an index: the call runs once, the text is shown once',
    ...{ wire: 'openai-responses', source: 'llama.cpp 11434' },
    replies: [
      pieceReply([
        withoutIndex(
          {
            type: 'response.output_item.added',
            item: { type: 'message', id: 'msg_a', status: 'in_progress', content: [] },
          },
          { type: 'response.output_text.delta', item_id: 'msg_a', delta: 'I look.' },
          {
            type: 'response.output_item.added',
            item: { type: 'function_call', call_id: 'fc_b', name: 'read_file', arguments: '', status: 'in_progress' },
          },
          { type: 'response.function_call_arguments.delta', item_id: 'fc_b', delta: '{"path":"notes.txt"}' },
          {
            type: 'response.output_item.done',
            item: { type: 'message', id: 'msg_a', content: [{ type: 'output_text', text: 'I look.' }] },
          },
          {
            type: 'response.output_item.done',
            item: { type: 'function_call', call_id: 'fc_b', name: 'read_file', arguments: '{"path":"notes.txt"}' },
          },
          { type: 'response.completed', response: { status: 'completed' } },
        ),
      ]),
      textReply('openai-responses', 'They say seven.'),
    ],
    ...{ ...READ, hides: ['I look.I look.', 'fc_b_2'] },
  },
  {
    name: 'a completed response that is incomplete: its cut call does not run',
    ...{ wire: 'openai-responses', source: 'vLLM 0.32.0, recorded' },
    replies: [
      pieceReply([
        ...FRAMES['openai-responses'].call('read_file', {}),
        sse({
          type: 'response.completed',
          response: {
            status: 'incomplete',
            incomplete_details: { reason: 'max_output_tokens' },
            usage: { input_tokens: 39, output_tokens: 3 },
          },
        }),
      ]),
      textReply('openai-responses', 'Hello'),
    ],
    ...{ code: 0, requests: 2, shows: ['Hello'], sends: ['length limit'] },
  },
  {
    name: 'thinking and a call with the same index',
    ...{ wire: 'anthropic-messages', source: 'Ollama 0.17.4' },
    replies: [
      pieceReply([
        sse({ type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } }),
        sse({ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm.' } }),
        sse({
          type: 'content_block_start',
          index: 0,
          content_block: { type: 'tool_use', id: 'call_1', name: 'read_file', input: {} },
        }),
        sse({
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'input_json_delta', partial_json: '{"path":"notes.txt"}' },
        }),
        ...FRAMES['anthropic-messages'].end('tool_use'),
      ]),
      textReply('anthropic-messages', 'They say seven.'),
    ],
    ...READ,
  },
  {
    name: 'content as a list of parts',
    ...{ wire: 'openai-chat', source: 'symfony/ai#2422' },
    replies: [
      pieceReply([
        sse({ choices: [{ delta: { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] } }] }),
        sse({ choices: [{ delta: { content: [{ type: 'text', text: 'Hello' }] } }] }),
        ...chat.end('stop'),
      ]),
    ],
    ...SHOWN,
  },
  {
    name: 'a call in the form before tool_calls',
    ...{ wire: 'openai-chat', source: 'OpenAI, older' },
    replies: [
      pieceReply([
        sse({ choices: [{ delta: { function_call: { name: 'read_file', arguments: '{"path":' } } }] }),
        sse({ choices: [{ delta: { function_call: { arguments: '"notes.txt"}' } } }] }),
        ...chat.end('function_call'),
      ]),
      textReply('openai-chat', 'They say seven.'),
    ],
    ...READ,
  },
  {
    name: 'an answer that is cut at the end of the window is asked for again, shortened',
    ...{ wire: 'openai-chat', source: 'vLLM 0.32.0, recorded' },
    replies: [
      pieceReply([
        ...chat.text('Half'),
        sse({
          choices: [{ delta: {}, finish_reason: 'length' }],
          usage: { prompt_tokens: 8144, completion_tokens: 48, total_tokens: 8192 },
        }),
        'data: [DONE]\n\n',
      ]),
      textReply('openai-chat', 'Hello'),
    ],
    ...{ code: 0, requests: 2, shows: ['context window is full', 'Hello'] },
  },
  {
    name: 'binary data is one clear error',
    ...{ wire: 'openai-chat', source: 'a broken proxy' },
    replies: [pieceReply(['data: \u0000\u0001\u0002\n\n']), textReply('openai-chat', 'Hello')],
    ...{ code: 0, requests: 2, shows: ['sent an invalid answer over Chat Completions', 'Hello'] },
  },
];
