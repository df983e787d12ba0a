import * as z from 'zod';
import { digestOf } from '../../conversation/ids.ts';
import { badRequest } from '../body.ts';
import { DimensionsSchema, embeddingOf, tokensOf } from '../embeddings.ts';
import type { WireError, WireRequest, WireResponse } from '../wire.ts';
import { isInvokeError, readInvokeObject } from './invoke.ts';

/** Amazon Titan; the first version has no list by type. */
const TitanSchema = z
  .object({ inputText: z.string(), dimensions: DimensionsSchema, first: z.boolean() })
  .transform(({ inputText, dimensions, first }) => {
    const embedding = embeddingOf(inputText, dimensions ?? undefined);
    const byType = first ? {} : { embeddingsByType: { float: embedding } };
    return { embedding, ...byType, inputTextTokenCount: tokensOf([inputText]) };
  });

/** Cohere; version 4, and a request that names types, get the vectors by type. */
const CohereSchema = z
  .object({
    texts: z.array(z.string()),
    output_dimension: DimensionsSchema,
    embedding_types: z.array(z.string()).nullish(),
    byType: z.boolean(),
  })
  .transform(({ texts, output_dimension: dimensions, embedding_types: types, byType }) => {
    const float = texts.map((text) => embeddingOf(text, dimensions ?? undefined));
    const isByType = byType || types !== undefined;
    return {
      id: digestOf('embeddings', JSON.stringify(texts)).slice(0, 36),
      texts,
      embeddings: isByType ? { float } : float,
      response_type: isByType ? 'embeddings_by_type' : 'embeddings_floats',
    };
  });

/** Amazon Nova. */
const NovaSchema = z
  .object({
    taskType: z.string(),
    singleEmbeddingParams: z.object({ text: z.object({ value: z.string() }), embeddingDimension: DimensionsSchema }),
  })
  .transform(({ singleEmbeddingParams: { text, embeddingDimension } }) => {
    return {
      embeddings: [{ embeddingType: 'TEXT', embedding: embeddingOf(text.value, embeddingDimension ?? undefined) }],
    };
  });

/** Answers a request for embeddings in the form of the model's maker. Pure. */
export function answerBedrockEmbedding({ path, body }: Pick<WireRequest, 'path' | 'body'>): WireResponse | WireError {
  const json = readInvokeObject(body);
  if (isInvokeError(json)) return json;
  const first = path.includes('titan-embed-text-v1') || path.includes('titan-embed-g1');
  const byType = path.includes('embed-v4');
  const read = z.union([TitanSchema, CohereSchema, NovaSchema]).safeParse({ ...json, first, byType });
  if (read.success) return { status: 200, body: read.data };
  return badRequest(
    'Malformed input request: #: required key [inputText] not found, please reformat your input and try again.',
  );
}
