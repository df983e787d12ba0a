import * as z from 'zod';
import { VERSION_HEADERS } from './anthropic-messages/request.ts';
import { fetchJson } from './http/fetch-json.ts';
import { readerOf } from './http/read-form.ts';
import { completeModels, listedModels } from './limits/server-models.ts';
import type { OfferedModel, WireOptions } from './wire-options.ts';
import type { Wire } from './wires.ts';

const size = z.number().int().positive().nullish().catch(undefined);

const geminiModels = z
  .object({
    models: z
      .array(
        z.object({
          name: z.string(),
          inputTokenLimit: size,
          outputTokenLimit: size,
          supportedGenerationMethods: z.array(z.string()).nullish(),
        }),
      )
      .nullish(),
  })
  .transform(({ models }) =>
    (models ?? [])
      .filter(({ supportedGenerationMethods: methods }) => methods?.includes('generateContent') ?? true)
      .map(({ name, inputTokenLimit: contextWindow, outputTokenLimit: maxAnswer }) => ({
        name: name.replace(/^models\//, ''),
        ...(typeof contextWindow === 'number' ? { contextWindow } : {}),
        ...(typeof maxAnswer === 'number' ? { maxAnswer } : {}),
      })),
  );

const ollamaModels = z.object({ models: z.array(z.object({ name: z.string() })) }).transform(({ models }) => models);

/** The lists of models, each on one page. Servers with the protocols of OpenAI and of Anthropic have the same one. */
const LISTS: Readonly<Record<Wire, (options: WireOptions, signal: AbortSignal) => Promise<readonly OfferedModel[]>>> = {
  'openai-chat': (options, signal) => listed(options, { path: '/models' }, signal),
  'openai-responses': (options, signal) => listed(options, { path: '/models' }, signal),
  'anthropic-messages': (options, signal) =>
    listed(options, { path: '/v1/models?limit=1000', headers: VERSION_HEADERS }, signal),
  gemini: (options, signal) =>
    fetchJson(options, { path: '/models?pageSize=1000', read: readerOf(geminiModels) }, signal),
  'ollama-chat': (options, signal) => fetchJson(options, { path: '/api/tags', read: readerOf(ollamaModels) }, signal),
};

async function listed(
  options: WireOptions,
  request: { readonly path: string; readonly headers?: Readonly<Record<string, string>> },
  signal: AbortSignal,
): Promise<readonly OfferedModel[]> {
  const { data } = await fetchJson(options, { ...request, read: readerOf(listedModels) }, signal);
  return completeModels(options, data, signal);
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
