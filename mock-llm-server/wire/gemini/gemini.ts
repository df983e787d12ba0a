import { countTokens } from '../../conversation/estimate-tokens.ts';
import type { UnpairedResults } from '../../matching/pair-results.ts';
import { decodePercent } from '../../text.ts';
import { badRequest } from '../body.ts';
import { embeddingRoute, modelRoutes } from '../model-routes.ts';
import { describeUnpaired, lintLateResults } from '../pairing.ts';
import type { ReadRequest, Wire, WireError, WireRequest, WireResponse, WireRoute } from '../wire.ts';
import { encodeGeminiError, geminiStatusError, missingSignature } from './errors.ts';
import { encodeGeminiFailure, encodeGeminiFrames, encodeGeminiReply } from './reply.ts';
import type { GeminiContent, GeminiRequest } from './request.ts';

/** Versions of the API, all of which clients use. */
const VERSIONS = ['/v1', '/v1beta', '/v1alpha'];
/** The paths of Vertex AI: with a key alone, or with a project and a location. */
const VERTEX = ['/v1', '/v1beta1'].flatMap((version) => [
  `${version}/publishers/:publisher`,
  `${version}/projects/:project/locations/:location/publishers/:publisher`,
]);
const BASES = [...VERSIONS, ...VERTEX];

/** The Gemini API of Google AI Studio, with its routes for counting tokens and for models. */
export const gemini: Wire = {
  protocol: 'gemini',
  // Some clients append no version to their base URL.
  paths: [...BASES, ''].flatMap((base) => [
    `${base}/models/:model{.+:generateContent}`,
    `${base}/models/:model{.+:streamGenerateContent}`,
  ]),
  routes: [
    ...BASES.flatMap((base): WireRoute[] => [
      { method: 'POST', path: `${base}/models/:model{.+:countTokens}`, answer: answerCount },
      embeddingRoute(`${base}/models/:model{.+:embedContent}`, 'gemini'),
      embeddingRoute(`${base}/models/:model{.+:batchEmbedContents}`, 'gemini-batch'),
    ]),
    ...VERTEX.map((base) => embeddingRoute(`${base}/models/:model{.+:predict}`, 'vertex')),
    ...VERSIONS.flatMap((base) => modelRoutes(base, encodeModel, (models) => ({ models }), isOurs)),
    // Vertex AI lists the models of a publisher, whatever the project.
    ...['/v1', '/v1beta1'].flatMap((version) => {
      return modelRoutes(`${version}/publishers/google`, encodePublished, (publisherModels) => ({ publisherModels }));
    }),
  ],
  callIdPrefix: 'call_',
  requestIdPrefix: '',
  headers: (_digest, requestId) => ({ 'x-goog-request-id': requestId }),
  streamType: 'text/event-stream',
  owns: (path) => /^\/v1(?:beta1?|alpha)\/(?!openai\/)|\/models\/[^/]+:[A-Za-z]+$/.test(path),
  recognizes: (headers) => headers['x-goog-api-key'] !== undefined,
  async read(request) {
    const { readGeminiRequest } = await import('./request.ts');
    return openGemini(readGeminiRequest(modelOf(request), request.body), request);
  },
  encodeError,
  statusError: geminiStatusError,
  pairing: 'right_after_or_none',
  unpaired,
};

/** The model that the path of a request names. */
export function modelOf({ path }: Pick<WireRequest, 'path'>): string {
  return readPath(path).model;
}

/** The request of a body as read. */
export function openGemini(read: GeminiRequest | WireError, request: WireRequest): ReadRequest | WireError {
  const { model, method } = readPath(request.path);
  if ('type' in read) return read;
  const { candidates } = read;
  const array = isArray(request);
  return {
    type: 'request',
    conversation: read.conversation,
    json: read.json,
    stream: method === 'streamGenerateContent',
    limits: read.limits,
    toolChoice: read.toolChoice,
    ...(array && { streamType: 'application/json; charset=UTF-8' }),
    lint: () => [...lintGeminiRequest(model, read.contents), ...lintLateResults(read.conversation, unpaired)],
    native: { form: array ? 'array' : 'data_crlf' },
    encode: (reply) => encodeGeminiReply(reply, candidates),
    frames: (reply, split) => encodeGeminiFrames(reply, { array, candidates }, split),
    encodeFailure: (error, { sent }) => encodeGeminiFailure(encodeGeminiError(error), array, sent),
  };
}

/** Reports whether the frames of a reply, or its error, are the items of a JSON array. */
function isArray({ path, query }: Pick<WireRequest, 'path' | 'query'>): boolean {
  return readPath(path).method === 'streamGenerateContent' && query['alt'] !== 'sse';
}

/** Three protocols have models below `/v1`; the key in a header or in the query identifies this one. */
function isOurs({ path, headers, query }: WireRequest): boolean {
  return !path.startsWith('/v1/') || headers['x-goog-api-key'] !== undefined || query['key'] !== undefined;
}

async function answerCount({ path, body }: WireRequest): Promise<WireResponse | WireError> {
  const { readGeminiRequest } = await import('./request.ts');
  const read = readGeminiRequest(readPath(path).model, body);
  if ('type' in read) return read;
  const totalTokens = countTokens(read.conversation);
  return { status: 200, body: { totalTokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: totalTokens }] } };
}

function encodePublished(id: string): object {
  return { name: `publishers/google/models/${id}`, versionId: 'default', launchStage: 'GA' };
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

/** Models that require signatures. */
const NEEDS_SIGNATURES = /^gemini-(?:[3-9]|\d\d)/;

/** The errors that the API would answer with, although the request could be read. */
export function lintGeminiRequest(model: string, contents: readonly GeminiContent[]): WireError[] {
  const empty = contents.findIndex(({ parts }) => parts.length === 0);
  const path = `contents[${empty}].parts`;
  return [
    ...(empty === -1
      ? []
      : [badRequest(`* GenerateContentRequest.${path}: contents.parts must not be empty.\n`, path)]),
    ...(NEEDS_SIGNATURES.test(model) ? lintSignatures(contents) : []),
  ];
}

/** The error for an answer since the user's last text without a signature on its first call. Its content may be any. */
function lintSignatures(contents: readonly GeminiContent[]): WireError[] {
  const start = contents.findLastIndex(
    ({ role, parts }) => role !== 'model' && parts.length > 0 && parts.every((part) => !part.functionResponse),
  );
  for (const [index, { role, parts }] of contents.entries()) {
    const previous = contents[index - 1];
    if (index < start || role !== 'model') continue;
    if (previous?.role === 'model' && previous.parts.some((part) => part.functionCall)) continue;
    const first = parts.find((part) => part.functionCall);
    if (!first?.functionCall || first.thoughtSignature) continue;
    return [badRequest(missingSignature(first.functionCall.name, index + 1))];
  }
  return [];
}

function encodeError(error: WireError, _requestId?: string, request?: Pick<WireRequest, 'path' | 'query'>): object {
  const body = encodeGeminiError(error);
  return request !== undefined && isArray(request) ? [body] : body;
}

/** The error for unpaired results: the API's sentence, then the ids. */
function unpaired(results: UnpairedResults): WireError {
  const { index, missing, afterCalls = false } = results;
  const rule =
    missing.length === 0 && !afterCalls
      ? 'Please ensure that function response turn comes immediately after a function call turn.'
      : 'Please ensure that the number of function response parts is equal to the number of function call parts of ' +
        'the function call turn.';
  const sentences = describeUnpaired(results, {
    missing: (ids) => `Function calls without a response: ${ids}.`,
    orphans: (ids) => `Function responses without a call: ${ids}.`,
  });
  return badRequest([rule, ...sentences].join(' '), `contents[${index}]`);
}
