import type {
  FinishReason,
  LanguageModel,
  ModelEvent,
  ModelRequest,
  TokenUsage,
} from '../agent/ports/language-model.ts';

/** The part of the window that request and answer fill at its end, because servers count some tokens apart. */
const FULL = 0.95;

/** Reasons of answers that are known not to be complete. */
const CUTS: ReadonlySet<FinishReason> = new Set(['length', 'window', 'content_filter']);

/**
 * The wires over which servers report an answer as complete that was cut at the limit, with a count of tokens that may
 * exceed it: llama.cpp does so over Responses, and LiteLLM over Messages for an answer that it got over Responses.
 */
const DENYING: ReadonlySet<string> = new Set(['openai-responses', 'anthropic-messages']);

/** Sizes of windows are multiples of this, in tokens. */
const STEP = 1_024;

/**
 * A model that tells an answer which was cut at the end of the context window (`window`) from one that reached its output
 * limit (`length`). vLLM and llama.cpp say `length` in both cases. An answer that is shorter than the limit was cut by the
 * window if request and answer fill it. An unknown window is a multiple of 1,024 tokens, as that of nearly all servers,
 * so that an output limit of the server is not taken for it. `maxTokens` is the limit where the model states none.
 */
export function withWindowEnds(
  model: LanguageModel,
  findLimit: (signal: AbortSignal) => Promise<number>,
): LanguageModel {
  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, void> {
    let usage: TokenUsage | undefined;
    for await (const event of model.stream(request, signal)) {
      if (event.type === 'usage') usage = event;
      if (event.type !== 'finish' || usage === undefined) {
        yield event;
        continue;
      }
      const maxTokens = await findLimit(signal);
      const isDenied = DENYING.has(model.identity.wire) && !CUTS.has(event.reason);
      // LocalAI and LiteLLM report every answer as complete. One that ends by itself rarely has exactly this length.
      const isFull = usage.outputTokens === maxTokens && event.reason === 'stop';
      if (isFull || (isDenied && usage.outputTokens >= maxTokens)) {
        yield { type: 'finish', reason: 'length' };
        continue;
      }
      if (event.reason !== 'length') {
        yield event;
        continue;
      }
      const window = await model.contextWindow?.(signal).catch(() => undefined);
      yield isCutByWindow(usage, window?.answerTokens ?? maxTokens, window?.tokens)
        ? { type: 'finish', reason: 'window' }
        : event;
    }
  }
  return { ...model, stream };
}

function isCutByWindow(
  { inputTokens, outputTokens }: TokenUsage,
  maxTokens: number,
  window: number | undefined,
): boolean {
  if (outputTokens >= maxTokens) return false;
  if (window !== undefined) return inputTokens + outputTokens >= window * FULL;
  const total = inputTokens + outputTokens;
  return total >= STEP && Math.abs(total - Math.round(total / STEP) * STEP) <= 1;
}
