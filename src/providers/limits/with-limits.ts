import type { ContextWindow, LanguageModel, ModelEvent, ModelRequest } from '../../agent/ports/language-model.ts';
import type { FindLimits } from './find-limits.ts';

/**
 * A model with its limits. Before its first request with tools, it warns if the server says that it cannot call any,
 * unless it writes its calls as text.
 */
export function withLimits(
  model: LanguageModel,
  label: string,
  find: FindLimits,
  protocol: 'native' | 'xnl' = 'native',
): LanguageModel {
  let isWarned = protocol === 'xnl';

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, void> {
    const limits = await find(signal);
    if (limits.lacksTools === true && request.tools.length > 0 && !isWarned) {
      isWarned = true;
      yield { type: 'warning', code: 'no_tools', message: noTools(label, model.identity.model) };
    }
    yield* model.stream(request, signal);
  }
  return {
    ...model,
    async contextWindow(signal) {
      const { window, answer, warning } = await find(signal);
      return { tokens: window.tokens, answerTokens: answer.tokens, ...(warning === undefined ? {} : { warning }) };
    },
    stream,
  };
}

function noTools(label: string, model: string): string {
  return `${label} says that ${model} cannot call tools, so it can only answer. Use another model, or let it write its calls as text: ybs config set llm.tool_protocol xnl.`;
}

/** The limits of a model, where its window is more than an assumption. */
export function knownWindow(find: FindLimits): (signal: AbortSignal) => Promise<ContextWindow> {
  return async (signal) => {
    const { window, answer } = await find(signal);
    return { answerTokens: answer.tokens, ...(window.source === 'assumed' ? {} : { tokens: window.tokens }) };
  };
}
