import { GoogleGenAI, type GoogleGenAIOptions } from '@google/genai';
import { describe, expect, it } from 'vitest';
import { serveScenarios } from '../../support/wires/serve-scenarios.ts';

const served = serveScenarios([
  { name: 'hello', trigger: 'say hello', steps: [{ response: { content: 'Hello to you.' } }] },
]);

/** The form of credentials from which the client gets headers; no account is used. */
const authClient = { getRequestHeaders: async () => new Headers({ authorization: 'Bearer unused' }) };
const project = { project: 'p', location: 'us-central1', googleAuthOptions: { authClient: Object(authClient) } };

describe.each<[string, GoogleGenAIOptions]>([
  ['a project and a location', { vertexai: true, ...project }],
  ['a key', { vertexai: true, apiKey: 'unused' }],
])('the official client of Gemini at Vertex AI with %s', (_name, options) => {
  const request = { model: 'gemini-3-pro', contents: 'say hello' };
  const models = () => new GoogleGenAI({ ...options, httpOptions: { baseUrl: served.url } }).models;

  it('gets an answer', async () => {
    const { text, modelVersion } = await models().generateContent(request);
    expect([text, modelVersion]).toEqual(['Hello to you.', 'gemini-3-pro']);
  });

  it('gets an answer in pieces', async () => {
    let text = '';
    for await (const piece of await models().generateContentStream(request)) text += piece.text ?? '';
    expect(text).toBe('Hello to you.');
  });

  it('counts tokens', async () => {
    expect((await models().countTokens(request)).totalTokens).toBeGreaterThan(0);
  });

  it.each([
    ['of several texts', 'text-embedding-005', ['a cat', 'a dog'], 2],
    ['of one content, by a newer model', 'gemini-embedding-2', 'a cat', 1],
  ])('gets the embeddings %s', async (_what, model, contents, count) => {
    const { embeddings = [] } = await models().embedContent({ model, contents, config: { outputDimensionality: 16 } });
    expect(embeddings.map(({ values = [] }) => values.length)).toEqual(new Array(count).fill(16));
  });
});
