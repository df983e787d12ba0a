import { describe, expect, it } from 'vitest';
import type { Protocol } from '../../../../mock-llm-server/conversation/conversation.ts';
import { statusFaultOf } from '../../../../mock-llm-server/delivery/faults.ts';
import { openaiChat } from '../../../../mock-llm-server/wire/openai/chat/chat.ts';
import { NATIVE_STATUSES, type NativeStatus } from '../../../../mock-llm-server/wire/status-error.ts';
import { WIRE_CASES } from '../wire/wire-requests.ts';

/** An error of OpenAI: message, type and code. */
const openai = (message: string, type = 'invalid_request_error', code: string | null = null) => ({
  error: { message, type, param: null, code },
});

/** 401 is recorded in ruby_llm, 404 in pydantic-ai; 429 is quoted in semanser/codel 72, 503 in mckaywrigley/repo-chat 13. */
const OPENAI: Readonly<Record<NativeStatus, object>> = {
  400: openai('Invalid request.'),
  401: openai(
    'Incorrect API key provided: ********. You can find your API key at https://platform.openai.com/account/api-keys.',
    'invalid_request_error',
    'invalid_api_key',
  ),
  403: openai(
    'Country, region, or territory not supported',
    'request_forbidden',
    'unsupported_country_region_territory',
  ),
  404: openai(
    'The model `m` does not exist or you do not have access to it.',
    'invalid_request_error',
    'model_not_found',
  ),
  408: openai('Request timed out.'),
  413: openai('The request body is too large.', 'invalid_request_error', 'request_too_large'),
  429: openai(
    'Rate limit reached for m in organization mock-organization on requests per min (RPM): Limit 10000, Used 10000, ' +
      'Requested 1. Please try again in 1s. Visit https://platform.openai.com/account/rate-limits to learn more.',
    'requests',
    'rate_limit_exceeded',
  ),
  500: openai('The server had an error while processing your request. Sorry about that!', 'server_error'),
  502: openai('Bad gateway.', 'server_error'),
  503: openai(expect.stringMatching(/^The server is currently overloaded with other requests\. /), 'server_error'),
  529: openai(expect.stringMatching(/^The server is currently overloaded with other requests\. /), 'server_error'),
};

const anthropic = (type: string, message: string) => ({
  type: 'error',
  error: { type, message },
  request_id: 'req_1',
});
const google = (status: string, message: unknown) => ({ error: expect.objectContaining({ status, message }) });
const busy = { error: 'server busy, please try again.  maximum pending requests exceeded' };
const demand = google('UNAVAILABLE', expect.stringMatching(/^This model is currently experiencing high demand\. /));

/** The body of each error. */
const NATIVE: Readonly<Record<Protocol, Readonly<Record<NativeStatus, unknown>>>> = {
  'openai-chat': OPENAI,
  'openai-responses': OPENAI,
  // 401 in ruby_llm, 404 in pydantic-ai, the others in issues of anthropics/claude-code: 51610, 14567, 71634, 309.
  'anthropic-messages': {
    400: anthropic('invalid_request_error', 'There was an issue with the format or content of your request.'),
    401: anthropic('authentication_error', 'invalid x-api-key'),
    403: anthropic('permission_error', 'Permission denied'),
    404: anthropic('not_found_error', 'model: m'),
    408: anthropic('timeout_error', 'Request timed out'),
    413: anthropic('request_too_large', 'Request exceeds the maximum size'),
    429: anthropic('rate_limit_error', "This request would exceed your account's rate limit. Please try again later."),
    500: anthropic('api_error', 'Internal server error'),
    502: anthropic('api_error', 'Bad gateway'),
    503: anthropic('api_error', 'Service unavailable'),
    529: anthropic('overloaded_error', 'Overloaded'),
  },
  // 404 in pydantic-ai, 429 in ruby_llm, 403 in google-gemini/gemini-cli 25607, 503 in langgenius/dify-official-plugins 2882.
  gemini: {
    400: google('INVALID_ARGUMENT', 'Request contains an invalid argument.'),
    401: google('UNAUTHENTICATED', expect.stringMatching(/^Request had invalid authentication credentials\. /)),
    403: google('PERMISSION_DENIED', 'The caller does not have permission'),
    404: google(
      'NOT_FOUND',
      'models/m is not found for API version v1beta, or is not supported for generateContent. Call ' +
        'ModelService.ListModels to see the list of available models and their supported methods.',
    ),
    408: google('DEADLINE_EXCEEDED', 'Deadline expired before operation could complete.'),
    413: google('INVALID_ARGUMENT', 'Request payload size exceeds the limit: 20971520 bytes.'),
    429: google(
      'RESOURCE_EXHAUSTED',
      expect.stringMatching(/^You exceeded your current quota, [\s\S]*\nPlease retry in 1s\.$/),
    ),
    500: google('INTERNAL', expect.stringMatching(/^An internal error has occurred\. /)),
    502: google('UNAVAILABLE', 'The service is currently unavailable.'),
    503: demand,
    529: demand,
  },
  // 429 and 500 in continuedev/continue 9233 and 10984, 503 in ollama/ollama 4159.
  ollama: {
    400: { error: 'invalid request' },
    401: { error: 'unauthorized' },
    403: { error: 'this model requires a subscription, upgrade for access: https://ollama.com/upgrade' },
    404: { error: "model 'm' not found" },
    408: { error: 'request timed out' },
    413: { error: 'http: request body too large' },
    429: { error: "you've reached your hourly usage limit, please wait or upgrade to continue" },
    500: { error: expect.stringMatching(/^model runner has unexpectedly stopped, /) },
    502: { error: 'bad gateway' },
    503: busy,
    529: busy,
  },
};

describe.each(WIRE_CASES)('an error of $protocol', ({ protocol, wire }) => {
  it.each(NATIVE_STATUSES)('%i has the words of the provider', (status) => {
    const fault = statusFaultOf({ status }, wire, 'm');
    if (fault === undefined) throw new Error('no error');
    // Only Anthropic has the status 529.
    const sent = status === 529 && protocol !== 'anthropic-messages' ? 503 : status;
    expect([fault.error.status, fault.headers]).toEqual([sent, {}]);
    expect(wire.encodeError(fault.error, 'req_1')).toEqual(NATIVE[protocol][status]);
  });

  it.each([
    [402, 'Payment Required'],
    [409, 'Conflict'],
    [422, 'Unprocessable Entity'],
    [504, 'Gateway Timeout'],
    [520, 'Status 520'],
  ] as const)('%i has the words of HTTP', (status, message) => {
    const fault = statusFaultOf({ status }, wire, 'm');
    expect(fault?.error).toMatchObject({ status, message });
  });

  it('states when to retry, if the provider does', () => {
    const fault = statusFaultOf({ status: 429, retry_after: 7 }, wire, 'm');
    if (fault === undefined) throw new Error('no error');
    const again = {
      gemini: 'Please retry in 7s.',
      'openai-chat': 'try again in 7s.',
      'openai-responses': 'try again in 7s.',
    };
    const text = Object.entries(again).find(([name]) => name === protocol)?.[1] ?? '';
    expect(fault.error.message).toContain(text);
  });

  it('has the message and the delay of the step', () => {
    const fault = statusFaultOf({ status: 429, message: 'Slow down.', retry_after: 1.2345 }, wire, 'm');
    if (fault === undefined) throw new Error('no error');
    expect(fault.headers).toEqual({ 'retry-after': '2', 'retry-after-ms': '1235' });
    const body = JSON.stringify(wire.encodeError(fault.error));
    expect(body).toContain('Slow down.');
    if (protocol === 'gemini') expect(body).toContain('"retryDelay":"1.2345s"');
  });
});

it('a fault without a status gives no error', () => {
  expect(statusFaultOf({ reset: true }, openaiChat, 'm')).toBeUndefined();
});
