import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMockServer } from '../../../../../mock-llm-server/server/app.ts';
import { gemini } from '../../../../../mock-llm-server/wire/gemini/gemini.ts';
import { scenarioSet, steps } from '../../../../support/stories/builders.ts';

const Answer = z.object({ usageMetadata: z.object({ promptTokenCount: z.number() }) });
const scenarios = scenarioSet({
  scenarios: [
    { name: 'pair', trigger: 'two reads', steps: steps(2, 1) },
    { name: 'later', trigger: 'come later', steps: [{ response: { content: 'Never sent.' }, fault: { status: 503 } }] },
  ],
});
const app = createMockServer({ scenarios });
const text = (value: string, role = 'user') => ({ role, parts: [{ text: value }] });

function post(method: string, body: unknown, base = '/v1beta', model = 'gemini-2.5-flash') {
  return app.request(`${base}/models/${model}:${method}`, { method: 'POST', body: JSON.stringify(body) });
}

describe('the Gemini API', () => {
  it.each([
    ['streamGenerateContent?alt=sse', 'text/event-stream', /^data: \{.*\}\r\n\r\n[\s\S]*"STOP"[\s\S]*\r\n\r\n$/],
    ['streamGenerateContent', 'application/json; charset=UTF-8', /^\[\{.*\},\r\n\{[\s\S]*"STOP"[\s\S]*\}\]\n$/],
  ])('streams with %s', async (method, type, body) => {
    const response = await post(method, { contents: [text('two reads')] });
    expect(response.headers.get('content-type')).toBe(type);
    expect(await response.text()).toMatch(body);
  });

  it.each<readonly [string, string, unknown, number, string]>([
    ['a miss', 'streamGenerateContent', { contents: [text('tow raeds')] }, 400, 'INVALID_ARGUMENT'],
    ['no contents', 'streamGenerateContent?alt=json', {}, 400, 'INVALID_ARGUMENT'],
    ['a fault', 'streamGenerateContent?key=unused', { contents: [text('come later')] }, 503, 'UNAVAILABLE'],
  ])('refuses with an array if the reply would be an array: %s', async (_name, method, body, code, status) => {
    const error = expect.objectContaining({ code, status });
    const inArray = await post(method, body);
    expect([inArray.status, await inArray.json()]).toEqual([code, [{ error }]]);
    for (const other of ['streamGenerateContent?alt=sse', 'generateContent', 'generateContent?alt=json']) {
      expect(await (await post(other, body)).json()).toEqual({ error });
    }
  });

  it('finds the step by counting calls without ids', async () => {
    const call = { functionCall: { name: 'tool', args: {} } };
    const result = { functionResponse: { name: 'tool', response: { output: 'ok' } } };
    const contents: object[] = [text('two reads'), { role: 'model', parts: [call, call] }];
    contents.push({ role: 'user', parts: [result, result] });
    const second = await post('generateContent', { contents });
    expect(await second.json()).toMatchObject({ candidates: [{ content: { parts: [call] } }] });
    contents.push({ role: 'model', parts: [call] }, { role: 'user', parts: [result] });
    const third = await post('generateContent', { contents });
    expect(await third.json()).toMatchObject({ candidates: [{ content: { parts: [{ text: 'done' }] } }] });
  });

  it('counts the same tokens as a reply', async () => {
    const body = { contents: [text('two reads, 漢字')] };
    const counted: unknown = await (await post('countTokens', body)).json();
    const { usageMetadata } = Answer.parse(await (await post('generateContent', body)).json());
    const tokens = usageMetadata.promptTokenCount;
    const promptTokensDetails = [{ modality: 'TEXT', tokenCount: tokens }];
    expect(counted).toEqual({ totalTokens: tokens, promptTokensDetails });
    expect(await (await post('countTokens', { generateContentRequest: body })).json()).toEqual(counted);
  });

  it.each<readonly [string, Record<string, string>, object]>([
    ['/v1beta/models', {}, { models: [{ name: 'models/mock-model', supportedGenerationMethods: expect.anything() }] }],
    ['/v1beta/models/gemini-3-pro', {}, { name: 'models/gemini-3-pro', inputTokenLimit: 1_048_576 }],
    ['/v1beta/models/a%2Fb%', {}, { name: 'models/a%2Fb%' }],
    ['/v1beta/models/a%20b', {}, { name: 'models/a b' }],
    ['/v1/models', { 'x-goog-api-key': 'k' }, { models: [{ name: 'models/mock-model' }] }],
    ['/v1/models?key=k', {}, { models: [{ name: 'models/mock-model' }] }],
    ['/v1/models/x?key=k', {}, { name: 'models/x' }],
    ['/v1/models', {}, { object: 'list' }],
    ['/v1/models/x', {}, { object: 'model', id: 'x' }],
    ['/v1/models', { 'anthropic-version': '2023-06-01' }, { data: [{ type: 'model' }] }],
  ])('GET %s with %j', async (path, headers, body) => {
    expect(await (await app.request(path, { headers })).json()).toMatchObject(body);
  });

  it.each([
    ['an unknown method', '/v1beta/models/x:predict', 'POST', 404, 'NOT_FOUND'],
    ['an unknown path', '/v1beta/nope', 'GET', 404, 'NOT_FOUND'],
    ['a wrong method', '/v1/models/x:generateContent', 'GET', 405, 'UNIMPLEMENTED'],
    ['a body that is not JSON', '/v1/models/x:generateContent', 'POST', 400, 'INVALID_ARGUMENT'],
    ['a body without contents to count', '/v1/models/x:countTokens', 'POST', 400, 'INVALID_ARGUMENT'],
  ])('refuses %s with the error body of the API', async (_name, path, method, code, status) => {
    const response = await app.request(path, { method, ...(method === 'POST' && { body: '{' }) });
    expect(response.status).toBe(code);
    expect(await response.json()).toMatchObject({ error: { code, status } });
  });

  it('refuses a miss, a call without a result and a call without its signature', async () => {
    const miss = await post('generateContent', { contents: [text('tow raeds')] });
    expect(miss.headers.get('x-should-retry')).toBe('false');
    expect(await miss.json()).toMatchObject({
      error: {
        code: 400,
        status: 'INVALID_ARGUMENT',
        message: expect.stringContaining('"two reads"'),
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
            reason: 'NO_SCENARIO_MATCHED',
            domain: 'mock-llm-server',
          },
        ],
      },
    });
    const contents = [text('two reads'), { role: 'model', parts: [{ functionCall: { name: 'tool' } }] }, text('go on')];
    const unpaired = await post('generateContent', { contents: contents.slice(0, 2) });
    expect(await unpaired.json()).toMatchObject({
      error: { message: expect.stringContaining('Function calls without a response: contents[1].parts[0].') },
    });
    const unsigned = await post('generateContent', { contents: contents.slice(0, 2) }, '/v1', 'gemini-3-pro');
    expect(await unsigned.json()).toMatchObject({
      error: { message: expect.stringMatching(/^Function call is missing a thought_signature/) },
    });
  });
});

describe('an error of the Gemini API', () => {
  it('is JSON also as the list of a stream', async () => {
    const answer = await post('streamGenerateContent', {});
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toMatchObject([{ error: { code: 400 } }]);
  });

  it('of 504 has the status name DEADLINE_EXCEEDED', () => {
    expect(gemini.encodeError({ type: 'error', status: 504, code: null, message: 'm' })).toMatchObject({
      error: { code: 504, message: 'm', status: 'DEADLINE_EXCEEDED' },
    });
  });

  it('contains the retry delay and the field at fault', () => {
    const type = (name: string) => `type.googleapis.com/google.rpc.${name}`;
    const error = { type: 'error', code: null, message: 'm' } as const;
    expect(gemini.encodeError({ ...error, status: 429, retryAfter: 7 })).toMatchObject({
      error: { details: [{ '@type': type('QuotaFailure') }, { '@type': type('RetryInfo'), retryDelay: '7s' }] },
    });
    expect(gemini.encodeError({ ...error, status: 429 })).toMatchObject({
      error: { details: [{}, { retryDelay: '1s' }] },
    });
    expect(gemini.encodeError({ ...error, status: 400, param: 'contents' })).toMatchObject({
      error: { details: [{ '@type': type('BadRequest'), fieldViolations: [{ field: 'contents', description: 'm' }] }] },
    });
    expect(gemini.encodeError({ ...error, status: 503, param: 'contents' })).toEqual({
      error: { code: 503, message: 'm', status: 'UNAVAILABLE' },
    });
  });

  const fault = { type: 'unpaired_results' as const, index: 3, missing: [], orphans: [], hint: undefined };
  const number =
    'Please ensure that the number of function response parts is equal to the number of function call parts of the ' +
    'function call turn.';
  it.each([
    [{ ...fault, missing: ['a', 'b'] }, `${number} Function calls without a response: a, b.`],
    [
      { ...fault, orphans: ['c'] },
      'Please ensure that function response turn comes immediately after a function call turn. Function responses ' +
        'without a call: c.',
    ],
    [
      { ...fault, missing: ['a'], orphans: ['c'], hint: 'Look.' },
      `${number} Function calls without a response: a. Function responses without a call: c. Look.`,
    ],
  ])('names unpaired calls and results: %j', (answer, message) => {
    expect(gemini.unpaired(answer)).toMatchObject({ status: 400, message, param: 'contents[3]' });
  });
});
