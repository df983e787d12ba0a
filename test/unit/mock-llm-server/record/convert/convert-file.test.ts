import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { convertForeignFiles } from '../../../../../mock-llm-server/record/convert/convert-file.ts';
import { checkContent } from '../../../../../mock-llm-server/scenario/loading/read-file.ts';

const AIMOCK = path.join(import.meta.dirname, '../../../../../node_modules/@copilotkit/aimock/fixtures');
const CASSETTE = path.join(import.meta.dirname, 'fixtures/vcrpy-tool-use.yaml');

/** Converts one file. */
const convertForeignFile = (file: string) => convertForeignFiles([file]);

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'convert-'));
});
afterAll(() => rm(directory, { recursive: true }));

/** Writes a file of this content. */
async function write(content: unknown, name: string): Promise<string> {
  const file = path.join(directory, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

/** Converts a file of this content. */
const convert = async (content: unknown, name = 'file.json') => convertForeignFile(await write(content, name));

/** The texts and calls of the steps of each scenario. */
const shortOf = ({ scenarios }: Awaited<ReturnType<typeof convertForeignFile>>) =>
  scenarios.map(({ trigger, steps }) => [
    trigger,
    ...steps.map((step) =>
      'response' in step ? (step.response.content ?? step.response.tool_calls?.length) : 'intent',
    ),
  ]);

describe('the fixtures of aimock', () => {
  it.each([
    [
      'example-greeting.json',
      [
        ['hello', 'Hello! How can I help you today?'],
        ['goodbye', 'Goodbye! Have a great day!'],
      ],
    ],
    ['example-multi-turn.json', [['change background to blue', 1, "Done! I've changed the background."]]],
    ['example-tool-call.json', [[{ tool: 'get_weather' }, 1]]],
    ['examples/mastra/agent-workflow.json', [['plan a trip', 1, 1, expect.stringContaining('Tokyo trip')]]],
  ])('%s become scenarios', async (file, expected) => {
    const converted = await convertForeignFile(path.join(AIMOCK, file));
    expect([shortOf(converted), converted.notes]).toEqual([expected, []]);
    await checkContent({ scenarios: converted.scenarios }, file);
  });

  it.each([
    ['openai-live-client.json', ['fixtures[0]: the endpoint "openai-live" gives no answer of a language model.']],
    ['examples/llm/sequential-responses.json', [expect.stringContaining('counts repetitions'), expect.anything()]],
    ['examples/llm/embeddings.json', [expect.stringContaining('inputText'), expect.anything(), expect.anything()]],
    ['examples/llm/blocks-tool-first.json', ['fixtures[0]: its text comes before its calls.']],
  ])('%s name what cannot be converted', async (file, notes) => {
    expect((await convertForeignFile(path.join(AIMOCK, file))).notes).toEqual(notes);
  });

  it('keep errors, finish reasons and timing, and leave braces literal', async () => {
    const fixtures = [
      {
        match: { userMessage: 'a' },
        response: { error: { message: 'no', type: 't', code: 'c' }, status: 429, retryAfter: 3 },
      },
      {
        match: { userMessage: 'b', model: 'gpt', context: 'x' },
        response: { content: '{{x}}', reasoning: 'r', finishReason: 'length', id: 'i' },
        streamingProfile: { ttft: 5, tps: 9, jitter: 0.1 },
        chaos: {},
      },
      {
        match: { userMessage: 'c' },
        response: { toolCalls: [{ id: 'call_1', name: 'x', arguments: '{' }] },
        latency: 7,
      },
      { match: { toolCallId: 'call_1' }, response: { content: 'done' } },
      { match: { userMessage: 'd', turnIndex: 1 }, response: { content: 'x' } },
      { match: { toolCallId: 'call_9' }, response: { content: 'x' } },
      { match: {}, response: { content: 'x' } },
      { response: {} },
      { match: { userMessage: 'e' } },
      { match: { userMessage: 'f' }, response: {} },
    ];
    const { scenarios, notes } = await convert({ fixtures });
    expect(scenarios).toEqual([
      {
        name: 'a',
        trigger: 'a',
        steps: [
          { response: { content: '' }, fault: { status: 429, message: 'no', code: 'c', type: 't', retry_after: 3 } },
        ],
      },
      {
        name: 'b-gpt',
        trigger: { text: 'b', model: 'gpt' },
        steps: [
          {
            response: { content: '{{{{x}}', reasoning: 'r', finish: 'length' },
            timing: { time_to_first_token_ms: 5, tokens_per_second: 9, jitter: 0.1 },
          },
        ],
      },
      {
        name: 'c',
        trigger: 'c',
        steps: [
          {
            response: { tool_calls: [{ id: 'call_1', function: { name: 'x', arguments: '{' } }] },
            timing: { time_to_first_token_ms: 7 },
          },
          { response: { content: 'done' } },
        ],
      },
    ]);
    expect(notes).toHaveLength(9);
    await checkContent({ scenarios }, 'converted');
  });
});

describe('recorded exchanges', () => {
  const answers = [['What is 1231 * 2331?', 1, 'The result of 1231 multiplied by 2331 is 2,869,461.']];

  it('of a cassette of vcrpy become a scenario with the answers as they were sent', async () => {
    const converted = await convertForeignFile(CASSETTE);
    expect(converted.notes).toEqual([]);
    expect(shortOf(converted)).toEqual([[answers[0]?.[0], 1, expect.stringContaining('2,869,461')]]);
    expect(converted.scenarios[0]?.steps[0]).toMatchObject({ response: { native: { protocol: 'openai-chat' } } });
    await checkContent({ scenarios: converted.scenarios }, 'converted');
  });

  it('for embeddings keep them', async () => {
    const [request, body] = [
      { model: 'm', input: 'a' },
      { object: 'list', data: [] },
    ];
    const entry = {
      url: 'https://gateway/openai/deployments/d/embeddings',
      request: { body: request },
      response: { body },
    };
    expect(await convert([entry])).toEqual({
      scenarios: [],
      prompts: [],
      embeddings: [{ path: '/embeddings', request, response: body }],
      notes: [],
    });
  });

  it.each<readonly [string, unknown, string]>([
    ['no address', { response: {} }, 'entry 1: its request has no "url".'],
    ['a wrong address', { url: 'http://a//[', response: {} }, 'entry 1: http://a//[ is no address.'],
    ['no response', { request: { url: '/v1/messages' } }, 'entry 1: it has no "response".'],
    [
      'another request',
      { url: '/v1/models', method: 'GET', response: {} },
      'entry 1: GET /v1/models is not a request for an answer of a model.',
    ],
    ['no answer in its body', { url: '/v1/messages', response: { body: '{}' } }, 'entry 1: its response has no answer'],
    [
      'no answer',
      {
        request: { url: '/v1/chat/completions', body: { messages: [{ role: 'user', content: 'a' }] } },
        response: { body: 'x' },
      },
      'entry 1: its response has no answer that can be read.',
    ],
    [
      'a broken compression',
      { url: '/v1/messages', response: { headers: { 'content-encoding': 'zstd' }, body: { base64_string: 'AAAA' } } },
      'entry 1: a body cannot be decoded (Unknown frame descriptor).',
    ],
    [
      'a missing file',
      { request: { urlPath: '/v1/messages' }, response: { bodyFileName: 'a.json' } },
      'entry 1: its body, the file a.json, cannot be read.',
    ],
    [
      'a wrong request',
      { request: { url: '/v1/chat/completions', postData: { text: '{"model":"m"}' } }, response: { body: '{}' } },
      "entry 1: its request cannot be read: Missing required parameter: 'messages'.",
    ],
  ])('with %s are named', async (_what, entry, note) => {
    const { scenarios, notes } = await convert([entry]);
    expect([scenarios, notes]).toEqual([[], [expect.stringContaining(note)]]);
  });
});

describe('a provider of vidaimock', () => {
  const body = { choices: [{ message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }] };
  const provider = (matcher: string, template = 'chat.json.j2') =>
    `name: "mine"\nmatcher: "${matcher}"\nresponse_template: "${template}"\n`;

  it('becomes a scenario if its template is text', async () => {
    await write(JSON.stringify(body), 'config/templates/chat.json.j2');
    const { scenarios, notes } = await convert(provider('^/v1/chat/completions$'), 'config/providers/a.yaml');
    expect(scenarios).toMatchObject([
      { name: 'mine', trigger: { protocol: 'openai-chat' }, steps: [{ response: { content: 'Hi.' } }] },
    ]);
    expect(notes).toEqual([]);
  });

  it.each([
    ['is missing', '^/v1/messages$', 'no.j2', 'is missing beside it'],
    ['computes its answer', '^/v1/messages$', 'code.j2', 'computes the answer'],
    ['belongs to no protocol', '^/v1/my/endpoint$', 'code.j2', 'is not a path of a protocol'],
    ['has no expression', '(', 'code.j2', 'is not a regular expression'],
  ])('is named if its template %s', async (_what, matcher, template, note) => {
    await write('{{ json.model }}', 'config/templates/code.j2');
    const { notes } = await convert(provider(matcher, template), 'config/providers/b.yaml');
    expect(notes).toEqual([expect.stringContaining(note)]);
  });
});

it('keeps the words of an error of Amazon', async () => {
  // agentjido/req_llm, test/support/fixtures/amazon_bedrock/amazon_bedrock_basic_tool_call.json.
  const body = { anthropic_version: 'bedrock-2023-05-31', max_tokens: 9, messages: [{ role: 'user', content: 'Hi.' }] };
  const message = 'Model is getting throttled. Try your request again.';
  const url = '/model/us.anthropic.claude-opus-4-20250514-v1:0/invoke';
  const { scenarios } = await convert([{ request: { url, body }, response: { status: 503, body: { message } } }]);
  expect(scenarios[0]?.steps).toMatchObject([{ fault: { status: 503, message } }]);
});

it('reads UTF-16', async () => {
  const file = path.join(directory, 'utf-16.json');
  await writeFile(file, Buffer.from(`\uFEFF${JSON.stringify([{ url: '/health', response: {} }])}`, 'utf16le'));
  expect((await convertForeignFile(file)).notes).toEqual([expect.stringContaining('POST /health is not a request')]);
});

describe('a file of no known kind', () => {
  it.each([
    ['{"scenarios": []}', 'is a scenario file already'],
    ['{"name": "x"}', 'is not a recording of a known kind: its fields are name'],
    ['3', 'is not a recording'],
    ['PK\u0003\u0004', 'is a zip archive. Unpack it'],
    ['SQLite format 3\0', 'is a database. Export its rows'],
    ['a: [', 'is neither JSON, JSON lines nor YAML'],
    ['{"log": {"entries": [{"request": {"url": "/v1/mess', /is not valid JSON \(.*\)\. docs/],
    ['import x\n  y: z: 1', /nor YAML \([^:].*line \d+, column \d+\)\. docs\/recording\.md lists/],
  ])('%s is refused', async (content, message) => {
    await expect(convert(content)).rejects.toThrow(message);
  });

  it('is refused if it is missing', async () => {
    await expect(convertForeignFile(path.join(directory, 'nothing.har'))).rejects.toThrow(
      /nothing\.har does not exist\. Correct the path/,
    );
  });
});

const ASKED = { model: 'gpt-5', messages: [{ role: 'user', content: 'Name a colour.' }] };
const ANSWERED = {
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Grün 🙂' }, finish_reason: 'stop' }],
};
const COLOUR = [['Name a colour.', 'Grün 🙂']];

describe('a file of httprr', () => {
  const asked = `POST https://api.openai.com/v1/chat/completions HTTP/1.1\r\nHost: api.openai.com\r\n\r\n${JSON.stringify(ASKED)}`;
  const answered = (head: string, body: string) => `HTTP/2.0 200 OK\r\n${head}\r\n\r\n${body}`;
  const exchange = (answer: string) => `${Buffer.byteLength(asked)} ${Buffer.byteLength(answer)}\n${asked}${answer}`;
  const json = JSON.stringify(ANSWERED);
  const length = Buffer.byteLength(json).toString(16);

  it.each([
    ['whole', answered('Content-Type: application/json', json)],
    ['in chunks', answered('Transfer-Encoding: chunked', `${length}\r\n${json}\r\n0\r\n\r\n`)],
  ])('has the answer of an exchange, %s', async (_name, answer) => {
    expect(shortOf(await convert(`httprr trace v1\n${exchange(answer)}`, 'trace.httprr'))).toEqual(COLOUR);
  });

  it('keeps the exchanges before the place where the file was cut', async () => {
    const whole = exchange(answered('Content-Type: application/json', json));
    expect(shortOf(await convert(`httprr trace v1\n${whole}${whole.slice(0, -5)}`, 'cut.httprr'))).toEqual(COLOUR);
  });
});

describe('a mapping of WireMock', () => {
  const request = { method: 'POST', urlPath: '/v1/chat/completions' };
  const patterns = { bodyPatterns: [{ equalToJson: JSON.stringify(ASKED), ignoreArrayOrder: false }] };
  const mapping = (response: object) => ({
    request: { ...request, ...patterns },
    response: { status: 200, ...response },
  });

  it.each([
    ['a text', mapping({ body: JSON.stringify(ANSWERED) })],
    ['JSON', mapping({ jsonBody: ANSWERED })],
    ['base64', mapping({ base64Body: Buffer.from(JSON.stringify(ANSWERED)).toString('base64') })],
    ['one of several', { mappings: [mapping({ jsonBody: ANSWERED })] }],
  ])('has its answer as %s', async (_name, content) => {
    expect(shortOf(await convert(content, 'mapping.json'))).toEqual(COLOUR);
  });

  it('has its answer in a file beside it, and in none elsewhere', async () => {
    await write(ANSWERED, 'wiremock/__files/colour.json');
    await write(ANSWERED, 'wiremock/outside.json');
    const convertNamed = (bodyFileName: string) => convert(mapping({ bodyFileName }), 'wiremock/mappings/colour.json');
    expect(shortOf(await convertNamed('colour.json'))).toEqual(COLOUR);
    const { scenarios, notes } = await convertNamed('../outside.json');
    expect([scenarios, notes]).toEqual([[], ['the exchange: its body, the file ../outside.json, cannot be read.']]);
  });
});

it('takes no messages of a thread for those of Anthropic', async () => {
  // The address of alexrudall/ruby-openai, spec/fixtures/cassettes/messages_create.yml.
  const request = {
    method: 'post',
    uri: 'https://api.openai.com/v1/threads/thread_1/messages',
    body: '{"role":"user"}',
  };
  const { notes } = await convert({ interactions: [{ request, response: { status: 200, body: '{}' } }] });
  expect(notes).toEqual([expect.stringContaining('is not a request for an answer of a model')]);
});
