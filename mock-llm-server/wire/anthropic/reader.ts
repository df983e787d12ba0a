import { countTokens } from '../../conversation/estimate-tokens.ts';
import type { LintMode, ReadRequest, WireError, WireRequest, WireResponse } from '../wire.ts';
import { encodeAnthropicError } from './errors.ts';
import { lintAnthropicRequest, lintVersion } from './lint.ts';
import { encodeAnthropicFrames, encodeAnthropicReply } from './reply.ts';
import { readAnthropicRequest } from './request.ts';

/** Reads a request for a message. */
export function readAnthropic({ body, headers }: WireRequest): ReadRequest | WireError {
  const read = readAnthropicRequest(body);
  if ('type' in read) return read;
  return {
    type: 'request',
    conversation: read.conversation,
    json: read.json,
    stream: read.body.stream ?? false,
    limits: read.limits,
    toolChoice: read.toolChoice,
    lint: (recall) => lintAnthropicRequest(read, headers, recall),
    native: { form: 'events' },
    encode: encodeAnthropicReply,
    frames: encodeAnthropicFrames,
    encodeFailure: (error, { requestId }) =>
      `event: error\ndata: ${JSON.stringify(encodeAnthropicError(error, requestId))}\n\n`,
  };
}

/** The number of tokens of a request. */
export function countAnthropic({ body, headers }: WireRequest, lint: LintMode): WireResponse | WireError {
  const read = readAnthropicRequest(body);
  if ('type' in read) return read;
  const [refusal] = lint === 'fail' ? lintVersion(headers) : [];
  if (refusal !== undefined) return refusal;
  return { status: 200, body: { input_tokens: countTokens(read.conversation) } };
}
