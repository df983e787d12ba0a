import { describe, expect, it } from 'vitest';
import type { Protocol } from '../../../../mock-llm-server/conversation/conversation.ts';
import { digestOf } from '../../../../mock-llm-server/conversation/ids.ts';
import {
  breakReply,
  chaosFault,
  createFaultChooser,
  createKeyCounter,
  describeFault,
  statusFaultOf,
} from '../../../../mock-llm-server/delivery/faults.ts';
import { FaultSchema } from '../../../../mock-llm-server/scenario/format/faults/fault-format.ts';
import { openaiChat } from '../../../../mock-llm-server/wire/openai/chat/chat.ts';
import { NATIVE_STATUSES, type NativeStatus } from '../../../../mock-llm-server/wire/status-error.ts';
import { fullReply, WIRE_CASES } from '../wire/wire-requests.ts';

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
const interaction = (code: string, message: unknown) => ({ error: { message, code } });
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
  // 503 and 429 in aws/aws-sdk-js-v3 and anthropics/claude-code; the others as the service model of botocore describes them.
  'bedrock-converse': {
    400: { message: 'Malformed input request, please reformat your input and try again.' },
    401: { message: 'The security token included in the request is invalid.' },
    403: { message: "You don't have access to the model with the specified model ID." },
    404: { message: 'Could not resolve the foundation model from the model identifier: m' },
    408: { message: 'Model has timed out in processing the request. Try your request again.' },
    413: { message: 'Input is too long for requested model.' },
    429: { message: 'Too many requests, please wait before trying again.' },
    500: { message: 'The system encountered an unexpected error during processing. Try your request again.' },
    502: { message: 'Bedrock is unable to process your request.' },
    503: { message: 'Bedrock is unable to process your request.' },
    529: { message: 'Bedrock is unable to process your request.' },
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
  // The form in allenhutchison/gemini-cli-deep-research 73; the words are those of Gemini.
  'gemini-interactions': {
    400: interaction('invalid_request', 'Request contains an invalid argument.'),
    401: interaction('unauthenticated', expect.stringMatching(/^Request had invalid authentication credentials\. /)),
    403: interaction('permission_denied', 'The caller does not have permission'),
    404: interaction('not_found', expect.stringMatching(/^models\/m is not found/)),
    408: interaction('deadline_exceeded', 'Deadline expired before operation could complete.'),
    413: interaction('invalid_request', 'Request payload size exceeds the limit: 20971520 bytes.'),
    429: interaction('resource_exhausted', expect.stringMatching(/^You exceeded your current quota, /)),
    500: interaction('internal', expect.stringMatching(/^An internal error has occurred\. /)),
    502: interaction('unavailable', 'The service is currently unavailable.'),
    503: interaction('unavailable', expect.stringMatching(/^This model is currently experiencing high demand\. /)),
    529: interaction('unavailable', expect.stringMatching(/^This model is currently experiencing high demand\. /)),
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

const partsOf = ({ reasoning, content, toolCalls, finish }: ReturnType<typeof fullReply>) => ({
  reasoning,
  content,
  calls: toolCalls.length,
  finish,
});
const asText =
  '<tool_call>\n{"name": "read_file", "arguments": {"path":"a \\"b\\".txt"}}\n</tool_call>\n' +
  '<tool_call>\n{"name": "write_file", "arguments": {"path":"ü","n":[1]}}\n</tool_call>';

describe('breakReply', () => {
  it('does not change a reply if the fault concerns its delivery', () => {
    const reply = fullReply();
    expect(breakReply(reply, { reset: true })).toBe(reply);
  });

  it('empties a reply', () => {
    const empty = breakReply(fullReply({ reasoning: 'Hm.' }), { empty_answer: true });
    expect(partsOf(empty)).toEqual({ reasoning: undefined, content: undefined, calls: 0, finish: 'stop' });
    expect(empty.usage).toMatchObject({ inputTokens: 3, outputTokens: 0, reasoningTokens: 0 });
  });

  it.each([
    ['I look.', `I look.\n${asText}`],
    [undefined, asText],
  ])('writes calls as text after %j', (content, expected) => {
    const broken = breakReply(fullReply({ content }), { tool_call_as_text: true });
    expect(partsOf(broken)).toEqual({ reasoning: undefined, content: expected, calls: 0, finish: 'stop' });
  });

  it('keeps the reason of a reply that ended early when it writes its calls as text', () => {
    const broken = breakReply(fullReply({ finish: 'length' }), { tool_call_as_text: true });
    expect(broken).toMatchObject({ toolCalls: [], finish: 'length' });
  });

  it('does not change a reply without calls to write as text', () => {
    const reply = fullReply({ toolCalls: [], finish: 'stop' });
    expect(breakReply(reply, { tool_call_as_text: true })).toBe(reply);
  });

  it.each([
    ['Hm.', 'Yes.', '<think>\nHm.\nYes.'],
    [undefined, 'Yes.', '<think>\nYes.'],
    ['Hm.', undefined, '<think>\nHm.\n'],
  ])('opens a think tag before %j and %j', (reasoning, content, expected) => {
    const broken = breakReply(fullReply({ reasoning, content }), { open_think_tag: true });
    expect(partsOf(broken)).toEqual({ reasoning: undefined, content: expected, calls: 2, finish: 'tool_calls' });
  });

  it('opens a think tag before calls that are written as text', () => {
    const broken = breakReply(fullReply({ content: undefined }), { open_think_tag: true, tool_call_as_text: true });
    expect(broken.content).toBe(`<think>\n${asText}`);
  });
});

const key = (digest: string, testId?: string) => ({ digest, testId });
const digests = Array.from({ length: 1000 }, (_, index) => digestOf(String(index)));

describe('createFaultChooser', () => {
  it('applies a fault always, or `times` times to each request of each test', () => {
    const choose = createFaultChooser();
    const once = { status: 429, times: 2 } as const;
    const seen = [
      [key('a'), key('a'), key('a'), key('b'), key('a', 't'), key('a', 't'), key('a', 't')].map((request) =>
        choose(once, request),
      ),
      [key('c'), key('c'), key('c')].map((request) => choose({ reset: true }, request)),
    ].map((faults) => faults.map((fault) => fault !== undefined));
    expect(seen).toEqual([
      [true, true, false, true, true, true, false],
      [true, true, true],
    ]);
    expect(choose(undefined, key('a'))).toBeUndefined();
  });

  it('prefers the fault of a step to chaos', () => {
    const choose = createFaultChooser({ rate: 1, seed: 1 });
    expect(choose({ reset: true }, key('00'))).toEqual({ fault: { reset: true }, origin: 'step' });
    expect(choose(undefined, key('01'))).toMatchObject({ origin: 'chaos', fault: { times: 1 } });
    expect(choose(undefined, key('01'))).toBeUndefined();
  });
});

describe('chaosFault', () => {
  const chosen = (rate: number, seed: number) => digests.map((digest) => chaosFault({ rate, seed }, digest));
  const hits = (rate: number, seed: number) => chosen(rate, seed).filter((fault) => fault !== undefined).length;

  it.each([
    [0, 0, 0],
    [0.1, 70, 130],
    [1, 1000, 1000],
  ])('hits a part of %f of the requests', (rate, atLeast, atMost) => {
    expect(hits(rate, 7)).toBeGreaterThanOrEqual(atLeast);
    expect(hits(rate, 7)).toBeLessThanOrEqual(atMost);
  });

  it('fails the same requests in the same way for the same seed', () => {
    expect(chosen(0.5, 7)).toEqual(chosen(0.5, 7));
    expect(chosen(0.5, 7)).not.toEqual(chosen(0.5, 8));
  });

  it('uses each of its faults, all of which the scenario format allows', () => {
    const kinds = new Set(chosen(1, 7).map((fault) => JSON.stringify(fault)));
    expect(kinds.size).toBe(8);
    for (const fault of kinds) expect(FaultSchema.safeParse(JSON.parse(fault)).success).toBe(true);
  });
});

it('describeFault returns a short text', () => {
  expect([
    describeFault({ fault: { status: 429, retry_after: 0.1, times: 1 }, origin: 'chaos' }),
    describeFault({ fault: { reset: true, at: { pieces: 3 } }, origin: 'step' }),
  ]).toEqual(['chaos status 429, retry_after 0.1, times 1', 'fault reset, at {"pieces":3}']);
});

it('createKeyCounter forgets the least recent key', () => {
  const countEarlier = createKeyCounter(2);
  expect(['a', 'b', 'a', 'c', 'a', 'b'].map(countEarlier)).toEqual([0, 0, 1, 0, 2, 0]);
});
