import { countTokens } from '../../conversation/estimate-tokens.ts';
import { decodePercent } from '../../text.ts';
import { DEFAULT_MODEL } from '../body.ts';
import { lintLateResults } from '../late-results.ts';
import type { Wire, WireError, WireRequest, WireResponse, WireRoute } from '../wire.ts';
import { encodeGeminiError, unpaired } from './errors.ts';
import { lintGeminiRequest } from './lint.ts';
import { encodeGeminiFrames, encodeGeminiReply } from './reply.ts';
import { readCountRequest, readGeminiRequest } from './request.ts';

/** Versions of the API, all of which clients use. */
const BASES = ['/v1', '/v1beta', '/v1alpha'];

/** The Gemini API of Google AI Studio, with its routes for counting tokens and for models. */
export const gemini: Wire = {
  protocol: 'gemini',
  paths: BASES.flatMap((base) => [
    `${base}/models/:model{.+:generateContent}`,
    `${base}/models/:model{.+:streamGenerateContent}`,
  ]),
  routes: BASES.flatMap((base): WireRoute[] => [
    { method: 'POST', path: `${base}/models/:model{.+:countTokens}`, answer: answerCount },
    { method: 'GET', path: `${base}/models`, answer: (request) => (isOurs(request) ? listModels() : undefined) },
    {
      method: 'GET',
      path: `${base}/models/:model{.+}`,
      answer: (request) => (isOurs(request) ? showModel(request) : undefined),
    },
  ]),
  callIdPrefix: 'call_',
  requestId: { header: 'x-goog-request-id', prefix: '' },
  streamType: 'text/event-stream',
  owns: (path) => /^\/v1(?:beta|alpha)\/|^\/v1\/models\/[^/]+:/.test(path),
  read(request) {
    const { model, method } = readPath(request.path);
    const read = readGeminiRequest(model, request.body);
    if ('type' in read) return read;
    const array = isArray(request);
    return {
      type: 'request',
      conversation: read.conversation,
      stream: method === 'streamGenerateContent',
      ...(array && { streamType: 'application/json; charset=UTF-8' }),
      lint: () => [...lintGeminiRequest(model, read.contents), ...lintLateResults(read.conversation, unpaired)],
      encode: encodeGeminiReply,
      frames: (reply, split) => encodeGeminiFrames(reply, array, split),
    };
  },
  encodeError(error, _requestId, request) {
    const body = encodeGeminiError(error);
    return request !== undefined && isArray(request) ? [body] : body;
  },
  pairing: 'right_after',
  unpaired,
};

/** Reports whether the frames of a reply, or its error, are the items of a JSON array. */
function isArray({ path, query }: Pick<WireRequest, 'path' | 'query'>): boolean {
  return readPath(path).method === 'streamGenerateContent' && query['alt'] !== 'sse';
}

/** Three protocols have models below `/v1`; the place of the key identifies this one. */
function isOurs({ path, headers, query }: WireRequest): boolean {
  return !path.startsWith('/v1/') || headers['x-goog-api-key'] !== undefined || query['key'] !== undefined;
}

function answerCount({ path, body }: WireRequest): WireResponse | WireError {
  const read = readCountRequest(readPath(path).model, body);
  if ('type' in read) return read;
  const totalTokens = countTokens(read.conversation);
  return { status: 200, body: { totalTokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: totalTokens }] } };
}

function listModels(): WireResponse {
  return { status: 200, body: { models: [encodeModel(DEFAULT_MODEL)] } };
}

/** Every model exists, because requests may name any. */
function showModel({ path }: WireRequest): WireResponse {
  return { status: 200, body: encodeModel(readPath(path).model) };
}

function encodeModel(id: string): object {
  return {
    name: `models/${id}`,
    version: '001',
    displayName: id,
    description: 'Answers from scenario files.',
    inputTokenLimit: 1_048_576,
    outputTokenLimit: 65_536,
    supportedGenerationMethods: ['generateContent', 'countTokens'],
    temperature: 1,
    topP: 0.95,
    topK: 64,
    maxTemperature: 2,
    thinking: true,
  };
}

/** The model and the method of a path `/v1beta/models/<model>:<method>`. */
function readPath(path: string): { readonly model: string; readonly method: string } {
  const [, model = '', method = ''] = /\/models\/(.+?)(?::([A-Za-z]+))?$/.exec(path) ?? [];
  return { model: decodePercent(model), method };
}
