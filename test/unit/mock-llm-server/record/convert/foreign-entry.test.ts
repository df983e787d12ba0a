import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import * as z from 'zod';
import { convertForeignFiles } from '../../../../../mock-llm-server/record/convert/convert-file.ts';

const CASSETTE = path.join(import.meta.dirname, 'fixtures/vcrpy-tool-use.yaml');

const CassetteSchema = z.object({
  interactions: z.array(
    z.object({
      request: z.object({ uri: z.string(), body: z.string() }),
      response: z.object({ body: z.object({ string: z.string() }) }),
    }),
  ),
});

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'forms-'));
});
afterAll(() => rm(directory, { recursive: true }));

async function write(name: string, content: unknown): Promise<string> {
  const file = path.join(directory, name);
  await mkdir(path.dirname(file), { recursive: true });
  const isPlain = typeof content === 'string' || content instanceof Uint8Array;
  await writeFile(file, isPlain ? content : JSON.stringify(content));
  return file;
}

/** An exchange of the cassette: `json` is the value of the request, and `answer` a stream of events. */
interface Recorded {
  readonly url: string;
  readonly body: string;
  readonly json: object;
  readonly answer: string;
}

async function recorded(): Promise<readonly Recorded[]> {
  const { interactions } = CassetteSchema.parse(parse(await readFile(CASSETTE, 'utf8')));
  return interactions.map(({ request: { uri: url, body }, response }) => {
    return { url, body, json: z.record(z.string(), z.unknown()).parse(JSON.parse(body)), answer: response.body.string };
  });
}

const TYPE = { 'content-type': 'text/event-stream' };
const PATH = '/v1/chat/completions';
const base64 = (text: string | Uint8Array) => Buffer.from(text).toString('base64');
const lines = (values: readonly object[]) => values.map((value) => JSON.stringify(value)).join('\n');
/** Entries in a list, or below the fields of a path. */
const below = (fields: string, entries: unknown) =>
  fields.split('.').reduceRight((value: unknown, field) => ({ [field]: value }), entries);

type Form = readonly [tool: string, file: string, content: (all: readonly Recorded[]) => unknown];

/** One entry for each exchange, in a list, or below the fields of a path. */
const each = (tool: string, fields: string, entry: (one: Recorded) => object): Form => [
  tool,
  'log.json',
  (all) => (fields === '' ? all.map(entry) : below(fields, all.map(entry))),
];

const har = ({ url, body }: Recorded, content: object) => ({
  request: { method: 'POST', url, headers: [], postData: { mimeType: 'application/json', text: body } },
  response: { status: 200, headers: [{ name: 'Content-Type', value: 'text/event-stream' }], content },
});
const vcr = ({ url, body }: Recorded, content: object, headers: object = {}) => ({
  request: { method: 'post', uri: url, body: { encoding: 'UTF-8', string: body } },
  response: {
    status: { code: 200, message: 'OK' },
    headers: { 'Content-Type': ['text/event-stream'], ...headers },
    body: content,
  },
});

/** The forms in which tools keep an exchange, by their documentation or the named files. */
const FORMS: readonly Form[] = [
  each('HAR', 'log.entries', (one) => har(one, { encoding: 'base64', text: base64(one.answer) })),
  [
    'HAR in YAML, as of Polly.js',
    'recording.har.yaml',
    (all) =>
      stringify(
        below(
          'log.entries',
          all.map((one) => har(one, { text: one.answer })),
        ),
      ),
  ],
  [
    'HAR, compressed',
    'x.har.gz',
    (all) =>
      gzipSync(
        JSON.stringify(
          below(
            'log.entries',
            all.map((one) => har(one, { text: one.answer })),
          ),
        ),
      ),
  ],
  each('VCR, go-vcr and betamax, compressed', 'http_interactions', (one) =>
    vcr(one, { base64_string: base64(gzipSync(one.answer)) }, { 'Content-Encoding': ['gzip'] }),
  ),
  [
    'vcrpy with bytes',
    'x.yaml',
    (all) =>
      stringify(
        below(
          'interactions',
          all.map((one) =>
            vcr(one, { string: new Uint8Array(brotliCompressSync(one.answer)) }, { 'Content-Encoding': ['br'] }),
          ),
        ),
        { customTags: ['binary'] },
      ),
  ],
  each('php-vcr', '', ({ url, body, answer }) => ({
    request: { method: 'POST', url, headers: {}, body },
    response: { status: { http_version: '1.1', code: '200' }, headers: TYPE, body: answer },
  })),
  [
    'OkReplay',
    'tape.yaml',
    (all) =>
      `!tape\n${stringify({ name: 'x', interactions: all.map(({ url, body, answer }) => ({ recorded: 'x', request: { method: 'POST', uri: url, body }, response: { status: 200, headers: TYPE, body: answer } })) })}`,
  ],
  each('EasyVCR for .NET', '', ({ url, body, answer }) => ({
    Request: { Body: body, Headers: {}, Method: 'POST', Uri: url },
    Response: { Body: answer, Headers: TYPE, Status: { Code: 200, Message: 'OK' } },
  })),
  each('ExVCR', '', ({ url, body, answer }) => ({
    request: { body: '', headers: {}, method: 'post', options: [], request_body: body, url },
    response: { binary: false, body: answer, headers: TYPE, status_code: 200, type: 'ok' },
  })),
  each('req_cassette', 'interactions', ({ url, json, answer }) => ({
    request: { method: 'POST', uri: url, query_string: '', headers: {}, body_type: 'json', body_json: json },
    response: { status: 200, headers: TYPE, body_type: 'blob', body_blob: base64(answer) },
  })),
  // openai/openai-dotnet, tests/SessionRecords.
  each('the test proxy of Azure', 'Entries', ({ url, json, answer }) => ({
    ...{ RequestUri: url, RequestMethod: 'POST', RequestHeaders: {}, RequestBody: json, StatusCode: 200 },
    ...{ ResponseHeaders: { 'Content-Type': 'text/event-stream' }, ResponseBody: answer.split(/(?<=\n)/) },
  })),
  each('Charles', '', ({ body, answer }) => ({
    ...{ status: 'COMPLETE', method: 'POST', scheme: 'https', host: 'api.openai.com', path: PATH },
    request: { header: { headers: [] }, body: { text: body, charset: 'UTF-8' } },
    response: {
      ...{ status: 200, header: { headers: [{ name: 'content-type', value: 'text/event-stream' }] } },
      body: { encoded: base64(answer) },
    },
  })),
  each('nock', '', ({ json, answer }) => ({
    ...{ scope: 'https://api.openai.com:443', method: 'POST', path: PATH, body: json, status: 200 },
    ...{ response: [Buffer.from(answer).toString('hex')], rawHeaders: ['Content-Type', 'text/event-stream'] },
  })),
  // 0xPlaygrounds/rig, tests/cassettes: a document for each exchange.
  [
    'httpmock',
    'x.yaml',
    (all) =>
      all
        .map(({ body, answer }) => {
          const when = { path: PATH, method: 'POST', header: [], body };
          const type = { name: 'content-type', value: 'text/event-stream' };
          const then = { status: 200, header: [type], body: base64(answer), body_encoding: 'base64' };
          return stringify(Object.fromEntries(Object.entries({ when, then })));
        })
        .join('---\n'),
  ],
  // DataDog/dd-trace-js, packages/dd-trace/test/llmobs/cassettes.
  each('the proxy of Datadog', '', ({ url, body, answer }) => ({
    request: { method: 'POST', url, headers: {}, body },
    response: { status: { code: 200, message: 'OK' }, headers: TYPE, body: `base64:${base64(answer)}` },
  })),
  [
    'talkback',
    'tape.json5',
    (all) =>
      `[${all.map(({ body, answer }) => `{ meta: { host: 'x' }, req: { url: '${PATH}', method: 'POST', headers: {}, body: ${body}, }, res: { status: 200, headers: { 'content-type': ['text/event-stream'] }, body: ${JSON.stringify(answer)}, }, }`).join(',')},]`,
  ],
  // huggingface/huggingface.js, packages/inference/test/tapes.json.
  [
    'tapes by their digests',
    'tapes.json',
    (all) =>
      Object.fromEntries(
        all.map(({ url, body, answer }, index) => [
          `d${index}`,
          { url, init: { method: 'POST', body }, response: { body: answer, status: 200, headers: TYPE } },
        ]),
      ),
  ],
  each('Hoverfly', 'data.pairs', ({ body, answer }) => ({
    request: {
      path: [{ matcher: 'exact', value: PATH }],
      method: [{ matcher: 'exact', value: 'POST' }],
      body: [{ matcher: 'json', value: body }],
    },
    response: { status: 200, body: answer, encodedBody: false, headers: { 'Content-Type': ['text/event-stream'] } },
  })),
  [
    'Mountebank',
    'imposters.json',
    (all) => ({
      imposters: [
        {
          ...{ port: 4545, protocol: 'http' },
          stubs: all.map(({ json, answer }) => ({
            predicates: [{ deepEquals: { method: 'POST', path: PATH, body: json } }],
            responses: [{ is: { statusCode: 200, headers: TYPE, body: answer } }],
          })),
        },
      ],
    }),
  ],
  each('MockServer', '', ({ json, answer }) => ({
    httpRequest: { method: 'POST', path: PATH, body: { type: 'JSON', json } },
    httpResponse: { statusCode: 200, headers: TYPE, body: answer },
  })),
  each('WireMock, with a pattern', 'mappings', ({ json, answer }) => ({
    request: { method: 'POST', urlPathPattern: '/v1/chat/completions.*', bodyPatterns: [{ equalToJson: json }] },
    response: { status: 200, body: answer, headers: TYPE },
  })),
  each('WireMock.Net', '', ({ body, answer }) => ({
    Request: {
      Path: { Matchers: [{ Name: 'WildcardMatcher', Pattern: PATH }] },
      ...{ Methods: ['POST'], Body: { Matcher: { Name: 'JsonMatcher', Pattern: body } } },
    },
    Response: { StatusCode: 200, Body: answer, Headers: TYPE },
  })),
  [
    'Keploy',
    'x.yaml',
    (all) =>
      all
        .map(({ url, body, answer }) =>
          stringify({
            kind: 'Http',
            spec: {
              req: { method: 'POST', url, header: {}, body },
              resp: { status_code: 200, header: TYPE, body: answer },
            },
          }),
        )
        .join('---\n'),
  ],
  each('Postman', 'item', ({ url, body, answer }) => ({
    request: { method: 'POST', url: { raw: url }, body: { mode: 'raw', raw: body } },
    response: [
      { code: 200, status: 'OK', header: [{ key: 'Content-Type', value: 'text/event-stream' }], body: answer },
    ],
  })),
  [
    'a proxy, one a line, below a path of its own',
    'x.jsonl',
    (all) =>
      lines(
        all.map(({ json, answer }) => ({
          request: { url: 'http://proxy/team/openai/chat/completions', body: json },
          response: { status_code: 200, headers: TYPE, body: answer },
        })),
      ),
  ],
  [
    'claude-trace',
    'x.jsonl',
    (all) =>
      lines(
        all.map(({ url, json, answer }) => ({
          request: { method: 'POST', url, body: json },
          response: { status_code: 200, headers: TYPE, body_raw: answer },
          logged_at: 'x',
        })),
      ),
  ],
  each('a proxy with the fields side by side', 'entries', ({ url, body, answer }) => ({
    ...{ request_method: 'POST', request_url: url, request_headers: '{}', request_body: body, response_status: 200 },
    ...{ response_headers: JSON.stringify(TYPE), response_body: answer },
  })),
  each('a gateway in camel case', '', ({ url, json, answer }) => ({
    targetUrl: url,
    requestBody: json,
    responseBody: answer,
    responseHeaders: TYPE,
    statusCode: 200,
  })),
  each("Google's test-server", 'interactions', ({ url, json, answer }) => ({
    request: { method: 'POST', url: new URL(url).pathname, headers: {}, bodySegments: [json] },
    response: {
      ...{ statusCode: 200, headers: { 'Content-Type': 'text/event-stream' } },
      bodySegments: [...answer.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => JSON.parse(data)),
    },
  })),
  each('a recorder of chunks', 'recordings', ({ url, json, answer }) => ({
    request: { url, method: 'POST', body: json },
    response: { status: 200, headers: TYPE, chunks: answer.split(/(?<=\n\n)/), isStreaming: true },
  })),
];

it.each(FORMS)('%s becomes the scenario of the cassette', async (_tool, file, content) => {
  const converted = await convertForeignFiles([await write(file, content(await recorded()))]);
  expect(converted.notes).toEqual([]);
  expect(converted).toEqual(await convertForeignFiles([CASSETTE]));
});

const ASKED = { model: 'gpt-5', messages: [{ role: 'user', content: 'Name a colour.' }] };
const ANSWERED = {
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Grün 🙂' }, finish_reason: 'stop' }],
};
const CLAUDE = {
  asked: { model: 'claude-sonnet-4-5', max_tokens: 9, messages: ASKED.messages },
  answered: {
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: 'Grün 🙂' }],
    stop_reason: 'end_turn',
  },
};
const shortOf = ({ scenarios }: Awaited<ReturnType<typeof convertForeignFiles>>) =>
  scenarios.map(({ trigger, steps }) => [
    trigger,
    ...steps.map((step) => ('response' in step ? step.response.content : 'intent')),
  ]);

describe('bodies without an address', () => {
  it.each<readonly [string, object]>([
    ['of a request and its answer', { request: ASKED, response: ANSWERED }],
    ['of Claude', { request: CLAUDE.asked, response: CLAUDE.answered }],
    ['in input and output', { input: ASKED, output: ANSWERED }],
    ['as texts', { request_body: JSON.stringify(ASKED), response_body: JSON.stringify(ANSWERED) }],
    [
      'of llm',
      { model: 'gpt-5', prompt: 'Name a colour.', prompt_json: ASKED, response: 'Grün 🙂', response_json: ANSWERED },
    ],
  ])('%s are read by their form', async (_name, entry) => {
    expect(shortOf(await convertForeignFiles([await write('bodies.json', [entry])]))).toEqual([
      ['Name a colour.', 'Grün 🙂'],
    ]);
  });
});

describe('answers to any request', () => {
  it.each<readonly [string, object]>([
    [
      'Mockoon',
      {
        routes: [
          {
            method: 'post',
            endpoint: 'v1/chat/completions',
            responses: [{ body: JSON.stringify(ANSWERED), statusCode: 200 }],
          },
        ],
      },
    ],
    [
      'WireMock',
      { mappings: [{ request: { method: 'POST', urlPath: PATH }, response: { status: 200, jsonBody: ANSWERED } }] },
    ],
    [
      'the recorder of responses',
      {
        responses: [
          { response: { body: JSON.stringify(ANSWERED), method: 'POST', status: 200, url: `https://h${PATH}` } },
        ],
      },
    ],
  ])('of %s get a scenario for the protocol', async (_tool, content) => {
    const converted = await convertForeignFiles([await write('any.json', content)]);
    expect([shortOf(converted), converted.prompts]).toEqual([[[{ protocol: 'openai-chat' }, 'Grün 🙂']], []]);
  });
});

describe('several files', () => {
  const entry = (content: string) => ({
    url: PATH,
    request: { body: { ...ASKED, messages: [{ role: 'user', content }] } },
    response: { body: ANSWERED },
  });

  it('and those of a directory are one story, and other files of it are named', async () => {
    const one = await write('folder/trip_2.json', entry('Name a second.'));
    await write('folder/trip_10.json', entry('Name a tenth.'));
    await write('folder/package.json', { name: 'x' });
    await write('folder/__files/body.json', ANSWERED);
    const fixtures = await write('aimock.json', {
      fixtures: [{ match: { userMessage: 'hello' }, response: { content: 'Hi.' } }],
    });
    const { prompts, notes, scenarios } = await convertForeignFiles([path.dirname(one), fixtures]);
    expect(scenarios.map(({ trigger }) => trigger)).toEqual(['Name a second.', 'Name a tenth.', 'hello']);
    expect(prompts).toEqual(['Name a second.', 'Name a tenth.']);
    expect(notes).toEqual([expect.stringContaining('package.json is not a recording of a known kind')]);
  });

  it('continue each other, as those of ReqLLM, also with the results without ids that Z.AI accepts', async () => {
    // agentjido/req_llm, test/support/fixtures/zai/glm_4_6/tool_round_trip_1.json and _2.json.
    const model = 'glm-4.6';
    const call = {
      id: 'call_-8253038832864651747',
      type: 'function',
      function: { name: 'add', arguments: '{"a":2,"b":3}' },
    };
    const prompt = { role: 'user', content: 'Use the add tool to compute 2 + 3.' };
    const answer = (message: object, finish_reason: string) => ({
      choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
      model,
    });
    const url = 'https://api.z.ai/api/paas/v4/chat/completions';
    const messages = [prompt, { role: 'assistant', content: [], tool_calls: [call] }, { role: 'tool', content: '5' }];
    const files = await Promise.all([
      write('trip_1.json', {
        request: { url, body: { b64: base64(JSON.stringify({ model, messages: [prompt] })) } },
        response: { body: answer({ content: '', tool_calls: [call] }, 'tool_calls'), status: 200 },
      }),
      write('trip_2.json', {
        request: { url, body: { b64: base64(JSON.stringify({ model, messages })) } },
        response: { body: answer({ content: 'sum=5' }, 'stop'), status: 200 },
      }),
    ]);
    const { scenarios, notes } = await convertForeignFiles(files);
    expect([scenarios.map(({ steps }) => steps.length), notes]).toEqual([[2], []]);
  });
});

it('takes the bodies that Playwright keeps in files beside the recording, and none elsewhere', async () => {
  const convert = async (file: string) => {
    const entry = {
      request: { method: 'POST', url: `https://h${PATH}`, postData: { text: JSON.stringify(ASKED) } },
      response: { status: 200, content: { mimeType: 'application/json', _file: file } },
    };
    return convertForeignFiles([await write('playwright/x.har', below('log.entries', [entry]))]);
  };
  await write('playwright/abc.json', ANSWERED);
  await write('outside.json', ANSWERED);
  expect(shortOf(await convert('abc.json'))).toEqual([['Name a colour.', 'Grün 🙂']]);
  expect(shortOf(await convert('../outside.json'))).toEqual([]);
});

it.each<readonly [string, { decode(bytes: Uint8Array): string }]>([
  // Written by Chromium 156 for a stream of Gemini, whose type has no charset, and by mitmproxy 11 for curl.
  ['as windows-1252', new TextDecoder('windows-1252')],
  ['as Latin-1', { decode: (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1') }],
  ['as UTF-8', new TextDecoder()],
])('reads texts of a HAR that were written %s', async (_how, decoder) => {
  const written = (text: string) => decoder.decode(Buffer.from(text));
  const body = written(JSON.stringify({ ...ASKED, messages: [{ role: 'user', content: 'Name a colour – 漢.' }] }));
  const entry = {
    request: { method: 'POST', url: `https://h${PATH}`, postData: { mimeType: 'text/plain', text: body } },
    response: { status: 200, content: { mimeType: 'text/plain', text: written(JSON.stringify(ANSWERED)) } },
  };
  const converted = await convertForeignFiles([await write('misread/x.har', below('log.entries', [entry]))]);
  expect(shortOf(converted)).toEqual([['Name a colour – 漢.', 'Grün 🙂']]);
});
