import { VERSION_HEADERS } from './anthropic-messages/request.ts';
import { fetchJson } from './http/fetch-json.ts';
import { formReader } from './http/read-form.ts';
import { GEMINI_MODELS, OLLAMA_MODELS } from './limits/schemas.data.ts';
import { completeModels, offeredModel, readList, statedSize } from './limits/server-models.ts';
import type { OfferedModel, WireOptions } from './wire-options.ts';
import type { Wire } from './wires.ts';

/** The lists of models, each on one page. Servers with the protocols of OpenAI and of Anthropic have the same one. */
const LISTS: Readonly<Record<Wire, (options: WireOptions, signal: AbortSignal) => Promise<readonly OfferedModel[]>>> = {
  'openai-chat': (options, signal) => listed(options, { path: '/models' }, signal),
  'openai-responses': (options, signal) => listed(options, { path: '/models' }, signal),
  'anthropic-messages': (options, signal) =>
    listed(options, { path: '/v1/models?limit=1000', headers: VERSION_HEADERS }, signal),
  gemini: listedByGemini,
  'ollama-chat': async (options, signal) => {
    const { models } = await fetchJson(options, { path: '/api/tags', read: formReader(OLLAMA_MODELS) }, signal);
    return models.map(({ name, size }) => ({ name, ...statedSize({ size }) }));
  },
};

async function listedByGemini(options: WireOptions, signal: AbortSignal): Promise<readonly OfferedModel[]> {
  const request = { path: '/models?pageSize=1000', read: formReader(GEMINI_MODELS) };
  const { models } = await fetchJson(options, request, signal);
  return (models ?? [])
    .filter(({ supportedGenerationMethods: methods }) => methods?.includes('generateContent') ?? true)
    .map(({ name, ...limits }) => offeredModel({ id: name.replace(/^models\//, ''), ...limits }));
}

async function listed(
  options: WireOptions,
  request: { readonly path: string; readonly headers?: Readonly<Record<string, string>> },
  signal: AbortSignal,
): Promise<readonly OfferedModel[]> {
  return completeModels(options, await fetchJson(options, { ...request, read: readList }, signal), signal);
}

/**
 * The models that a provider offers to prompts, in its order. Throws nothing but `ModelError`, or the reason of the
 * signal.
 */
export async function listModels(
  wire: Wire,
  options: WireOptions,
  signal: AbortSignal,
): Promise<readonly OfferedModel[]> {
  return LISTS[wire](options, signal);
}
