import { ModelError } from '../agent/errors.ts';
import type { LanguageModel, ModelErrorCode, ModelEvent, ModelRequest } from '../agent/ports/language-model.ts';

/** The failures for which another model of the same provider may answer. */
const UNAVAILABLE: ReadonlySet<ModelErrorCode> = new Set(['overloaded', 'rate_limit', 'unknown_model']);

/**
 * A model that another one replaces from the first request on that fails because it is overloaded or not available. It
 * yields a `retry` event, which withdraws the events before it, and a warning. Retries come before that.
 */
export function withFallback(model: LanguageModel, openFallback: () => Promise<LanguageModel>): LanguageModel {
  let current = model;
  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, void> {
    if (current !== model) return yield* current.stream(request, signal);
    let finished = false;
    try {
      for await (const event of model.stream(request, signal)) {
        finished ||= event.type === 'finish';
        yield event;
      }
      return;
    } catch (error) {
      const mayReplace = error instanceof ModelError && UNAVAILABLE.has(error.code);
      if (!mayReplace || finished || signal.aborted) throw error;
      current = await openFallback();
      const { code, message } = error;
      yield { type: 'retry', attempt: 1, delayMs: 0, code, message };
      const text = `${model.identity.model} is not available, so ${current.identity.model} answers from now on.`;
      yield { type: 'warning', code: 'fallback_model', message: text };
    }
    yield* current.stream(request, signal);
  }
  return {
    get identity() {
      return current.identity;
    },
    contextWindow: async (signal) => current.contextWindow?.(signal),
    stream,
  };
}
