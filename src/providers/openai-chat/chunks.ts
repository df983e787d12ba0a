import type { ModelEvent, ModelIdentity, TokenUsage } from '../../agent/ports/language-model.ts';
import { conforms } from '../../schema/conforms.ts';
import { finishReason } from '../finish-reasons.ts';
import { garbled } from '../http/read-form.ts';
import { fieldOf, readServerError } from '../http/server-error.ts';
import type { AnswerReader, RedactKey } from '../http/stream-answer.ts';
import { endOfAnswer } from '../provider-state.ts';
import { createCallCollector } from './calls.ts';
import { readContent } from './content.ts';
import { createMessageState } from './message-state.ts';
import { CHAT_CHUNK } from './schemas.data.ts';

/**
 * Creates a reader for the chunks of one answer of this model, or for a whole one. It keeps usage and finish reason until the end,
 * because servers differ in their order.
 */
export function createChatReader(identity: ModelIdentity, redact: RedactKey): Required<AnswerReader> {
  const state = createMessageState();
  const calls = createCallCollector();
  let usage: TokenUsage | undefined;
  let finish: { readonly reason: string; readonly message: string } | undefined;

  return {
    read(chunk) {
      if (!conforms(chunk, CHAT_CHUNK)) return garbled(chunk, CHAT_CHUNK);
      usage = readUsage(chunk.usage) ?? usage;
      const choice = chunk.choices?.find(({ index }) => (index ?? 0) === 0);
      const { finish_reason: reason, error } = choice ?? {};
      // DashScope sends "null" until the end.
      if (reason && reason !== 'null') {
        const message = error === undefined ? '' : readServerError(redact(JSON.stringify({ error }))).message;
        finish = { reason, message };
      }
      const message = choice?.delta ?? choice?.message ?? {};
      state.addMessage(message);
      const { content, refusal, reasoning_content, reasoning, reasoning_text, tool_calls, function_call } = message;
      const legacy = function_call ? [{ index: 0, function: function_call }] : [];
      const events: ModelEvent[] = [
        ...readContent(reasoning_content || reasoning || reasoning_text, 'reasoning_delta'),
        ...readContent(content || refusal),
      ];
      for (const piece of [...(tool_calls ?? []), ...legacy]) {
        const { position, events: added } = calls.add(piece);
        state.addCall(position, piece);
        events.push(...added);
      }
      return events;
    },
    end() {
      if (finish === undefined) return [];
      return endOfAnswer(finishReason('openai-chat', finish.reason, finish.message), usage, {
        identity,
        items: state.items(),
      });
    },
  };
}

/** The counts of a server; `undefined` for none, or for counts of another kind. */
function readUsage(usage: unknown): TokenUsage | undefined {
  const inputTokens = count(fieldOf(usage, 'prompt_tokens')) ?? count(fieldOf(usage, 'input_tokens'));
  const outputTokens = count(fieldOf(usage, 'completion_tokens')) ?? count(fieldOf(usage, 'output_tokens'));
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  const cachedTokens =
    count(fieldOf(fieldOf(usage, 'prompt_tokens_details'), 'cached_tokens')) ??
    count(fieldOf(usage, 'prompt_cache_hit_tokens')) ?? // DeepSeek
    count(fieldOf(usage, 'cached_tokens')); // Moonshot
  return { inputTokens, outputTokens, ...(cachedTokens === undefined ? {} : { cachedTokens }) };
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
