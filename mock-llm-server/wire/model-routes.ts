import { decodePercent } from '../text.ts';
import type { WireRequest, WireRoute } from './wire.ts';

/** Model of a request that names none, and the only one in the lists of models. */
export const DEFAULT_MODEL = 'mock-model';

/** Encoders of the models of a protocol. */
export interface ModelEncoders {
  list(): object;
  /** A model by its name. Every model exists, because requests may name any. */
  model(id: string): object;
}

/** The routes `/models` and `/models/<name>` below a base path; several protocols share some, so `isOurs` decides. */
export function modelRoutes(
  base: string,
  { list, model }: ModelEncoders,
  isOurs: (request: WireRequest) => boolean = () => true,
): WireRoute[] {
  const path = `${base}/models`;
  return [
    { method: 'GET', path, answer: (request) => (isOurs(request) ? { status: 200, body: list() } : undefined) },
    {
      method: 'GET',
      // A name may contain slashes.
      path: `${path}/:id{.+}`,
      answer: (request) => {
        if (!isOurs(request)) return undefined;
        return { status: 200, body: model(decodePercent(request.path.slice(path.length + 1))) };
      },
    },
  ];
}
