import { countTokens } from '../../conversation/estimate-tokens.ts';
import { secondOf } from '../../conversation/ids.ts';
import type { UnpairedResults } from '../../matching/pair-results.ts';
import { badRequest } from '../body.ts';
import { modelRoutes } from '../model-routes.ts';
import { describeUnpaired } from '../pairing.ts';
import type { LintMode, Wire, WireError, WireRequest, WireResponse } from '../wire.ts';
import { describeMissing, lintAnthropicRequest, lintVersion } from './lint.ts';
import { encodeModel, listModels } from './models.ts';
import { encodeAnthropicFrames, encodeAnthropicReply } from './reply.ts';
import { readAnthropicRequest } from './request.ts';

/** The Messages API of Anthropic, with its routes for counting tokens and for models. */
export const anthropicMessages: Wire = {
  protocol: 'anthropic-messages',
  paths: ['/v1/messages'],
  routes: [
    { method: 'POST', path: '/v1/messages/count_tokens', answer: answerCount },
    ...modelRoutes('/v1', encodeModel, listModels, isOurs),
    // Clients test the connection with these.
    { method: 'HEAD', path: '/', answer: () => ({ status: 200, body: undefined }) },
    { method: 'HEAD', path: '/api/hello', answer: () => ({ status: 200, body: undefined }) },
  ],
  callIdPrefix: 'toolu_',
  requestId: { header: 'request-id', prefix: 'req_' },
  headers: encodeHeaders,
  streamType: 'text/event-stream; charset=utf-8',
  owns: (path) => /^\/v1\/messages(\/|$)/.test(path) || path === '/api/hello',
  read(request) {
    const read = readAnthropicRequest(request.body);
    if ('type' in read) return read;
    return {
      type: 'request',
      conversation: read.conversation,
      stream: read.body.stream ?? false,
      limits: read.limits,
      toolChoice: read.toolChoice,
      lint: (recall) => lintAnthropicRequest(read, request.headers, recall),
      encode: encodeAnthropicReply,
      frames: encodeAnthropicFrames,
      encodeFailure: (error, { requestId }) =>
        `event: error\ndata: ${JSON.stringify(encodeError(error, requestId))}\n\n`,
    };
  },
  encodeError,
  pairing: 'right_after',
  unpaired,
};

const ERROR_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

function encodeError({ status, code, message, param, errorType }: WireError, requestId?: string): object {
  const type = errorType ?? ERROR_TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
  const unsupported = code === 'thread_unsupported_request' ? { unsupported: [param] } : {};
  const details = code === null ? {} : { details: { error_code: code, ...unsupported } };
  return { type: 'error', error: { type, message, ...details }, request_id: requestId };
}

function unpaired(results: UnpairedResults): WireError {
  const { index } = results;
  const sentences = describeUnpaired(results, {
    missing: (ids) => describeMissing(index, ids),
    orphans: (ids) =>
      `messages.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${ids}. ` +
      'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
  });
  return badRequest(sentences.join(' '), `messages.${index}`);
}

/** Three protocols have models at this path; the header identifies this one. */
function isOurs({ headers }: WireRequest): boolean {
  return headers['anthropic-version'] !== undefined;
}

function answerCount({ body, headers }: WireRequest, lint: LintMode): WireResponse | WireError {
  const read = readAnthropicRequest(body);
  if ('type' in read) return read;
  const [refusal] = lint === 'fail' ? lintVersion(headers) : [];
  if (refusal !== undefined) return refusal;
  return { status: 200, body: { input_tokens: countTokens(read.conversation) } };
}

const LIMITS = { requests: 4000, tokens: 2_400_000, 'input-tokens': 2_000_000, 'output-tokens': 400_000 };
/** Rate limits that are never reached. */
const LIMIT_HEADERS = Object.fromEntries(
  Object.entries(LIMITS).flatMap(([name, limit]) => [
    [`anthropic-ratelimit-${name}-limit`, String(limit)],
    [`anthropic-ratelimit-${name}-remaining`, String(limit)],
  ]),
);

function encodeHeaders(digest: string): Record<string, string> {
  const reset = `${new Date(secondOf(digest) * 1000).toISOString().slice(0, -'.000Z'.length)}Z`;
  return {
    'anthropic-organization-id': '00000000-0000-4000-8000-000000000000',
    ...LIMIT_HEADERS,
    'anthropic-ratelimit-requests-reset': reset,
    'anthropic-ratelimit-tokens-reset': reset,
    'anthropic-ratelimit-input-tokens-reset': reset,
    'anthropic-ratelimit-output-tokens-reset': reset,
  };
}
