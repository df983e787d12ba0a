import {
  ApiError,
  type Content,
  type GenerateContentResponse,
  GoogleGenAI,
  type GoogleGenAIOptions,
} from '@google/genai';
import { expect } from 'vitest';
import * as z from 'zod';
import { OFFERED_TOOLS, type SdkAnswer, type SdkClient, type SdkError, type SdkUnderTest } from './sdk-under-test.ts';

const model = 'gemini-3-pro';
const tools = [
  { functionDeclarations: OFFERED_TOOLS.map(({ name, schema }) => ({ name, parametersJsonSchema: schema })) },
];
// This SDK puts the body of an error into the message.
const RetrySchema = z.object({ error: z.object({ details: z.array(z.looseObject({})) }) });
const DelaySchema = z.object({ retryDelay: z.string().regex(/^\d+s$/) });
const errorOf = (code: number, status: string): SdkError => [
  ApiError,
  { status: code, message: expect.stringMatching(new RegExp(`"code":${code}\\b.*"status":"${status}"`)) },
];

const thinkingConfig = { includeThoughts: true };

function clientOf({ models }: GoogleGenAI): SdkClient {
  const body = (prompt: string) => {
    const contents: Content[] = [{ role: 'user', parts: [{ text: prompt }] }];
    return { model, contents };
  };
  return {
    generate: async (prompt) =>
      answerOf([await models.generateContent({ ...body(prompt), config: { tools, thinkingConfig } })]),
    async stream(prompt, { onText, signal } = {}) {
      const chunks: GenerateContentResponse[] = [];
      const config = { tools, thinkingConfig, ...(signal !== undefined && { abortSignal: signal }) };
      for await (const chunk of await models.generateContentStream({ ...body(prompt), config })) {
        chunks.push(chunk);
        const { text } = answerOf([chunk]);
        if (text !== '') onText?.(text);
      }
      return answerOf(chunks);
    },
    async play(prompt, result) {
      const { contents } = body(prompt);
      for (;;) {
        const response = await models.generateContent({ model, contents, config: { tools } });
        const calls = response.functionCalls ?? [];
        if (calls.length === 0) return answerOf([response]).text;
        const results = calls.map(({ id = '', name = '' }) => ({
          functionResponse: { id, name, response: { output: result } },
        }));
        contents.push(...(response.candidates ?? []).flatMap(({ content }) => content ?? []));
        contents.push({ role: 'user', parts: results });
      }
    },
    async object(prompt, schema) {
      const config = { responseMimeType: 'application/json', responseJsonSchema: schema };
      return JSON.parse(answerOf([await models.generateContent({ ...body(prompt), config })]).text);
    },
    async models() {
      const names: (string | undefined)[] = [];
      for await (const { name } of await models.list()) names.push(name);
      return names;
    },
    statusOf: (error) => (error instanceof ApiError ? error.status : undefined),
    retryAfterOf(error) {
      if (!(error instanceof ApiError)) return undefined;
      const { details } = RetrySchema.parse(JSON.parse(error.message)).error;
      return details
        .map((detail) => Number.parseInt(DelaySchema.safeParse(detail).data?.retryDelay ?? '', 10))
        .find(Number.isInteger);
    },
  };
}

function answerOf(chunks: readonly GenerateContentResponse[]): SdkAnswer {
  const parts = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []);
  const thoughts = parts.flatMap(({ thought, text }) => (thought === true && text !== undefined ? [text] : []));
  const usage = chunks.at(-1)?.usageMetadata;
  return {
    reasoning: thoughts.length > 0 ? thoughts.join('') : undefined,
    text: parts.map(({ thought, text }) => (thought === true ? '' : (text ?? ''))).join(''),
    calls: parts.flatMap(({ functionCall }) =>
      functionCall === undefined ? [] : [{ name: functionCall.name ?? '', input: functionCall.args }],
    ),
    usage: {
      input: usage?.promptTokenCount,
      output: (usage?.candidatesTokenCount ?? Number.NaN) + (usage?.thoughtsTokenCount ?? 0),
    },
  };
}

const ERRORS: SdkUnderTest['errors'] = {
  400: errorOf(400, 'INVALID_ARGUMENT'),
  401: errorOf(401, 'UNAUTHENTICATED'),
  403: errorOf(403, 'PERMISSION_DENIED'),
  404: errorOf(404, 'NOT_FOUND'),
  408: errorOf(408, 'DEADLINE_EXCEEDED'),
  413: errorOf(413, 'INVALID_ARGUMENT'),
  429: errorOf(429, 'RESOURCE_EXHAUSTED'),
  500: errorOf(500, 'INTERNAL'),
  502: errorOf(502, 'UNAVAILABLE'),
  503: errorOf(503, 'UNAVAILABLE'),
  529: errorOf(503, 'UNAVAILABLE'),
};

function genAiSdk(name: string, credentials: GoogleGenAIOptions): SdkUnderTest {
  return {
    name,
    protocol: 'gemini',
    errors: ERRORS,
    aborted: expect.objectContaining({ name: 'AbortError' }),
    open(url, { maxRetries, ...options }) {
      const retryOptions = { attempts: maxRetries + 1, initialDelay: 0.001 };
      return clientOf(new GoogleGenAI({ ...credentials, httpOptions: { baseUrl: url, retryOptions, ...options } }));
    },
  };
}

/** The form of credentials that the client asks for headers; nothing reaches an account. */
const authClient = Object({ getRequestHeaders: async () => new Headers({ authorization: 'Bearer unused' }) });

/** The SDKs of this library for Gemini, at both of its services. */
export const GOOGLE_GENAI_SDKS: readonly SdkUnderTest[] = [
  genAiSdk('@google/genai', { apiKey: 'unused' }),
  genAiSdk('@google/genai, Vertex AI', {
    vertexai: true,
    project: 'p',
    location: 'us-central1',
    googleAuthOptions: { authClient },
  }),
];
