import { ApiError, type Content, type FunctionCall, GoogleGenAI, type Part, Type } from '@google/genai';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type MockLlm, startMockLlm } from '../../mock-llm-server/testing.ts';
import { gemini } from '../../mock-llm-server/wire/gemini.ts';
import { encodeGeminiFrames } from '../../mock-llm-server/wire/gemini-reply.ts';
import { anyReply, chunkedResponse } from '../support/any-reply.ts';
import { propertySettings } from '../support/property.ts';

const awkward = { path: 'a "b"/ü.txt', content: '漢字 🙂 \\ \n</tag>' };
const FAILURES = [
  [400, 'INVALID_ARGUMENT'],
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [408, 'DEADLINE_EXCEEDED'],
  [413, 'INVALID_ARGUMENT'],
  [429, 'RESOURCE_EXHAUSTED'],
  [500, 'INTERNAL'],
  [502, 'UNAVAILABLE'],
  [503, 'UNAVAILABLE'],
] as const;
const person = {
  type: Type.OBJECT,
  properties: { name: { type: Type.STRING }, age: { type: Type.INTEGER } },
  required: ['name', 'age'],
};
const scenarios = [
  {
    name: 'two-reads',
    trigger: 'read both',
    steps: [
      {
        response: {
          content: 'I read both – 漢字 🙂.',
          tool_calls: [
            { name: 'read_file', arguments: { path: 'a.txt' } },
            { name: 'read_file', arguments: awkward },
          ],
        },
      },
      { response: { tool_calls: [{ name: 'write_file', arguments: awkward }] } },
      { response: { content: 'Both are read.' } },
    ],
  },
  {
    name: 'thoughtful',
    trigger: 'think first',
    steps: [
      { response: { reasoning: 'They want – 漢字 🙂.', tool_calls: [{ name: 'read_file' }] } },
      { response: { reasoning: 'Enough.', content: 'I have thought.' } },
    ],
  },
  { name: 'person', trigger: 'who is it', steps: [{ response: { content: '{"name":"王","age":30}' } }] },
  {
    name: 'endless',
    trigger: 'wait for it',
    steps: [{ response: { content: 'a b c d' }, fault: { stall: 'forever' as const } }],
  },
  {
    name: 'busy',
    trigger: 'be busy once',
    steps: [{ response: { content: 'Now.' }, fault: { status: 429 as const, retry_after: 3, times: 1 } }],
  },
  ...FAILURES.map(([status]) => ({
    name: `failure ${status}`,
    trigger: `fail with ${status}`,
    steps: [{ response: { content: 'Never said.' }, fault: { status } }],
  })),
];

let server: MockLlm;
let before: number;
const clientOf = (apiVersion?: string) =>
  new GoogleGenAI({
    apiKey: 'unused',
    httpOptions: { baseUrl: server.url, ...(apiVersion !== undefined && { apiVersion }) },
  });

beforeAll(async () => {
  server = await startMockLlm({ scenarios });
});
afterAll(() => server.close());
beforeEach(() => {
  before = server.requests.length;
});

const asked = () => server.requests.slice(before);
const ask = (contents: string | Content[], model = 'gemini-3-pro') => ({ model, contents });

/** A call's result as the docs tell to write it: with the id where the call has one. */
function resultOf({ id, name = '' }: FunctionCall): Part {
  return { functionResponse: { ...(id !== undefined && { id }), name, response: { output: 'ok' } } };
}

async function streamed(client: GoogleGenAI, request: { model: string; contents: string | Content[] }) {
  const parts: Part[] = [];
  let last: { finish?: string; total?: number } = {};
  for await (const chunk of await client.models.generateContentStream(request)) {
    parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
    last = {
      ...(chunk.candidates?.[0]?.finishReason !== undefined && { finish: chunk.candidates[0].finishReason }),
      ...(chunk.usageMetadata?.totalTokenCount !== undefined && { total: chunk.usageMetadata.totalTokenCount }),
    };
  }
  return { parts, last };
}

describe('the @google/genai client', () => {
  it('gets an answer with parallel calls', async () => {
    const response = await clientOf().models.generateContent(ask('please read both'));
    expect(response.candidates?.[0]?.content?.parts?.[0]).toEqual({ text: 'I read both – 漢字 🙂.' });
    expect(response.functionCalls).toEqual([
      { id: expect.stringMatching(/^call_two-reads_/), name: 'read_file', args: { path: 'a.txt' } },
      { id: expect.stringMatching(/^call_two-reads_/), name: 'read_file', args: awkward },
    ]);
    expect(response.modelVersion).toBe('gemini-3-pro');
    expect(response.responseId).toMatch(/^[\w-]{23}$/);
    const { promptTokenCount = 0, candidatesTokenCount = 0, totalTokenCount } = response.usageMetadata ?? {};
    expect(promptTokenCount).toBeGreaterThan(0);
    expect(totalTokenCount).toBe(promptTokenCount + candidatesTokenCount);
  });

  it.each(['v1', 'v1beta', 'v1alpha'])('streams the same answer at %s', async (version) => {
    const client = clientOf(version);
    const whole = await client.models.generateContent(ask('please read both'));
    const { parts, last } = await streamed(client, ask('please read both'));
    expect(parts.map(({ text }) => text ?? '').join('')).toBe('I read both – 漢字 🙂.');
    expect(parts.flatMap(({ functionCall }) => functionCall ?? [])).toEqual(whole.functionCalls);
    expect(last).toEqual({ finish: 'STOP', total: whole.usageMetadata?.totalTokenCount });
  });

  it.each([
    ['gemini-3-pro', false],
    ['gemini-3-pro', true],
    ['gemini-2.5-flash', false],
    ['gemini-2.5-flash', true],
  ])('plays a story to its end (%s, streaming: %s)', async (model, streaming) => {
    const contents: Content[] = [{ role: 'user', parts: [{ text: 'please read both' }] }];
    const said: string[] = [];
    for (let turn = 0; turn < 5; turn++) {
      const request = ask(contents, model);
      const parts = streaming
        ? (await streamed(clientOf(), request)).parts
        : ((await clientOf().models.generateContent(request)).candidates?.[0]?.content?.parts ?? []);
      const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
      expect(calls.every(({ id }) => (id === undefined) === (model === 'gemini-2.5-flash'))).toBe(true);
      said.push(parts.map(({ text }) => text ?? '').join(''));
      if (calls.length === 0) break;
      contents.push({ role: 'model', parts }, { role: 'user', parts: calls.map(resultOf).reverse() });
    }
    expect(said).toEqual(['I read both – 漢字 🙂.', '', 'Both are read.']);
    expect(asked()).toHaveLength(3);
  });

  it('keeps thoughts and their signatures in a chat', async () => {
    const chat = clientOf().chats.create({ model: 'gemini-3-pro' });
    const first = await chat.sendMessage({ message: 'think first' });
    expect(first.candidates?.[0]?.content?.parts).toEqual([
      { text: 'They want – 漢字 🙂.', thought: true },
      { functionCall: expect.objectContaining({ name: 'read_file' }), thoughtSignature: expect.any(String) },
    ]);
    const second = await chat.sendMessage({ message: (first.functionCalls ?? []).map(resultOf) });
    expect(second.text).toBe('I have thought.');
    const { thoughtsTokenCount, candidatesTokenCount, promptTokenCount, totalTokenCount } = second.usageMetadata ?? {};
    expect(thoughtsTokenCount).toBeGreaterThan(0);
    expect((thoughtsTokenCount ?? 0) + (candidatesTokenCount ?? 0) + (promptTokenCount ?? 0)).toBe(totalTokenCount);
  });

  it('gets the answer of a scenario as the JSON it asked for, and an instance where none answers', async () => {
    const config = { responseMimeType: 'application/json', responseSchema: person };
    const told = await clientOf().models.generateContent({ ...ask('who is it'), config });
    expect(told.text).toBe('{"name":"王","age":30}');
    const made = await clientOf().models.generateContent({ ...ask('somebody else'), config });
    expect(JSON.parse(made.text ?? '')).toEqual({ name: expect.any(String), age: expect.any(Number) });
  });

  it('counts tokens and lists models', async () => {
    const client = clientOf();
    const { totalTokens } = await client.models.countTokens(ask('please read both'));
    const { usageMetadata } = await client.models.generateContent(ask('please read both'));
    expect(totalTokens).toBe(usageMetadata?.promptTokenCount);
    const names: (string | undefined)[] = [];
    for await (const model of await client.models.list()) names.push(model.name);
    expect(names).toEqual(['models/mock-model']);
    expect(await client.models.get({ model: 'gemini-3-pro' })).toMatchObject({ name: 'models/gemini-3-pro' });
  });

  it.each(FAILURES)('gets a %i as %s after one request, streaming or not', async (status, name) => {
    const client = clientOf();
    const request = ask(`fail with ${status}`);
    const failures = [
      await client.models.generateContent(request).catch((error) => error),
      await client.models.generateContentStream(request).catch((error) => error),
    ];
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(ApiError);
      expect(failure.status).toBe(status);
      expect(JSON.parse(failure.message)).toMatchObject({ error: { code: status, status: name } });
    }
    expect(asked()).toHaveLength(2);
  });

  it('says when to try again', async () => {
    const failure = await clientOf()
      .models.generateContent(ask('be busy once'))
      .catch((error) => error);
    expect(JSON.parse(failure.message).error.details).toContainEqual({
      '@type': 'type.googleapis.com/google.rpc.RetryInfo',
      retryDelay: '3s',
    });
    expect((await clientOf().models.generateContent(ask('be busy once'))).text).toBe('Now.');
  });

  it('sees a miss and a call without a result', async () => {
    const miss = await clientOf()
      .models.generateContent(ask('raed btoh'))
      .catch((error) => error);
    expect(miss.status).toBe(400);
    expect(miss.message).toContain('read both');
    const contents: Content[] = [
      { role: 'user', parts: [{ text: 'read both' }] },
      { role: 'model', parts: [{ functionCall: { id: 'a', name: 'x' }, thoughtSignature: 'c2ln' }] },
    ];
    const unpaired = await clientOf()
      .models.generateContent(ask(contents))
      .catch((error) => error);
    expect(JSON.parse(unpaired.message).error.message).toMatch(
      /^Please ensure that the number of function response parts/,
    );
  });

  it('leaves a stream that stands still', async () => {
    const leaving = new AbortController();
    const config = { abortSignal: leaving.signal };
    const texts: (string | undefined)[] = [];
    const read = async () => {
      for await (const chunk of await clientOf().models.generateContentStream({ ...ask('wait for it'), config })) {
        texts.push(chunk.text);
        leaving.abort();
      }
    };
    await expect(read()).rejects.toMatchObject({ name: 'AbortError' });
    expect(texts[0]).toBe('a');
    expect((await clientOf().models.generateContent(ask('who is it'))).text).toContain('王');
  });
});

describe('a stream cut anywhere into chunks', () => {
  it('is the same answer', async () => {
    await fc.assert(
      fc.asyncProperty(anyReply, fc.integer({ min: 1, max: 700 }), async (reply, size) => {
        const body = encodeGeminiFrames(reply, false)
          .map(({ bytes }) => bytes)
          .join('');
        const respond = async () => chunkedResponse(body, size, gemini.streamType);
        const client = new GoogleGenAI({ apiKey: 'unused', httpOptions: { baseUrl: server.url, fetch: respond } });
        const { parts, last } = await streamed(client, ask('x'));
        const textOf = (thought: boolean) =>
          parts.map((part) => (Boolean(part.thought) === thought ? (part.text ?? '') : '')).join('');
        expect([textOf(true), textOf(false)]).toEqual([reply.reasoning, reply.content]);
        expect(parts.flatMap(({ functionCall }) => functionCall ?? [])).toEqual(
          reply.toolCalls.map((call) => ({ id: call.id, name: call.name, args: JSON.parse(call.arguments) })),
        );
        expect(last).toEqual({ finish: 'STOP', total: 44 });
      }),
      propertySettings(40),
    );
  });
});
