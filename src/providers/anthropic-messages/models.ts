import * as z from 'zod';
import { fetchJson } from '../http/fetch-json.ts';
import { readerOf } from '../problem-in.ts';
import type { OfferedModel, WireOptions } from '../wire-options.ts';
import { VERSION_HEADERS } from './request.ts';

const listSchema = z.object({
  data: z.array(z.object({ id: z.string(), max_input_tokens: z.int().positive().nullish() })),
});

/** The models of `GET {endpoint}/v1/models`. One page, which is the largest, has more models than there are. */
export async function listModels(options: WireOptions, signal: AbortSignal): Promise<readonly OfferedModel[]> {
  const path = '/v1/models?limit=1000';
  const { data } = await fetchJson(options, { path, headers: VERSION_HEADERS, read: readerOf(listSchema) }, signal);
  return data.map(({ id, max_input_tokens: size }) => ({ name: id, ...(size ? { contextWindow: size } : {}) }));
}
