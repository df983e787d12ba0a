import * as z from 'zod';
import type { ContextWindow, LanguageModel, ModelEvent, ModelIdentity } from '../../ports/language-model.ts';
import { fetchJson } from '../http/fetch-json.ts';
import { type StreamFormat, wellFormedJson } from '../http/fetch-stream.ts';
import { readJsonStream } from '../http/read-json-stream.ts';
import { type Connection, streamAnswer } from '../http/stream-answer.ts';
import type { OfferedModel, WireModule, WireOptions } from '../wire-options.ts';
import { createChunkReader } from './chunks.ts';
import { geminiRequest } from './request.ts';

/** The wire `POST {endpoint}/models/MODEL:streamGenerateContent`. The key is sent in a header, never in the URL. */
export const gemini: WireModule = { createModel: createGemini, listModels };

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
  for await (const chunk of readJsonStream(response, FORMAT)) yield* reader.read(chunk);
  yield* reader.end();
}

/** The path of a model. Names such as `tunedModels/x` are paths. */
function pathOf(model: string): string {
  const name = model.includes('/') ? model : `models/${model}`;
  return `/${name.split('/').map(encodeURIComponent).join('/')}`;
}

const size = z.number().int().positive().nullish().catch(undefined);
const modelSchema = z.object({ inputTokenLimit: size });
const listSchema = z.object({
  models: z
    .array(
      z.object({ name: z.string(), inputTokenLimit: size, supportedGenerationMethods: z.array(z.string()).nullish() }),
    )
    .nullish(),
});

async function findWindow(options: WireOptions, signal: AbortSignal): Promise<ContextWindow | undefined> {
  const request = { path: pathOf(options.model), schema: modelSchema, fallback: {} } as const;
  const { inputTokenLimit } = await fetchJson(options, request, signal);
  return typeof inputTokenLimit === 'number' ? { tokens: inputTokenLimit } : undefined;
}

/** The models of `GET {endpoint}/models` that answer prompts. One page holds them all. */
async function listModels(options: WireOptions, signal: AbortSignal): Promise<readonly OfferedModel[]> {
  const { models } = await fetchJson(options, { path: '/models?pageSize=1000', schema: listSchema }, signal);
  return (models ?? [])
    .filter(({ supportedGenerationMethods: methods }) => methods?.includes('generateContent') ?? true)
    .map(({ name, inputTokenLimit }) => ({
      name: name.replace(/^models\//, ''),
      ...(typeof inputTokenLimit === 'number' && { contextWindow: inputTokenLimit }),
    }));
}
