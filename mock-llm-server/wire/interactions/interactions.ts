import { gemini } from '../gemini/gemini.ts';
import type { Wire, WireError, WireRoute } from '../wire.ts';
import { encodeInteractionError } from './errors.ts';

/** The versions of the API, and the path of Vertex AI. */
const BASES = ['/v1beta', '/v1', '/v1alpha', '/v1beta1/projects/:project/locations/:location'];

/** The Interactions API of Gemini. It stores nothing: the id of an answer says which step follows. */
export const geminiInteractions: Wire = {
  protocol: 'gemini-interactions',
  paths: BASES.map((base) => `${base}/interactions`),
  routes: BASES.map((base): WireRoute => {
    return { method: 'GET', path: `${base}/interactions/:id`, answer: ({ path }) => notFound(path) };
  }),
  callIdPrefix: 'call_',
  requestIdPrefix: '',
  headers: gemini.headers,
  streamType: 'text/event-stream',
  owns: (path) => /\/interactions(?:\/|$)/.test(path),
  read: async (request) => (await import('./reader.ts')).readInteraction(request),
  encodeError: (error) => encodeInteractionError(error),
  statusError: gemini.statusError,
  pairing: 'by_call_id',
  unpaired: gemini.unpaired,
};

/** Nothing is stored. */
function notFound(path: string): WireError {
  const message = `Interaction '${path.slice(path.lastIndexOf('/') + 1)}' was not found.`;
  return { type: 'error', status: 404, code: null, message };
}
