import { DEFAULT_RETRY_AFTER, statusErrorFrom } from '../status-error.ts';
import type { StatusRequest, WireError } from '../wire.ts';

export interface OpenAiError {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
}

export function encodeOpenAiError(error: WireError): { readonly error: OpenAiError } {
  const { code, message, param = null } = error;
  return { error: { message, type: typeOf(error), param, code } };
}

function typeOf({ status, code, errorType }: WireError): string {
  if (errorType !== undefined) return errorType;
  if (code !== null && WITHOUT_CREDIT[code] !== undefined) return 'insufficient_quota';
  if (status === 429) return 'requests';
  return status < 500 ? 'invalid_request_error' : 'server_error';
}

/** The messages of accounts without credit, by code. */
const WITHOUT_CREDIT: Readonly<Record<string, string>> = {
  insufficient_quota:
    'You exceeded your current quota, please check your plan and billing details. For more information on this error, read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors.',
  credit_balance_exhausted: 'You have no credits remaining. Add credits to continue.',
};

const ORGANIZATION = 'mock-organization';
const REQUEST_LIMIT = 10_000;
const TOKEN_LIMIT = 2_000_000;

/** The API's own error for a status, as its clients report it. */
export function openaiStatusError(request: StatusRequest): WireError {
  const { model, retryAfter = DEFAULT_RETRY_AFTER } = request;
  return statusErrorFrom(
    {
      400: 'Invalid request.',
      401: {
        message:
          'Incorrect API key provided: ********. You can find your API key at https://platform.openai.com/account/api-keys.',
        code: 'invalid_api_key',
      },
      403: {
        message: 'Country, region, or territory not supported',
        code: 'unsupported_country_region_territory',
        errorType: 'request_forbidden',
      },
      404: {
        message: `The model \`${model}\` does not exist or you do not have access to it.`,
        code: 'model_not_found',
      },
      408: 'Request timed out.',
      413: { message: 'The request body is too large.', code: 'request_too_large' },
      429: {
        message:
          WITHOUT_CREDIT[request.code ?? ''] ??
          `Rate limit reached for ${model} in organization ${ORGANIZATION} on requests per min (RPM): Limit ` +
            `${REQUEST_LIMIT}, Used ${REQUEST_LIMIT}, Requested 1. Please try again in ${retryAfter}s. Visit ` +
            'https://platform.openai.com/account/rate-limits to learn more.',
        code: 'rate_limit_exceeded',
      },
      500: 'The server had an error while processing your request. Sorry about that!',
      502: 'Bad gateway.',
      503:
        'The server is currently overloaded with other requests. Sorry about that! You can retry your request, or ' +
        'contact us through our help center at help.openai.com if the error persists.',
    },
    request,
  );
}

/** The headers of every response, derived from the digest of the request and its id. */
export function openaiHeaders(digest: string, requestId: string): Readonly<Record<string, string>> {
  const number = Number.parseInt(digest.slice(0, 8), 16);
  return {
    'openai-organization': ORGANIZATION,
    'openai-processing-ms': String(100 + (number % 900)),
    'openai-version': '2020-10-01',
    'x-ratelimit-limit-requests': String(REQUEST_LIMIT),
    'x-ratelimit-limit-tokens': String(TOKEN_LIMIT),
    'x-ratelimit-remaining-requests': String(REQUEST_LIMIT - 1),
    'x-ratelimit-remaining-tokens': String(TOKEN_LIMIT - 1 - (number % 10_000)),
    'x-ratelimit-reset-requests': '6ms',
    'x-ratelimit-reset-tokens': `${1 + (number % 300)}ms`,
    'x-request-id': requestId,
  };
}

/** The headers of a reached limit: nothing remains before a retry makes sense. */
export function openaiLimitHeaders(retryAfter: number): Readonly<Record<string, string>> {
  const reset = `${retryAfter}s`;
  return {
    'x-ratelimit-remaining-requests': '0',
    'x-ratelimit-remaining-tokens': '0',
    'x-ratelimit-reset-requests': reset,
    'x-ratelimit-reset-tokens': reset,
  };
}
