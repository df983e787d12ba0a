import { decodePercent } from '../decode-percent.ts';
import type { WireRequest, WireRoute } from './wire.ts';

/** The model that a request without one is answered as, and the one that the list of models names. */
export const MODEL = 'mock-model';

/** The models: the list has one, and any name that is asked for exists, because requests may name any. */
export const MODEL_ROUTES: readonly WireRoute[] = ['/v1', ''].flatMap((base) => [
  {
    method: 'GET',
    path: `${base}/models`,
    answer: () => ({ status: 200, body: { object: 'list', data: [encodeModel(MODEL)] } }),
  },
  {
    method: 'GET',
    path: `${base}/models/:id{.+}`,
    answer: ({ path }: WireRequest) => ({ status: 200, body: encodeModel(readId(path, `${base}/models/`)) }),
  },
]);

/** A name may hold slashes, and a client may have escaped them. */
function readId(path: string, base: string): string {
  return decodePercent(path.slice(base.length));
}

function encodeModel(id: string): object {
  return { id, object: 'model', created: Date.UTC(2025, 0, 1) / 1000, owned_by: 'mock-llm-server' };
}
