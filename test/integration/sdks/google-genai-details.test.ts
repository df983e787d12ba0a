import { type Content, type FunctionCall, GoogleGenAI, type Part } from '@google/genai';
import { describe, expect, it } from 'vitest';
import { PLAYED, serveScenarios, TWO_READS } from '../../support/wires/serve-scenarios.ts';

const served = serveScenarios([
  TWO_READS,
  {
    name: 'thoughtful',
    trigger: 'think first',
    steps: [
      { response: { reasoning: 'They want – 漢字 🙂.', tool_calls: [{ name: 'read_file' }] } },
      { response: { reasoning: 'Enough.', content: 'I have thought.' } },
    ],
  },
]);

const clientOf = (apiVersion?: string) =>
  new GoogleGenAI({
    apiKey: 'unused',
    httpOptions: { baseUrl: served.url, ...(apiVersion !== undefined && { apiVersion }) },
  });

const ask = (contents: string | Content[], model = 'gemini-3-pro') => ({ model, contents });

/** The result of a call as in the documentation: with the id of the call, if it has one. */
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
  // It sends each piece of a stream back as a content of its own: the text, and then the calls.
  it.each(['gemini-2.5-flash', 'gemini-3-pro'])(
    'calls functions after streamed text by itself, of %s',
    async (model) => {
      const names = ['read_file', 'write_file'];
      const tool = {
        tool: async () => ({ functionDeclarations: names.map((name) => ({ name, parametersJsonSchema: {} })) }),
        callTool: async (calls: FunctionCall[]) => calls.map(resultOf),
      };
      let text = '';
      const request = { ...ask('please read both', model), config: { tools: [tool] } };
      for await (const chunk of await clientOf().models.generateContentStream(request)) text += chunk.text ?? '';
      expect(text).toBe('I read both – 漢字 🙂.Both are read.');
      expect(served.answers()).toEqual(PLAYED);
    },
  );

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
    expect(served.lines()).toHaveLength(3);
  });

  it('keeps thoughts and their signatures in a chat', async () => {
    const config = { thinkingConfig: { includeThoughts: true } };
    const chat = clientOf().chats.create({ model: 'gemini-3-pro', config });
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
});
