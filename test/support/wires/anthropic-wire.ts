import type { ModelError } from '../../../src/agent/errors.ts';
import type { FinishReason } from '../../../src/agent/ports/language-model.ts';
import type { ScriptedAnswer } from '../fakes/scripted-model.ts';
import { eventStream, OPENAI_ERRORS } from './chat-completion-wire.ts';

/** An event of a streamed message. */
export interface AnthropicEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** One event of a streamed message, as a frame. */
export function anthropicFrame(event: AnthropicEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** The events of one block of a streamed message. */
export function blockEvents(index: number, start: object, ...deltas: readonly object[]): readonly AnthropicEvent[] {
  return [
    { type: 'content_block_start', index, content_block: start },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

/** The first event of a streamed message. */
export function messageStart(usage: object = { input_tokens: 1, output_tokens: 1 }): AnthropicEvent {
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    usage,
  };
  return { type: 'message_start', message };
}

/** The last events of a streamed message. */
export function messageEnd(stopReason: string, usage: object = {}): readonly AnthropicEvent[] {
  const delta = { stop_reason: stopReason, stop_sequence: null };
  return [{ type: 'message_delta', delta, usage }, { type: 'message_stop' }];
}

/** The response of the Messages API with a scripted answer; arguments are sent in pieces of four characters. */
export function anthropicAnswer(answer: ScriptedAnswer): Response {
  const { reasoning, text = [], calls = [], usage, end = calls.length > 0 ? 'tool_calls' : 'stop' } = answer;
  const pieces = typeof text === 'string' ? [text] : text;
  const blocks = [
    ...(reasoning === undefined
      ? []
      : [
          [
            { type: 'thinking', thinking: '', signature: '' },
            { type: 'thinking_delta', thinking: reasoning },
          ],
        ]),
    ...(pieces.length === 0
      ? []
      : [[{ type: 'text', text: '' }, ...pieces.map((piece) => ({ type: 'text_delta', text: piece }))]]),
    ...calls.map(({ id, name, arguments: whole }) => [
      { type: 'tool_use', id, name, input: {} },
      ...(whole.match(/.{1,4}/gs) ?? []).map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
    ]),
  ];
  const started = messageStart(usage === undefined ? {} : { input_tokens: usage.inputTokens, output_tokens: 1 });
  const begun = [
    started,
    { type: 'ping' },
    ...blocks.flatMap(([start = {}, ...deltas], index) => blockEvents(index, start, ...deltas)),
  ];
  const frames = begun.map(anthropicFrame);
  if (end === 'stall') return eventStream(frames, 'stall');
  if (end === 'none') return eventStream(frames);
  if (typeof end !== 'string') return errorAnswer(end, blocks.length > 0 ? frames : []);
  const counted = usage === undefined ? {} : { output_tokens: usage.outputTokens };
  return eventStream([...frames, ...messageEnd(STOP_REASONS[end], counted).map(anthropicFrame)]);
}

const STOP_REASONS: Readonly<Record<FinishReason, string>> = {
  stop: 'end_turn',
  tool_calls: 'tool_use',
  length: 'max_tokens',
  content_filter: 'refusal',
  window: 'model_context_window_exceeded',
  paused: 'pause_turn',
  unknown: 'steered',
};

/** The error as a status, or as an event when the answer has begun. */
function errorAnswer({ code, message }: ModelError, frames: readonly string[]): Response {
  const status = code === 'overloaded' ? 529 : OPENAI_ERRORS[code][0];
  const type = ERROR_TYPES[status] ?? 'invalid_request_error';
  const text = code === 'context_overflow' ? 'prompt is too long: 210000 tokens > 200000 maximum' : message;
  const body = { type: 'error', error: { type, message: text }, request_id: 'req_1' };
  if (frames.length > 0) return eventStream([...frames, anthropicFrame(body)]);
  return Response.json(body, { status });
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  404: 'not_found_error',
  408: 'timeout_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};
