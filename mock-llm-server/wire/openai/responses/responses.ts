import type { UnpairedResults } from '../../../matching/pair-results.ts';
import { badRequest } from '../../body.ts';
import type { Wire, WireError, WireRequest, WireRoute } from '../../wire.ts';
import { encodeOpenAiError, openaiHeaders, openaiLimitHeaders, openaiStatusError } from '../errors.ts';
import { BASES } from '../shared.ts';

const PATHS = BASES.map((base) => `${base}/responses`);

/** The Responses API of OpenAI and of services that imitate it. It stores nothing: see `createResponseId`. */
export const openaiResponses: Wire = {
  protocol: 'openai-responses',
  paths: PATHS,
  routes: PATHS.flatMap((path): WireRoute[] => [
    {
      method: 'POST',
      path: `${path}/input_tokens`,
      answer: async (request) => (await loadReader()).countResponses(request),
    },
    { method: 'GET', path: `${path}/:id`, answer: refuseRetrieval },
  ]),
  callIdPrefix: 'call_',
  requestIdPrefix: 'req_',
  headers: openaiHeaders,
  limitHeaders: openaiLimitHeaders,
  streamType: 'text/event-stream; charset=utf-8',
  owns: (path) => PATHS.some((base) => path === base || path.startsWith(`${base}/`)),
  read: async (request) => (await loadReader()).readResponses(request),
  // Errors name the `messages` of other protocols, which this one calls `input`.
  encodeError: (error) => encodeOpenAiError(error.param === 'messages' ? { ...error, param: 'input' } : error),
  statusError: openaiStatusError,
  pairing: 'by_call_id',
  unpaired,
};

/** Loads the reader, which needs zod, with the first request. */
function loadReader() {
  return import('./reader.ts');
}

function refuseRetrieval({ path }: WireRequest): WireError {
  const id = path.slice(path.lastIndexOf('/') + 1);
  return { ...badRequest(`Response with id '${id}' not found. This server stores no responses.`), status: 404 };
}

function unpaired({ missing, orphans, hint }: UnpairedResults): WireError {
  const sentences = [
    ...missing.map((id) => `No tool output found for function call ${id}.`),
    ...orphans.map((id) => `No tool call found for function call output with call_id ${id}.`),
    ...(hint === undefined ? [] : [hint]),
  ];
  return badRequest(sentences.join(' '), 'input');
}
