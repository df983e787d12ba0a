import { offeredForm } from '../../reply/expand-step.ts';
import { isSameAnswer } from '../../wire/native/same-answer.ts';
import type { ReadRequest } from '../../wire/wire.ts';
import { decodeAnswer } from './decode-answer.ts';
import type { DecodedAnswer } from './decoded-answer.ts';

/**
 * Reports whether a scenario expresses an answer by its text, reasoning, calls, finish reason and usage, so that its
 * native form adds nothing: the server then sends the same events. Pure.
 */
export function isExpressed(read: ReadRequest, answer: DecodedAnswer): boolean {
  const { native, reasoning, content, toolCalls, finish, nativeFinish, usage = {} } = answer;
  if (native === undefined || finish === undefined) return native === undefined;
  const { protocol, model, tools } = read.conversation;
  const { input_tokens = 0, cached_tokens = 0, output_tokens = 0, reasoning_tokens = 0 } = usage;
  // The server would cut the text again: by its estimate, or before a stop sequence that the model has sent.
  if (finish === 'length' && usage.output_tokens === undefined) return false;
  if (read.limits?.stop?.texts.some((text) => content?.includes(text) === true)) return false;
  // Without a count, the server estimates the tokens of the reasoning.
  if (reasoning !== undefined && usage.reasoning_tokens === undefined) return false;
  const reply = {
    digest: '0'.repeat(64),
    created: 0,
    model,
    reasoning,
    content: content ?? (toolCalls.length === 0 ? '' : undefined),
    toolCalls: toolCalls.map((call) => ({ ...offeredForm(call.name, tools), ...call })),
    finish,
    nativeFinish,
    usage: {
      inputTokens: input_tokens,
      cachedTokens: cached_tokens,
      outputTokens: output_tokens,
      reasoningTokens: reasoning_tokens,
    },
    source: undefined,
  };
  const text = read.stream
    ? read
        .frames(reply)
        .map(({ bytes }) => bytes)
        .join('')
    : JSON.stringify(read.encode(reply));
  const contentType = read.stream && native.protocol === 'ollama' ? 'application/x-ndjson' : '';
  const sent = decodeAnswer(protocol, { contentType, text }).native;
  return sent !== undefined && isSameAnswer(sent, native);
}
