import { decodePercent } from '../text.ts';
import type { EmbeddingEndpoint } from './embeddings.ts';
import type { WireRequest, WireRoute } from './wire.ts';

/** Model of a request that names none, and the first one in the lists of models. */
export const DEFAULT_MODEL = 'mock-model';

/** The routes of models below a base path. Every model exists; lists have those that triggers name, too. `isOurs` decides between protocols of one path. */
export function modelRoutes(
  base: string,
  encode: (id: string) => object,
  list: (models: readonly object[], ids: readonly string[]) => object,
  isOurs: (request: WireRequest) => boolean = () => true,
): WireRoute[] {
  const path = `${base}/models`;
  const route = (pattern: string, body: (request: WireRequest, models: readonly string[]) => object): WireRoute => ({
    method: 'GET',
    path: pattern,
    answer: (request, _lint, models) => (isOurs(request) ? { status: 200, body: body(request, models) } : undefined),
  });
  return [
    route(path, (_request, models) => {
      const ids = [DEFAULT_MODEL, ...models];
      return list(ids.map(encode), ids);
    }),
    // A name may contain slashes.
    route(`${path}/:id{.+}`, (request) => encode(decodePercent(request.path.slice(path.length + 1)))),
  ];
}

/** A route for embeddings, whose code is loaded with the first request. */
export function embeddingRoute(path: string, endpoint: EmbeddingEndpoint): WireRoute {
  return {
    method: 'POST',
    path,
    answer: async (request) => (await import('./embeddings.ts')).answerEmbedding(endpoint, request),
  };
}
