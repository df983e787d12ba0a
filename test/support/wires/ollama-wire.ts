import type { ModelError } from '../../../src/agent/errors.ts';
import type { ModelErrorCode } from '../../../src/agent/ports/language-model.ts';
import type { ScriptedAnswer } from '../fakes/scripted-model.ts';
import { eventStream } from './chat-completion-wire.ts';

/** One line of an answer. */
export function ollamaLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

/** A line with this part of the message. */
export function messageLine(message: object): string {
  return ollamaLine({ model: 'm', message: { role: 'assistant', content: '', ...message }, done: false });
}

/** The last line of an answer. */
export function endLine(doneReason: string, counts: object = {}): string {
  const message = { role: 'assistant', content: '' };
  return ollamaLine({ model: 'm', message, done: true, done_reason: doneReason, ...counts });
}

/** A stream of lines. `end`: `close` ends it, `stall` leaves it open. */
export function lineStream(lines: readonly string[], end: 'close' | 'stall' = 'close'): Response {
  return new Response(eventStream(lines, end).body, { headers: { 'content-type': 'application/x-ndjson' } });
}

/** The answer of `/api/show` for a model that can do everything. */
export const SHOWN = {
  model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': 40_960 },
  capabilities: ['completion', 'tools', 'thinking', 'vision'],
};

/** The response of an Ollama server to a request to this path; that of the chat is a scripted answer. */
export function ollamaAnswer(answer: ScriptedAnswer, path: string): Response {
  if (path.endsWith('/api/show')) return Response.json(SHOWN);
  if (path.endsWith('/api/ps')) return Response.json({ models: [] });
  const { reasoning, text = [], calls = [], usage, end = 'stop' } = answer;
  const lines = [
    ...(reasoning === undefined ? [] : [messageLine({ thinking: reasoning })]),
    ...(typeof text === 'string' ? [text] : text).map((piece) => messageLine({ content: piece })),
    ...calls.map(({ id, name, arguments: args }) => {
      return messageLine({ tool_calls: [{ id, function: { index: 0, name, arguments: JSON.parse(args) } }] });
    }),
  ];
  if (end === 'stall') return lineStream(lines, 'stall');
  if (end === 'none') return lineStream(lines);
  if (typeof end !== 'string') return errorAnswer(end, lines);
  const counts = usage && { prompt_eval_count: usage.inputTokens, eval_count: usage.outputTokens };
  return lineStream([...lines, endLine(end === 'tool_calls' || end === 'content_filter' ? 'stop' : end, counts)]);
}

/** The error as a status, or as a line when the answer has begun. */
function errorAnswer({ code, message }: ModelError, lines: readonly string[]): Response {
  if (lines.length > 0) return lineStream([...lines, ollamaLine({ error: message })]);
  const [status, error] = wireErrors[code] ?? [400, message];
  return Response.json({ error }, { status });
}

/** The body of Ollama for a conversation that is too long: the error of its runner, as JSON in a JSON string. */
export const OVERFLOW = JSON.stringify({
  error: {
    code: 400,
    message: 'request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it',
    type: 'exceed_context_size_error',
    n_prompt_tokens: 9000,
    n_ctx: 8192,
  },
});

const wireErrors: Readonly<Partial<Record<ModelErrorCode, readonly [status: number, error: string]>>> = {
  auth: [401, 'unauthorized'],
  rate_limit: [429, 'too many requests'],
  overloaded: [503, 'server busy, please try again.  maximum pending requests exceeded'],
  context_overflow: [400, OVERFLOW],
};
