import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';
import { answerEmbedding, embeddingOf } from '../../../../mock-llm-server/wire/embeddings.ts';
import { scenarioSet } from '../../../support/stories/builders.ts';

const distance = (one: string, other: string): number => {
  const [a, b] = [embeddingOf(one, 64), embeddingOf(other, 64)];
  return 1 - a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
};

describe('an embedding', () => {
  it('is a vector of length 1, the same for equal texts', () => {
    const vector = embeddingOf('A cat sleeps.', 64);
    expect(vector).toHaveLength(64);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 6);
    expect(embeddingOf('A cat sleeps.', 64)).toEqual(vector);
  });

  it('is nearer to that of a text with equal words', () => {
    expect(distance('the cat sleeps', 'a cat sleeps')).toBeLessThan(distance('the cat sleeps', 'budget of 2026'));
  });

  it.each(['', '!?', '…'])('exists for a text without words: %j', (text) => {
    expect(Math.hypot(...embeddingOf(text, 4))).toBeCloseTo(1, 6);
  });
});

describe('a request for embeddings', () => {
  const scenarios = scenarioSet({ scenarios: [{ name: 'a', trigger: 'a', steps: [{ response: { content: 'a' } }] }] });
  const app = createMockServer({ scenarios });
  const Vector = z.array(z.number());
  const DataSchema = z.object({ data: z.array(z.object({ embedding: z.union([Vector, z.string()]) })) });

  // The official clients: openai 3.57 (base64), ollama 0.6.3, google-genai 3.6.1.
  it.each([
    ['a text', 'cat', 1],
    ['texts', ['cat', 'dog'], 2],
    ['tokens', [1, 2], 1],
    ['lists of tokens', [[1, 2], [3]], 2],
    ['2,048 texts', new Array(2048).fill('a'), 2048],
    ['8,192 tokens', [new Array(8192).fill(1)], 1],
  ])('of OpenAI takes %s', async (_what, input, count) => {
    const body = JSON.stringify({ model: 'text-embedding-3-small', input });
    const answer = await app.request('/v1/embeddings', { method: 'POST', body });
    expect(DataSchema.parse(await answer.json()).data).toHaveLength(count);
  });

  // https://github.com/embeddings-benchmark/mteb/issues/1200, https://github.com/HKUDS/DeepTutor/issues/521,
  // https://github.com/Fergana-Labs/stash/pull/268, https://github.com/langchain-ai/langchain/issues/31227
  it.each([
    ['an empty text', ['a', ''], "'$.input' is invalid."],
    ['no texts', [], "'$.input' is invalid."],
    ['2,049 texts', new Array(2049).fill('a'), "'$.input' is invalid."],
    ['a long text', ['a', 'word '.repeat(20_000)], "Invalid 'input[1]': maximum input length is 8192 tokens."],
    ['8,193 tokens', new Array(8193).fill(1), "Invalid 'input[0]': maximum input length is 8192 tokens."],
    [
      'many tokens',
      new Array(40).fill(new Array(8000).fill(1)),
      'Requested 320000 tokens, max 300000 tokens per request',
    ],
  ])('of OpenAI is refused for %s, by the models of OpenAI alone', async (_what, input, message) => {
    const send = (model: string) =>
      app.request('/v1/embeddings', { method: 'POST', body: JSON.stringify({ model, input }) });
    const refused = await send('text-embedding-3-large');
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining(message)]);
    expect((await send('nomic-embed-text')).status).toBe(200);
  });

  it('of OpenAI can be answered in base64 and with other dimensions', () => {
    const body = JSON.stringify({ model: 'm', input: 'cat', dimensions: 8, encoding_format: 'base64' });
    const { data } = DataSchema.parse({
      data: [],
      ...z.object({ body: z.looseObject({}) }).parse(answerEmbedding('openai', { path: '/v1/embeddings', body })).body,
    });
    const bytes = Buffer.from(z.string().parse(data[0]?.embedding), 'base64');
    expect([...new Float32Array(new Uint8Array(bytes).buffer)]).toEqual(embeddingOf('cat', 8));
  });

  it.each([
    ['/api/embed', { model: 'm', input: ['a', 'b'] }, { embeddings: [embeddingOf('a', 64), embeddingOf('b', 64)] }],
    ['/api/embed', { model: 'm' }, { embeddings: [] }],
    ['/api/embeddings', { model: 'm', prompt: 'a' }, { embedding: embeddingOf('a', 64) }],
    ['/openai/deployments/d/embeddings', { input: 'a' }, { model: 'd' }],
    [
      '/v1beta1/projects/p/locations/global/publishers/google/models/e:embedContent',
      { content: { parts: [{ text: 'a' }] } },
      { embedding: { values: embeddingOf('a', 64) } },
    ],
    // Recorded by googleapis/js-genai@6e9b35c45e, Client_Tests_embedContent_Vertex_AI.
    [
      '/v1beta1/projects/p/locations/l/publishers/google/models/text-embedding-004:predict',
      { instances: [{ content: 'Hello world' }, { content: '', task_type: 'RETRIEVAL_QUERY' }] },
      {
        predictions: [
          { embeddings: { statistics: { truncated: false, token_count: 3 }, values: embeddingOf('Hello world') } },
          { embeddings: { statistics: { truncated: false, token_count: 0 }, values: embeddingOf('') } },
        ],
        metadata: { billableCharacterCount: 10 },
      },
    ],
    [
      '/v1/publishers/google/models/text-embedding-005:predict',
      { instances: [{ content: 'a' }], parameters: { outputDimensionality: 8, autoTruncate: true } },
      { predictions: [{ embeddings: expect.objectContaining({ values: embeddingOf('a', 8) }) }] },
    ],
    [
      '/v1beta/models/e:embedContent',
      { content: { parts: [{ text: 'a' }] } },
      { embedding: { values: embeddingOf('a', 64) } },
    ],
    [
      '/v1beta/models/e:batchEmbedContents',
      { requests: [{ content: { parts: [{ text: 'a' }, {}] }, output_dimensionality: 8 }] },
      { embeddings: [{ values: embeddingOf('a\n', 8) }] },
    ],
  ])('%s %j', async (path, sent, body) => {
    const answer = await app.request(path, { method: 'POST', body: JSON.stringify(sent) });
    expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining(body)]);
  });

  it.each([
    ['openai', '{', 'at position'],
    ['openai', '{"model": "m", "input": 3}', "Invalid value for 'input'"],
    ['openai', '3', "Invalid value for 'input'"],
    ['gemini', '{}', "Invalid value for 'content'"],
    ['vertex', '{"instances": [{"prompt": "a cat"}]}', "Invalid value for 'instances.0.content'"],
  ] as const)('of %s that cannot be read is refused: %s', (endpoint, body, message) => {
    expect(answerEmbedding(endpoint, { path: '/v1/embeddings', body })).toMatchObject({
      status: 400,
      message: expect.stringContaining(message),
    });
  });
});

describe('a request that pulls a model of Ollama', () => {
  const scenarios = scenarioSet({ scenarios: [{ name: 'a', trigger: 'a', steps: [{ response: { content: 'a' } }] }] });
  const app = createMockServer({ scenarios });
  it.each([
    [{ model: 'm' }, 200, '{"status":"pulling manifest"}\n{"status":"success"}\n'],
    [{ name: 'm', stream: false }, 200, '{"status":"success"}'],
    [{}, 400, '{"error":"model is required"}'],
  ])('%j', async (body, status, text) => {
    const answer = await app.request('/api/pull', { method: 'POST', body: JSON.stringify(body) });
    expect([answer.status, await answer.text()]).toEqual([status, text]);
  });
});
