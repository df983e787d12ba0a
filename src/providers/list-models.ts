import * as z from 'zod';
import { VERSION_HEADERS } from './anthropic-messages/request.ts';
import { fetchJson } from './http/fetch-json.ts';
import { readerOf } from './http/read-form.ts';
import type { OfferedModel, WireOptions } from './wire-options.ts';
import type { Wire } from './wires.ts';

/** The list of models on a wire. One page has all of them. */
interface ModelList {
  /** The path after the endpoint. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly read: (value: unknown) => readonly OfferedModel[] | Promise<never>;
}

const size = z.number().int().positive().nullish().catch(undefined);

// `context_length` is a field of OpenRouter, `max_context_length` of LM Studio, `max_model_len` of vLLM.
const openAiModel = z
  .object({ id: z.string(), context_length: size, max_context_length: size, max_model_len: size })
  .transform((model) => offered(model.id, model.context_length ?? model.max_context_length ?? model.max_model_len));

/** All servers with the protocols of OpenAI have this list. */
const OPENAI: ModelList = {
  path: '/models',
  read: readerOf(z.object({ data: z.array(openAiModel) }).transform(({ data }) => data)),
};

const anthropicModel = z
  .object({ id: z.string(), max_input_tokens: size })
  .transform((model) => offered(model.id, model.max_input_tokens));

const geminiModel = z.object({
  name: z.string(),
  inputTokenLimit: size,
  supportedGenerationMethods: z.array(z.string()).nullish(),
});

const LISTS: Readonly<Record<Wire, ModelList>> = {
  'openai-chat': OPENAI,
  'openai-responses': OPENAI,
  'anthropic-messages': {
    path: '/v1/models?limit=1000',
    headers: VERSION_HEADERS,
    read: readerOf(z.object({ data: z.array(anthropicModel) }).transform(({ data }) => data)),
  },
  gemini: {
    path: '/models?pageSize=1000',
    read: readerOf(
      z
        .object({ models: z.array(geminiModel).nullish() })
        .transform(({ models }) =>
          (models ?? [])
            .filter(({ supportedGenerationMethods: methods }) => methods?.includes('generateContent') ?? true)
            .map(({ name, inputTokenLimit }) => offered(name.replace(/^models\//, ''), inputTokenLimit)),
        ),
    ),
  },
  'ollama-chat': {
    path: '/api/tags',
    read: readerOf(z.object({ models: z.array(z.object({ name: z.string() })) }).transform(({ models }) => models)),
  },
};

function offered(name: string, contextWindow: number | null | undefined): OfferedModel {
  return typeof contextWindow === 'number' ? { name, contextWindow } : { name };
}

/**
 * The models that a provider offers to prompts, in its order. Throws nothing but `ModelError`, or the reason of the
 * signal.
 */
export async function listModels(
  wire: Wire,
  options: WireOptions,
  signal: AbortSignal,
): Promise<readonly OfferedModel[]> {
  return fetchJson(options, LISTS[wire], signal);
}
