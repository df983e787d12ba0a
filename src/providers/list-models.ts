import { VERSION_HEADERS } from './anthropic-messages/request.ts';
import { fetchJson, type JsonRequest } from './http/fetch-json.ts';
import { completeModels, offeredModel, readList } from './limits/server-models.ts';
import { markLoaded } from './ollama-chat/model-info.ts';
import type { OfferedModel, WireOptions } from './wire-options.ts';
import type { Wire } from './wires.ts';

/** The lists of models, each on one page. Servers with the protocols of OpenAI and of Anthropic have the same one. */
const LISTS: Readonly<Record<Wire, Pick<JsonRequest<unknown>, 'path' | 'headers'>>> = {
  'openai-chat': { path: '/models' },
  'openai-responses': { path: '/models' },
  'anthropic-messages': { path: '/v1/models?limit=1000', headers: VERSION_HEADERS },
  gemini: { path: '/models?pageSize=1000' },
  'ollama-chat': { path: '/api/tags' },
};

/**
 * The models that a provider offers to prompts, in its order. Throws nothing but `ModelError`, or the reason of the
 * signal.
 */
export async function listModels(
  wire: Wire,
  options: WireOptions,
  signal: AbortSignal,
): Promise<readonly OfferedModel[]> {
  // Gemini leaves out a list without entries.
  const read = (value: unknown) => readList(wire === 'gemini' && JSON.stringify(value) === '{}' ? [] : value);
  const entries = await fetchJson(options, { ...LISTS[wire], read }, signal);
  if (wire === 'ollama-chat') return markLoaded(options, entries.map(offeredModel), signal);
  if (wire !== 'gemini') return completeModels(options, entries, signal);
  return entries
    .filter(({ supportedGenerationMethods: methods }) => !Array.isArray(methods) || methods.includes('generateContent'))
    .map((entry) => offeredModel({ ...entry, id: entry.id.replace(/^models\//, '') }));
}
