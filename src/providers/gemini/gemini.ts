import type { ContextWindow, LanguageModel } from '../../agent/ports/language-model.ts';
import { fetchJson } from '../http/fetch-json.ts';
import { formReader } from '../http/read-form.ts';
import { streamAnswer } from '../http/stream-answer.ts';
import type { WireOptions } from '../wire-options.ts';
import { createGeminiReader } from './chunks.ts';
import { geminiRequest } from './request.ts';
import { GEMINI_MODEL } from './schemas.data.ts';

/** A model on the wire `POST {endpoint}/models/MODEL:streamGenerateContent`. */
export function createGemini(options: WireOptions): LanguageModel {
  const { provider, model } = options;
  const identity = { provider, wire: 'gemini', model };
  let window: ContextWindow | undefined;
  return {
    identity,
    async contextWindow(signal) {
      // A server between may have only the requests for answers.
      window ??= await findWindow(options, signal).catch(() => undefined);
      return window;
    },
    stream(request, signal) {
      const path = `${pathOf(model)}:streamGenerateContent?alt=sse`;
      const body = geminiRequest(request, identity, options);
      const sent = { path, contentType: 'text/event-stream', body } as const;
      return streamAnswer(options, sent, signal, (redact) => createGeminiReader(identity, redact));
    },
  };
}

/** The path of a model. Names such as `tunedModels/x` are paths. */
function pathOf(model: string): string {
  const name = model.includes('/') ? model : `models/${model}`;
  return `/${name.split('/').map(encodeURIComponent).join('/')}`;
}

async function findWindow(options: WireOptions, signal: AbortSignal): Promise<ContextWindow> {
  const request = { path: pathOf(options.model), read: formReader(GEMINI_MODEL), fallback: {} } as const;
  const { inputTokenLimit, outputTokenLimit } = await fetchJson(options, request, signal);
  const [tokens, answerTokens] = [inputTokenLimit, outputTokenLimit].map((limit) => {
    return typeof limit === 'number' && Number.isSafeInteger(limit) && limit > 0 ? limit : undefined;
  });
  return {
    ...(tokens === undefined ? {} : { tokens }),
    ...(answerTokens === undefined ? {} : { answerTokens }),
  };
}
