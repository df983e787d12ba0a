import * as z from 'zod';
import { fetchJson } from '../http/fetch-json.ts';
import { readerOf } from '../problem-in.ts';
import type { OfferedModel, WireOptions } from '../wire-options.ts';

// `context_length` is a field of OpenRouter, `max_context_length` of LM Studio, `max_model_len` of vLLM.
const size = z.number().int().positive().nullish().catch(undefined);
const listSchema = z.object({
  data: z.array(z.object({ id: z.string(), context_length: size, max_context_length: size, max_model_len: size })),
});

/** The models of `GET {endpoint}/models`, which all servers with the protocols of OpenAI have. */
export async function listModels(options: WireOptions, signal: AbortSignal): Promise<readonly OfferedModel[]> {
  const { data } = await fetchJson(options, { path: '/models', read: readerOf(listSchema) }, signal);
  return data.map(({ id, context_length, max_context_length, max_model_len }) => {
    const contextWindow = context_length ?? max_context_length ?? max_model_len;
    return { name: id, ...(typeof contextWindow === 'number' && { contextWindow }) };
  });
}
