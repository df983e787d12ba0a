import type { FinishReason, ModelEvent, ModelIdentity, TokenUsage } from '../../agent/ports/language-model.ts';
import { conforms, type ValueOf } from '../../schema/conforms.ts';
import { truncateText } from '../../text/truncate.ts';
import { finishReason } from '../finish-reasons.ts';
import { garbled } from '../http/read-form.ts';
import { tokensIn } from '../http/server-error.ts';
import type { AnswerReader, RedactKey } from '../http/stream-answer.ts';
import { callDelta, endOfAnswer } from '../provider-state.ts';
import { GEMINI_CHUNK, type GEMINI_SIGNATURE } from './schemas.data.ts';

type Chunk = ValueOf<typeof GEMINI_CHUNK>;
type Content = NonNullable<NonNullable<Chunk['candidates']>[number]['content']>;
type Part = NonNullable<Content['parts']>[number];

export function createGeminiReader(identity: ModelIdentity, redact: RedactKey): AnswerReader {
  const signatures: ValueOf<typeof GEMINI_SIGNATURE>[] = [];
  let calls = 0;
  /** The last call has no arguments yet. */
  let isEmpty = false;
  let usage: TokenUsage | undefined;
  /** The last reason, because some gateways send others before the end. */
  let finish: { readonly reason: string; readonly message: string } | undefined;
  let blocked = '';

  const readPart = ({ text, thought, thoughtSignature, functionCall }: Part): ModelEvent[] => {
    // Arguments without a name belong to the call before them.
    if (functionCall && (functionCall.name || !isEmpty)) calls += 1;
    if (thoughtSignature) signatures.push({ call: functionCall ? calls - 1 : null, thoughtSignature });
    const events: ModelEvent[] = text ? [{ type: thought === true ? 'reasoning_delta' : 'text_delta', text }] : [];
    if (!functionCall) return events;
    const { id, name, args } = functionCall;
    const json = typeof args === 'string' ? args : JSON.stringify(args ?? {});
    isEmpty = json === '{}';
    return [...events, callDelta(calls - 1, json, { id, name })];
  };

  return {
    read(value) {
      if (!conforms(value, GEMINI_CHUNK)) return garbled(value, GEMINI_CHUNK);
      usage = readUsage(value) ?? usage;
      blocked ||= value.promptFeedback?.blockReason ?? '';
      const [candidate] = value.candidates ?? [];
      const events = (candidate?.content?.parts ?? []).flatMap(readPart);
      if (candidate?.finishReason) {
        finish = { reason: candidate.finishReason, message: redact(candidate.finishMessage ?? '') };
      }
      return events;
    },
    end() {
      const name = blocked || finish?.reason;
      if (name === undefined) return [];
      const reason = finish === undefined ? 'content_filter' : finishOf(finish.reason, finish.message, calls > 0);
      // A later signature replaces an earlier one at the same place.
      const items = [...new Map(signatures.map((signature) => [signature.call, { ...signature }])).values()];
      const end = endOfAnswer(reason, usage, { identity, items });
      if (reason !== 'content_filter') return end;
      const message = `The service gave the reason ${redact(name)}.`;
      return [{ type: 'warning', code: 'content_filter', message }, ...end];
    },
  };
}

function readUsage({ usageMetadata: counts }: Chunk): TokenUsage | undefined {
  const inputTokens = tokensIn(counts, 'promptTokenCount');
  if (inputTokens === undefined) return undefined;
  const outputTokens = (tokensIn(counts, 'candidatesTokenCount') ?? 0) + (tokensIn(counts, 'thoughtsTokenCount') ?? 0);
  const cachedTokens = tokensIn(counts, 'cachedContentTokenCount') ?? 0;
  return { inputTokens, outputTokens, ...(cachedTokens === 0 ? {} : { cachedTokens }) };
}

function finishOf(reason: string, message: string, hasCalls: boolean): FinishReason {
  // The message of a malformed call may contain the whole call.
  const finish = finishReason('gemini', reason, truncateText(message, MAX_MESSAGE_LENGTH));
  return finish === 'stop' && hasCalls ? 'tool_calls' : finish;
}

/** The maximum length of a message within ours, in characters. */
const MAX_MESSAGE_LENGTH = 300;
