import type { FinishReason, ModelEvent, ModelIdentity, TokenUsage } from '../../agent/ports/language-model.ts';
import { conforms, type ValueOf } from '../../schema/conforms.ts';
import { finishOfRefusal, finishReason, hasRefusal, type UnnamedEnds, unnamedEnd } from '../finish-reasons.ts';
import { garbled } from '../http/read-form.ts';
import { fieldOf, readServerError, tokensIn } from '../http/server-error.ts';
import type { AnswerReader, RedactKey } from '../http/stream-answer.ts';
import { endOfAnswer } from '../provider-state.ts';
import { createCallCollector, piecesIn } from './calls.ts';
import { readContent } from './content.ts';
import { createMessageState } from './message-state.ts';
import { CHAT_CHUNK } from './schemas.data.ts';

/**
 * Creates a reader for the chunks of one answer of this model, or for a whole one. It keeps usage and finish reason until the end,
 * because servers differ in their order.
 */
export function createChatReader(
  identity: ModelIdentity,
  redact: RedactKey,
  unnamed: UnnamedEnds = { count: 0 },
): Required<AnswerReader> {
  const state = createMessageState();
  const calls = createCallCollector();
  let usage: TokenUsage | undefined;
  let isCounted = false;
  let finish: { readonly reason: string; readonly message: string } | undefined;
  /** The number of the choice whose text is read: that of the first one. */
  let index: unknown;
  /** The parts of the answer that have come. */
  const come = { text: false, reasoning: false, calls: false };
  let isRefused = false;

  const readMessage = (message: Message): readonly ModelEvent[] => {
    state.addMessage(message);
    const { content, refusal, reasoning_content, reasoning, reasoning_text, thinking, tool_calls, function_call } =
      message;
    isRefused ||= hasRefusal(message) || hasRefusal(content);
    const events: ModelEvent[] = [
      ...readContent(reasoning_content || reasoning || reasoning_text || thinking, 'reasoning_delta'),
      ...readContent(content === '' ? refusal : (content ?? refusal)),
    ];
    for (const event of events) come[event.type === 'text_delta' ? 'text' : 'reasoning'] = true;
    const legacy = function_call ? [{ index: 0, function: function_call }] : [];
    for (const piece of [...piecesIn(tool_calls), ...legacy]) {
      const added = calls.add(piece);
      if (added === undefined) continue;
      come.calls = true;
      state.addCall(added.position, piece);
      events.push(...added.events);
    }
    return events;
  };

  const readChoice = (choice: Choice): readonly ModelEvent[] => {
    const { finish_reason, native_finish_reason, error, delta, message, text } = choice;
    const native = reasonText(native_finish_reason) ?? '';
    // OpenRouter reports a normal end for a failed call of Gemini, and for a broken connection to its provider.
    const reason = FAILED.test(native) ? native : reasonText(finish_reason);
    if (reason !== undefined) {
      const words = error === undefined ? '' : readServerError(redact(JSON.stringify({ error }))).message;
      finish = { reason, message: words };
    }
    const written = typeof text === 'string' ? { content: text } : undefined;
    const start = delta ?? (message ? undefined : written);
    const pieces = start ? readMessage(start) : [];
    // MiniMax ends a stream with the whole message.
    return message ? [...pieces, ...readMessage(without(message, come))] : pieces;
  };

  const reasonOfEnd = (isMarked: boolean): FinishReason | undefined => {
    if (finish !== undefined) return finishReason('openai-chat', finish.reason, finish.message);
    return isMarked ? unnamedEnd(unnamed, { calls: calls.texts(), hasText: come.text }) : undefined;
  };

  return {
    read(chunk) {
      if (!conforms(chunk, CHAT_CHUNK)) return garbled(chunk, CHAT_CHUNK);
      const counts = readUsage(chunk.usage);
      usage = counts ?? usage;
      isCounted = counts !== undefined && chunk.choices?.length === 0;
      return (chunk.choices ?? []).flatMap((choice) => {
        if (choice === null) return [];
        // Only one answer is asked for. Copilot parts that of Claude into choices, the calls in another than the text.
        index ??= choice.index;
        const isOther = (choice.index ?? index) !== index;
        return isOther && choice.delta?.content && !choice.delta.tool_calls ? [] : readChoice(choice);
      });
    },
    // Some gateways end an answer with its counts in a chunk of their own.
    hasMark: () => isCounted,
    end(isMarked) {
      const reason = reasonOfEnd(isMarked);
      if (reason === undefined) return [];
      return endOfAnswer(isRefused ? finishOfRefusal(reason) : reason, usage, { identity, items: state.items() });
    },
  };
}

type Choice = NonNullable<NonNullable<ValueOf<typeof CHAT_CHUNK>['choices']>[number]>;
type Message = NonNullable<Choice['message']>;

/** The native reasons of an answer that failed. */
const FAILED = /^(?:malformed_function_call|unexpected_tool_call|.*(?:error|abort|cancel).*)$/i;

/** The name of a reason; `undefined` for none. SGLang may send an object with its type. */
function reasonText(value: unknown): string | undefined {
  const reason = fieldOf(value, 'type') ?? value;
  // DashScope sends "null" until the end.
  return typeof reason === 'string' && !/^(?:null|none)?$/i.test(reason) ? reason : undefined;
}

/** A whole message without the parts that have come in pieces. */
function without(
  message: Message,
  { text, reasoning, calls }: Readonly<Record<'text' | 'reasoning' | 'calls', boolean>>,
) {
  const { content, refusal, reasoning_content, reasoning: thought, reasoning_text, thinking, ...others } = message;
  const { tool_calls, function_call, ...rest } = others;
  return {
    ...(text || reasoning || calls ? {} : rest),
    ...(text ? {} : { content, refusal }),
    ...(reasoning ? {} : { reasoning_content, reasoning: thought, reasoning_text, thinking }),
    ...(calls ? {} : { tool_calls, function_call }),
  };
}

/** The counts of a server; `undefined` for none, or for counts of another kind. */
function readUsage(usage: unknown): TokenUsage | undefined {
  const inputTokens = tokensIn(usage, 'prompt_tokens') ?? tokensIn(usage, 'input_tokens');
  const outputTokens = tokensIn(usage, 'completion_tokens') ?? tokensIn(usage, 'output_tokens');
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  const cachedTokens =
    tokensIn(fieldOf(usage, 'prompt_tokens_details'), 'cached_tokens') ??
    tokensIn(usage, 'prompt_cache_hit_tokens') ?? // DeepSeek
    tokensIn(usage, 'cached_tokens'); // Moonshot
  return { inputTokens, outputTokens, ...(cachedTokens === undefined ? {} : { cachedTokens }) };
}
