import type { Wire } from '../../../src/providers/wires.ts';
import { pieceReply, type RawReply } from './raw-server.ts';

/** A frame of server-sent events. */
export const sse = (value: unknown, event?: string): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(value)}\n\n`;

/** The frames of an answer on one wire. */
interface WireFrames {
  readonly type: 'text/event-stream' | 'application/x-ndjson';
  /** The start of an answer with this text, without its end. */
  text(text: string): readonly string[];
  /** A call, without the end of the answer. */
  call(name: string, args: object): readonly string[];
  /** The end of an answer with this reason of the wire. */
  end(reason: string): readonly string[];
  /** The reason of a complete answer, with and without calls. */
  readonly reasons: { readonly stop: string; readonly calls: string };
  /** An error within the stream. */
  error(message: string): string;
  /** The whole answer as one JSON value. */
  whole(text: string): object;
}

const usage = { input_tokens: 7, output_tokens: 3 };
const chatDelta = (delta: object) => sse({ choices: [{ index: 0, delta, finish_reason: null }] });

/** The frames of all wires. */
export const FRAMES: Readonly<Record<Wire, WireFrames>> = {
  'openai-chat': {
    type: 'text/event-stream',
    text: (text) => [chatDelta({ role: 'assistant', content: '' }), chatDelta({ content: text })],
    call: (name, args) => [
      chatDelta({ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name, arguments: '' } }] }),
      chatDelta({ tool_calls: [{ index: 0, function: { arguments: JSON.stringify(args) } }] }),
    ],
    end: (reason) => [sse({ choices: [{ index: 0, delta: {}, finish_reason: reason }] }), 'data: [DONE]\n\n'],
    reasons: { stop: 'stop', calls: 'tool_calls' },
    error: (message) => sse({ error: { message, type: 'invalid_request_error' } }),
    whole: (text) => ({
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 7, completion_tokens: 3 },
    }),
  },
  'openai-responses': {
    type: 'text/event-stream',
    text: (text) => [
      sse({ type: 'response.created', response: { status: 'in_progress' } }),
      sse({ type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'msg_1' } }),
      sse({ type: 'response.output_text.delta', output_index: 0, item_id: 'msg_1', delta: text }),
    ],
    call(name, args) {
      const item = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name, arguments: JSON.stringify(args) };
      return [
        sse({ type: 'response.output_item.added', output_index: 1, item: { ...item, arguments: '' } }),
        sse({ type: 'response.output_item.done', output_index: 1, item }),
      ];
    },
    end(reason) {
      if (reason === 'completed') return [sse({ type: 'response.completed', response: { status: reason, usage } })];
      const response = { status: 'incomplete', incomplete_details: { reason }, usage };
      return [sse({ type: 'response.incomplete', response })];
    },
    reasons: { stop: 'completed', calls: 'completed' },
    error: (message) => sse({ type: 'error', error: { type: 'invalid_request_error', message } }),
    whole: (text) => ({
      object: 'response',
      status: 'completed',
      output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }],
      usage,
    }),
  },
  'anthropic-messages': {
    type: 'text/event-stream',
    text: (text) => [
      sse({ type: 'message_start', message: { usage } }, 'message_start'),
      sse({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }, 'content_block_start'),
      sse({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }, 'content_block_delta'),
    ],
    call: (name, args) => [
      sse({
        type: 'content_block_start',
        index: 1,
        content_block: { type: 'tool_use', id: 'toolu_1', name, input: {} },
      }),
      sse({
        type: 'content_block_delta',
        index: 1,
        delta: { type: 'input_json_delta', partial_json: JSON.stringify(args) },
      }),
    ],
    end: (reason) => [
      sse({ type: 'message_delta', delta: { stop_reason: reason }, usage }),
      sse({ type: 'message_stop' }),
    ],
    reasons: { stop: 'end_turn', calls: 'tool_use' },
    error: (message) => sse({ type: 'error', error: { type: 'invalid_request_error', message } }, 'error'),
    whole: (text) => ({
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      usage,
    }),
  },
  gemini: {
    type: 'text/event-stream',
    text: (text) => [sse({ candidates: [{ content: { role: 'model', parts: [{ text }] } }] })],
    call: (name, args) => [
      sse({ candidates: [{ content: { role: 'model', parts: [{ functionCall: { name, args } }] } }] }),
    ],
    end: (reason) => [sse({ candidates: [{ content: { parts: [] }, finishReason: reason }] })],
    reasons: { stop: 'STOP', calls: 'STOP' },
    error: (message) => sse({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
    whole: (text) => ({ candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }] }),
  },
  'ollama-chat': {
    type: 'application/x-ndjson',
    text: (text) => [`${JSON.stringify({ message: { role: 'assistant', content: text }, done: false })}\n`],
    call(name, args) {
      const message = { role: 'assistant', content: '', tool_calls: [{ function: { name, arguments: args } }] };
      return [`${JSON.stringify({ message, done: false })}\n`];
    },
    end: (reason) => [`${JSON.stringify({ message: { content: '' }, done: true, done_reason: reason })}\n`],
    reasons: { stop: 'stop', calls: 'stop' },
    error: (message) => `${JSON.stringify({ error: message })}\n`,
    whole: (text) => ({ message: { role: 'assistant', content: text }, done: true, done_reason: 'stop' }),
  },
};

/** A stream of these frames on a wire. */
export function streamOf(
  wire: Wire,
  frames: readonly string[],
  options: Parameters<typeof pieceReply>[1] = {},
): RawReply {
  return pieceReply(frames, { type: FRAMES[wire].type, ...options });
}

/** A complete answer with this text. */
export function textReply(wire: Wire, text: string): RawReply {
  const frames = FRAMES[wire];
  return streamOf(wire, [...frames.text(text), ...frames.end(frames.reasons.stop)]);
}
