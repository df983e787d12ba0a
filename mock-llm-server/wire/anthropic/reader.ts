import { countTokens } from '../../conversation/estimate-tokens.ts';
import { isJsonObject, tryJson } from '../../conversation/json.ts';
import { decodePercent } from '../../text.ts';
import type { LintMode, ReadRequest, WireError, WireRequest, WireResponse } from '../wire.ts';
import { encodeAnthropicError } from './errors.ts';
import { lintAnthropicRequest, lintVersion } from './lint.ts';
import { encodeAnthropicFrames, encodeAnthropicReply } from './reply.ts';
import { readAnthropicRequest } from './request.ts';

/** The name that Vertex AI has in place of a model for the route that counts tokens. */
const COUNT_TOKENS = 'count-tokens';

export function readAnthropic(request: WireRequest): ReadRequest | WireError {
  const headers = headersOf(request);
  const read = readAnthropicRequest(bodyOf(request));
  if ('type' in read) return read;
  return {
    type: 'request',
    conversation: read.conversation,
    json: read.json,
    stream: read.body.stream ?? false,
    limits: read.limits,
    toolChoice: read.toolChoice,
    lint: (recall, service) => lintAnthropicRequest(read, headers, recall, service),
    native: { form: 'events' },
    encode: (reply) => encodeAnthropicReply(reply, read.json),
    frames: (reply, split) => encodeAnthropicFrames(reply, split, read.json),
    encodeFailure: (error, { requestId }) =>
      `event: error\ndata: ${JSON.stringify(encodeAnthropicError(error, requestId))}\n\n`,
  };
}

/** The body of a request. At Vertex AI, the path has the model and says whether the answer is streamed. */
function bodyOf({ path, body }: WireRequest): string {
  const [, model = '', stream] = /\/models\/([^/]+):(stream)?[rR]awPredict$/.exec(path) ?? [];
  if (model === '') return body;
  const json = tryJson(body);
  if (!isJsonObject(json)) return body;
  const named = model === COUNT_TOKENS ? json : { model: decodePercent(model), ...json };
  return JSON.stringify(stream === undefined ? named : { ...named, stream: true });
}

/** The headers of a request. At Vertex AI, the body has the version of the API. */
function headersOf({ path, headers }: WireRequest): WireRequest['headers'] {
  return path.endsWith('awPredict') ? { ...headers, 'anthropic-version': '2023-06-01' } : headers;
}

/** The number of tokens of a request. */
export function countAnthropic(request: WireRequest, lint: LintMode): WireResponse | WireError {
  const headers = headersOf(request);
  const read = readAnthropicRequest(bodyOf(request));
  if ('type' in read) return read;
  const [refusal] = lint === 'fail' ? lintVersion(headers, request.service) : [];
  if (refusal !== undefined) return refusal;
  return { status: 200, body: { input_tokens: countTokens(read.conversation) } };
}
