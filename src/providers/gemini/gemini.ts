import type { ContextWindow, LanguageModel, ModelEvent, ModelIdentity } from '../../agent/ports/language-model.ts';
import { fetchJson } from '../http/fetch-json.ts';
import { type StreamFormat, wellFormedJson } from '../http/fetch-stream.ts';
import { formReader } from '../http/read-form.ts';
import { readJsonStream } from '../http/read-json-stream.ts';
import { type Connection, streamAnswer } from '../http/stream-answer.ts';
import { GEMINI_MODEL } from '../schemas.data.ts';
import type { WireModule, WireOptions } from '../wire-options.ts';
import { createChunkReader } from './chunks.ts';
import { geminiRequest } from './request.ts';

/** The wire `POST {endpoint}/models/MODEL:streamGenerateContent`. The key is sent in a header, never in the URL. */
export const gemini: WireModule = {
  createModel: createGemini,
  listModels: async (options, signal) => (await import('./models.ts')).listModels(options, signal),
};

const FORMAT: StreamFormat = { contentType: 'text/event-stream' };

function createGemini(options: WireOptions): LanguageModel {
  const { provider, model, knownWindow } = options;
  const identity = { provider, wire: 'gemini', model };
  let window: ContextWindow | undefined = knownWindow === undefined ? undefined : { tokens: knownWindow };
  return {
    identity,
    async contextWindow(signal) {
      window ??= await findWindow(options, signal);
      return window;
    },
    stream(request, signal) {
      const body = wellFormedJson(geminiRequest(request, identity, options));
      return streamAnswer(options, FORMAT, signal, (connection) => answer(body, options, identity, connection));
    },
  };
}

async function* answer(
  body: string,
  { endpoint, model }: WireOptions,
  identity: ModelIdentity,
  { fetch, signal, redact }: Connection,
): AsyncGenerator<ModelEvent, void, void> {
  const url = `${endpoint}${pathOf(model)}:streamGenerateContent?alt=sse`;
  const response = await fetch(url, { method: 'POST', body, signal });
  const reader = createChunkReader(identity, redact);
  for await (const chunk of readJsonStream(response, FORMAT)) yield* await reader.read(chunk);
  yield* reader.end();
}

/** The path of a model. Names such as `tunedModels/x` are paths. */
function pathOf(model: string): string {
  const name = model.includes('/') ? model : `models/${model}`;
  return `/${name.split('/').map(encodeURIComponent).join('/')}`;
}

const readModel = formReader(GEMINI_MODEL, async () => (await import('./schemas.ts')).modelSchema);

async function findWindow(options: WireOptions, signal: AbortSignal): Promise<ContextWindow | undefined> {
  const request = { path: pathOf(options.model), read: readModel, fallback: {} } as const;
  const { inputTokenLimit } = await fetchJson(options, request, signal);
  return Number.isSafeInteger(inputTokenLimit) && Number(inputTokenLimit) > 0
    ? { tokens: Number(inputTokenLimit) }
    : undefined;
}
