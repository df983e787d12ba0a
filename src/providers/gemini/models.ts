import * as z from 'zod';
import { fetchJson } from '../http/fetch-json.ts';
import { readerOf } from '../problem-in.ts';
import type { OfferedModel, WireOptions } from '../wire-options.ts';

const listSchema = z.object({
  models: z
    .array(
      z.object({
        name: z.string(),
        inputTokenLimit: z.number().int().positive().nullish().catch(undefined),
        supportedGenerationMethods: z.array(z.string()).nullish(),
      }),
    )
    .nullish(),
});

/** The models of `GET {endpoint}/models` that answer prompts. One page holds them all. */
export async function listModels(options: WireOptions, signal: AbortSignal): Promise<readonly OfferedModel[]> {
  const { models } = await fetchJson(options, { path: '/models?pageSize=1000', read: readerOf(listSchema) }, signal);
  return (models ?? [])
    .filter(({ supportedGenerationMethods: methods }) => methods?.includes('generateContent') ?? true)
    .map(({ name, inputTokenLimit }) => ({
      name: name.replace(/^models\//, ''),
      ...(typeof inputTokenLimit === 'number' && { contextWindow: inputTokenLimit }),
    }));
}
