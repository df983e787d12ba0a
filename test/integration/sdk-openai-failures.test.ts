import OpenAI from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parseScenarioFile } from '../../mock-llm-server/parse-scenario-file.ts';
import { createScenarioSet } from '../../mock-llm-server/scenario-set.ts';
import { type RunningServer, startMockServer } from '../../mock-llm-server/start-server.ts';

const FAILURES = [
  [400, OpenAI.BadRequestError, 'invalid_request_error', null],
  [401, OpenAI.AuthenticationError, 'invalid_request_error', 'invalid_api_key'],
  [403, OpenAI.PermissionDeniedError, 'invalid_request_error', 'permission_denied'],
  [404, OpenAI.NotFoundError, 'invalid_request_error', 'model_not_found'],
  [408, OpenAI.APIError, 'invalid_request_error', null],
  [413, OpenAI.APIError, 'invalid_request_error', 'request_too_large'],
  [429, OpenAI.RateLimitError, 'requests', 'rate_limit_exceeded'],
  [500, OpenAI.InternalServerError, 'server_error', null],
  [502, OpenAI.InternalServerError, 'server_error', null],
  [503, OpenAI.InternalServerError, 'server_error', null],
] as const;
const Verdict = z.object({ title: z.string(), score: z.int() });
const verdict = { title: '„漢字“ 🙂', score: 3 };
const file = {
  scenarios: [
    ...FAILURES.map(([status]) => ({
      name: `failure ${status}`,
      trigger: `fail with ${status}`,
      steps: [{ response: { content: 'Never said.' }, fault: { status } }],
    })),
    {
      name: 'busy',
      trigger: 'be busy once',
      steps: [{ response: { content: 'Now.' }, fault: { status: 429, retry_after: 0.001, times: 1 } }],
    },
    { name: 'verdict', trigger: 'judge this', steps: [{ response: { content: JSON.stringify(verdict) } }] },
    { name: 'long', trigger: 'long', steps: [{ response: { content: 'word '.repeat(2000) } }] },
  ],
};

let server: RunningServer;
let client: OpenAI;
let lines: string[] = [];

beforeAll(async () => {
  const content = parseScenarioFile(JSON.stringify(file), 'test.json');
  server = await startMockServer({
    scenarios: createScenarioSet([{ file: 'test.json', content }]),
    log: (line) => lines.push(line),
  });
  client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'unused' });
});

afterAll(() => server.close());

beforeEach(() => {
  lines = [];
});

const chat = (content: string) => ({ model: 'gpt-x', messages: [{ role: 'user' as const, content }] });
const input = (content: string) => ({ model: 'gpt-x', input: content });

/** One question, asked in each way; what comes back is the text. */
const WAYS = [
  [
    'chat.completions.create',
    async (api: OpenAI, text: string) => (await api.chat.completions.create(chat(text))).choices[0]?.message.content,
  ],
  ['chat.completions.stream', (api: OpenAI, text: string) => api.chat.completions.stream(chat(text)).finalContent()],
  ['responses.create', async (api: OpenAI, text: string) => (await api.responses.create(input(text))).output_text],
  [
    'responses.stream',
    async (api: OpenAI, text: string) => (await api.responses.stream(input(text)).finalResponse()).output_text,
  ],
] as const;

describe.each(WAYS)('%s', (_name, ask) => {
  it.each(FAILURES)('gets status %i as its class', async (status, errorClass, type, code) => {
    const once = client.withOptions({ maxRetries: 0 });
    const failure = await ask(once, `fail with ${status}`).then(String, (error: unknown) => error);
    expect(failure).toBeInstanceOf(errorClass);
    expect(failure).toMatchObject({ status, type, code, requestID: expect.stringMatching(/^req_/) });
  });

  it('waits for as long as it is told, and tries again', async () => {
    expect(await ask(client, `be busy once, ${_name}`)).toBe('Now.');
    expect(lines).toHaveLength(2);
  });
});

describe('the Chat Completions client', () => {
  it('gets the JSON that a scenario has for the schema', async () => {
    const format = zodResponseFormat(Verdict, 'verdict');
    const completion = await client.chat.completions.parse({ ...chat('judge this'), response_format: format });
    expect(completion.choices[0]?.message.parsed).toEqual(verdict);
  });

  it('can go away in the middle of a stream', async () => {
    const stream = client.chat.completions.stream(chat('long'));
    stream.on('content', () => stream.abort());
    await expect(stream.done()).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
    expect((await client.chat.completions.create(chat('long'))).choices[0]?.finish_reason).toBe('stop');
  });

  it('finds a model by its name', async () => {
    expect(await client.models.retrieve('mock/verdict')).toMatchObject({ id: 'mock/verdict', object: 'model' });
  });

  it('is told the limits in headers', async () => {
    const { response } = await client.chat.completions.create(chat('long')).withResponse();
    expect(response.headers.get('x-ratelimit-remaining-requests')).toBe('9999');
  });
});
