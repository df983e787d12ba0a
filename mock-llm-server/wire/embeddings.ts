import { createHash } from 'node:crypto';
import * as z from 'zod';
import { estimateTokens } from '../conversation/estimate-tokens.ts';
import { isJsonObject } from '../conversation/json.ts';
import { errorText } from '../text.ts';
import { badRequest, parseBody } from './body.ts';
import type { WireError, WireRequest, WireResponse } from './wire.ts';

// Agents with a memory ask for embeddings. The vectors are small, and texts with equal words are near each other.

/** Number of dimensions of a vector, unless the request states another. */
const DIMENSIONS = 64;
const MAX_DIMENSIONS = 8192;

/** A vector of length 1 for a text, the same in any process: each word adds its direction. Pure. */
export function embeddingOf(text: string, dimensions = DIMENSIONS): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  for (const word of words.length > 0 ? words : [text]) {
    const bytes = createHash('sha256').update(word).digest();
    for (let offset = 0; offset < bytes.length; offset += 4) {
      const index = bytes.readUInt16BE(offset) % dimensions;
      vector[index] = (vector[index] ?? 0) + (bytes.readInt16BE(offset + 2) < 0 ? -1 : 1);
    }
  }
  const length = Math.hypot(...vector);
  if (length === 0) vector[0] = 1;
  return vector.map((value) => Math.fround(value / (length || 1)));
}

const Texts = z.union([z.string(), z.array(z.string())]);
const Tokens = z.array(z.number());
/** The number of dimensions that a request states. */
export const DimensionsSchema = z.int().min(1).max(MAX_DIMENSIONS).nullish();

/** The texts of an input. A list of tokens is one text. */
function textsOf(input: string | readonly (string | number | readonly number[])[]): string[] {
  if (typeof input === 'string') return [input];
  if (input.length > 0 && input.every((item) => typeof item === 'number')) return [input.join(' ')];
  return input.map((item) => (typeof item === 'object' ? item.join(' ') : String(item)));
}

const OpenAiRequest = z.object({
  model: z.string(),
  input: z.union([Texts, Tokens, z.array(Tokens)]),
  dimensions: DimensionsSchema,
  encoding_format: z.enum(['float', 'base64']).nullish(),
});

const OpenAiSchema = OpenAiRequest.transform(({ model, input, dimensions, encoding_format: format }) => {
  const texts = textsOf(input);
  const tokens = tokensOf(texts);
  const data = texts.map((text, index) => {
    const vector = embeddingOf(text, dimensions ?? DIMENSIONS);
    const bytes = Buffer.from(Float32Array.from(vector).buffer);
    // The Python client asks for base64.
    return { object: 'embedding', index, embedding: format === 'base64' ? bytes.toString('base64') : vector };
  });
  return { object: 'list', data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } };
});

/** An estimate is off by less. */
const MARGIN = 1.25;

/**
 * The error of OpenAI's models for inputs that are empty, too many or too long: embeddings-benchmark/mteb#1200,
 * HKUDS/DeepTutor#521, langchain-ai/langchain#31227.
 */
function refusedInput(json: unknown): WireError | undefined {
  const { model = '', input = '' } = OpenAiRequest.safeParse(json).data ?? {};
  if (!/^(?:openai\/)?text-embedding-(?:3-|ada-)/.test(model)) return undefined;
  const inputs = typeof input === 'string' || typeof input[0] === 'number' ? [input] : input;
  const sizes = inputs.map((each) => (typeof each === 'string' ? estimateTokens(each) / MARGIN : Object(each).length));
  const isWrong = sizes.length > 2048 || sizes.length === 0 || sizes.includes(0);
  if (isWrong)
    return badRequest(
      "'$.input' is invalid. Please check the API reference: https://platform.openai.com/docs/api-reference.",
    );
  const long = sizes.findIndex((size) => size > 8192);
  if (long !== -1) return badRequest(`Invalid 'input[${long}]': maximum input length is 8192 tokens.`);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total <= 300_000) return undefined;
  return badRequest(`Requested ${Math.ceil(total)} tokens, max 300000 tokens per request`);
}

const OllamaSchema = z
  .object({ model: z.string(), input: Texts.default(''), dimensions: DimensionsSchema })
  .transform(({ model, input, dimensions }) => {
    // An empty input loads the model.
    const texts = input === '' ? [] : textsOf(input);
    return {
      model,
      embeddings: texts.map((text) => embeddingOf(text, dimensions ?? DIMENSIONS)),
      total_duration: 1_000_000,
      load_duration: 500_000,
      prompt_eval_count: tokensOf(texts),
    };
  });

/** The older endpoint of Ollama. */
const OllamaPromptSchema = z
  .object({ model: z.string(), prompt: z.string().default('') })
  .transform(({ prompt }) => ({ embedding: embeddingOf(prompt, DIMENSIONS) }));

const GeminiValues = z
  .object({
    content: z.object({ parts: z.array(z.object({ text: z.string().nullish() })).default([]) }),
    outputDimensionality: DimensionsSchema,
    output_dimensionality: DimensionsSchema,
    embedContentConfig: z.object({ outputDimensionality: DimensionsSchema }).nullish(),
  })
  .transform(({ content, outputDimensionality, output_dimensionality: snake, embedContentConfig: config }) => {
    const dimensions = outputDimensionality ?? snake ?? config?.outputDimensionality ?? DIMENSIONS;
    return { values: embeddingOf(content.parts.map(({ text }) => text ?? '').join('\n'), dimensions) };
  });

/** `:predict` of Vertex AI: texts with their tokens, and the characters that are paid, without spaces. */
const VertexSchema = z
  .object({
    instances: z.array(z.object({ content: z.string() })),
    parameters: z.object({ outputDimensionality: DimensionsSchema }).nullish(),
  })
  .transform(({ instances, parameters }) => {
    const predictions = instances.map(({ content }) => ({
      embeddings: {
        statistics: { truncated: false, token_count: estimateTokens(content) },
        values: embeddingOf(content, parameters?.outputDimensionality ?? undefined),
      },
    }));
    const characters = instances.map(({ content }) => content.replaceAll(/\s/g, '').length);
    return { predictions, metadata: { billableCharacterCount: characters.reduce((sum, count) => sum + count, 0) } };
  });

/** The endpoints for embeddings: the schema of each reads a body and gives the answer. */
const ENDPOINTS = {
  openai: OpenAiSchema,
  ollama: OllamaSchema,
  'ollama-prompt': OllamaPromptSchema,
  gemini: GeminiValues.transform((embedding) => ({ embedding })),
  'gemini-batch': z.object({ requests: z.array(GeminiValues) }).transform(({ requests }) => ({ embeddings: requests })),
  vertex: VertexSchema,
} as const;

/** The name of such an endpoint. */
export type EmbeddingEndpoint = keyof typeof ENDPOINTS;

/** Answers a request for embeddings. Pure. */
export function answerEmbedding(
  endpoint: EmbeddingEndpoint,
  { path, body }: Pick<WireRequest, 'path' | 'body'>,
): WireResponse | WireError {
  let json: unknown;
  try {
    const [, deployment] = /^\/openai\/deployments\/([^/]+)/.exec(path) ?? [];
    const parsed = parseBody(body);
    json = deployment !== undefined && isJsonObject(parsed) ? { model: deployment, ...parsed } : parsed;
  } catch (error) {
    return badRequest(errorText(error));
  }
  const refused = endpoint === 'openai' ? refusedInput(json) : undefined;
  if (refused !== undefined) return refused;
  const read = ENDPOINTS[endpoint].safeParse(json);
  if (read.success) return { status: 200, body: read.data };
  const [issue] = read.error.issues;
  const param = issue?.path.join('.') || 'input';
  return badRequest(`Invalid value for '${param}': ${issue?.message}.`, param);
}

export function tokensOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0);
}
