import type { ModelError } from '../../../src/agent/errors.ts';
import type { FinishReason, ModelErrorCode } from '../../../src/agent/ports/language-model.ts';
import type { ScriptedAnswer } from '../fakes/scripted-model.ts';

/** An event stream of these frames. `end`: `close` ends it, `stall` leaves it open. */
export function eventStream(frames: readonly string[], end: 'close' | 'stall' = 'close'): Response {
  const encoder = new TextEncoder();
  const rest = [...frames];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const frame = rest.shift();
      if (frame !== undefined) controller.enqueue(encoder.encode(frame));
      else if (end === 'close') controller.close();
      else return new Promise(() => {});
      return undefined;
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
}

/** One frame of an event stream. */
export function frame(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** A chunk with this delta. */
export function chunk(delta: unknown, finish: string | null = null): string {
  const choice = { index: 0, delta, finish_reason: finish };
  return frame({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [choice] });
}

/** The last frame of a complete answer. */
export const DONE = 'data: [DONE]\n\n';

const REASONS: Partial<Readonly<Record<FinishReason, string>>> = {
  unknown: 'abort',
  window: 'model_length',
  paused: 'abort',
};

/** The response of a chat completions server with a scripted answer; arguments are sent in pieces of four characters. */
export function wireAnswer(answer: ScriptedAnswer): Response {
  const { reasoning, text = [], calls = [], usage, end = calls.length > 0 ? 'tool_calls' : 'stop' } = answer;
  const frames = [
    chunk({ role: 'assistant', content: '' }),
    ...(reasoning === undefined ? [] : [chunk({ reasoning_content: reasoning })]),
    ...(typeof text === 'string' ? [text] : text).map((piece) => chunk({ content: piece })),
    ...calls.flatMap(({ id, name, arguments: whole }, index) => [
      chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
      ...(whole.match(/.{1,4}/gs) ?? []).map((piece) =>
        chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
      ),
    ]),
  ];
  if (end === 'stall') return eventStream(frames, 'stall');
  if (end === 'none') return eventStream(frames);
  if (typeof end !== 'string') return errorAnswer(end, frames.length > 1 ? frames : []);
  const counted = { prompt_tokens: usage?.inputTokens, completion_tokens: usage?.outputTokens };
  return eventStream([
    ...frames,
    chunk({}, REASONS[end] ?? end),
    ...(usage === undefined ? [] : [frame({ choices: [], usage: counted })]),
    DONE,
  ]);
}

/** The error as a status, or as a separate frame when the answer has begun. */
function errorAnswer({ code, message }: ModelError, frames: readonly string[]): Response {
  const [status, type] = OPENAI_ERRORS[code];
  const body = { error: { message, type, code: type } };
  if (frames.length > 0) return eventStream([...frames, frame(body)]);
  return Response.json(body, { status });
}

/** The status and the code with which APIs of OpenAI report a failure. */
export const OPENAI_ERRORS: Readonly<Record<ModelErrorCode, readonly [number, string]>> = {
  auth: [401, 'invalid_api_key'],
  // Never sent by a server.
  budget_spent: [400, 'invalid_request_error'],
  rate_limit: [429, 'rate_limit_exceeded'],
  overloaded: [503, 'server_error'],
  context_overflow: [400, 'context_length_exceeded'],
  bad_request: [400, 'invalid_request_error'],
  unknown_model: [404, 'model_not_found'],
  network: [408, 'timeout'],
  // A server that is not running sends nothing.
  unreachable: [408, 'timeout'],
  cut_off: [408, 'timeout'],
  // Never sent as an error.
  incomplete_answer: [408, 'timeout'],
};
