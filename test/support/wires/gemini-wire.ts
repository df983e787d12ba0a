import type { ModelError } from '../../../src/agent/errors.ts';
import type { FinishReason, ModelErrorCode } from '../../../src/agent/ports/language-model.ts';
import type { ScriptedAnswer } from '../fakes/scripted-model.ts';
import { eventStream, frame } from './chat-completion-wire.ts';

/** A frame with these parts of an answer. */
export function partsFrame(...parts: readonly object[]): string {
  return frame({ candidates: [{ content: { role: 'model', parts }, index: 0 }] });
}

/** The last frame of an answer. */
export function finishFrame(finishReason: string, more: object = {}): string {
  return frame({
    candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason, index: 0 }],
    ...more,
  });
}

/** The response of the Gemini API with a scripted answer. */
export function geminiAnswer(answer: ScriptedAnswer): Response {
  const { reasoning, text = [], calls = [], usage, end = 'stop' } = answer;
  const frames = [
    ...(reasoning === undefined ? [] : [partsFrame({ text: reasoning, thought: true })]),
    ...(typeof text === 'string' ? [text] : text).map((piece) => partsFrame({ text: piece })),
    ...calls.map(({ id, name, arguments: args }) => partsFrame({ functionCall: { id, name, args: JSON.parse(args) } })),
  ];
  if (end === 'stall') return eventStream(frames, 'stall');
  if (end === 'none') return eventStream(frames);
  if (typeof end !== 'string') return errorAnswer(end, frames);
  const counts = usage && { promptTokenCount: usage.inputTokens, candidatesTokenCount: usage.outputTokens };
  return eventStream([...frames, finishFrame(finishReasons[end], { usageMetadata: counts })]);
}

const finishReasons: Readonly<Record<FinishReason, string>> = {
  stop: 'STOP',
  tool_calls: 'STOP',
  length: 'MAX_TOKENS',
  content_filter: 'SAFETY',
  unknown: 'OTHER',
  // Gemini has neither.
  window: 'MAX_TOKENS',
  paused: 'STOP',
};

/** The error as a status, or as a separate frame when the answer has begun. */
function errorAnswer({ code, message }: ModelError, frames: readonly string[]): Response {
  const [status, name, text = message] = wireErrors[code] ?? [400, 'INVALID_ARGUMENT'];
  const body = { error: { code: status, message: text, status: name } };
  if (frames.length > 0) return eventStream([...frames, frame(body)]);
  return Response.json(body, { status });
}

const wireErrors: Readonly<Partial<Record<ModelErrorCode, readonly [status: number, name: string, message?: string]>>> =
  {
    auth: [403, 'PERMISSION_DENIED'],
    rate_limit: [429, 'RESOURCE_EXHAUSTED'],
    overloaded: [503, 'UNAVAILABLE'],
    context_overflow: [
      400,
      'INVALID_ARGUMENT',
      'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    ],
  };
