import * as z from 'zod';
import { fetchJson } from '../http/fetch-json.ts';
import { readerOf } from '../problem-in.ts';
import type { OfferedModel, WireOptions } from '../wire-options.ts';

const listSchema = z.object({ models: z.array(z.object({ name: z.string() })) });

/** The models that are on the server, from `/api/tags`. */
export async function listModels(options: WireOptions, signal: AbortSignal): Promise<readonly OfferedModel[]> {
  const { models } = await fetchJson(options, { path: '/api/tags', read: readerOf(listSchema) }, signal);
  return models.map(({ name }) => ({ name }));
}
