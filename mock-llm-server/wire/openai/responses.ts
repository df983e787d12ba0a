import { countTokens } from '../../conversation/estimate-tokens.ts';
import type { UnpairedResults } from '../../matching/pair-results.ts';
import { badRequest } from '../body.ts';
import type { Wire, WireError, WireRequest, WireResponse, WireRoute } from '../wire.ts';
import { encodeResponsesFrames } from './responses-frames.ts';
import { encodeFinished, outputItems } from './responses-output.ts';
import { readResponsesRequest } from './responses-request.ts';
import { encodeOpenAiError, openaiHeaders } from './shared.ts';

const PATHS = ['/v1/responses', '/responses'];

/** The Responses API of OpenAI, with and without `/v1`. Nothing is stored: an id holds what a next request needs. */
export const openaiResponses: Wire = {
  protocol: 'openai-responses',
  paths: PATHS,
  routes: PATHS.flatMap((path): WireRoute[] => [
    { method: 'POST', path: `${path}/input_tokens`, answer: answerCount },
    { method: 'GET', path: `${path}/:id`, answer: refuseRetrieval },
  ]),
  callIdPrefix: 'call_',
  requestId: { header: 'x-request-id', prefix: 'req_' },
  headers: openaiHeaders,
  streamType: 'text/event-stream; charset=utf-8',
  owns: (path) => /^(?:\/v1)?\/responses(?:\/|$)/.test(path),
  read({ body }) {
    const request = readResponsesRequest(body);
    if (request.type === 'error') return request;
    const { conversation, stream } = request;
    return {
      type: 'request',
      conversation,
      stream,
      lint: request.lint,
      encode: (reply) => encodeFinished(reply, request, outputItems(reply, request)),
      frames: (reply, split) => encodeResponsesFrames(reply, request, split),
    };
  },
  // Errors name the `messages` of other protocols, which this one calls `input`.
  encodeError: (error) => encodeOpenAiError(error.param === 'messages' ? { ...error, param: 'input' } : error),
  pairing: 'by_call_id',
  unpaired,
};

function answerCount({ body }: WireRequest): WireResponse | WireError {
  const request = readResponsesRequest(body);
  if (request.type === 'error') return request;
  const tokens = countTokens(request.conversation);
  return { status: 200, body: { object: 'response.input_tokens', input_tokens: tokens } };
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
