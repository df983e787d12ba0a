import * as z from 'zod';
import type { ContextWindow } from '../../ports/language-model.ts';
import { fetchJson } from '../http/fetch-json.ts';
import type { OfferedModel, WireOptions } from '../wire-options.ts';
import type { ModelTraits } from './request.ts';

/** The context window of a model of which the server does not tell it, in tokens. */
const UNKNOWN_WINDOW = 8_192;

const tokens = z.number().int().positive().nullish().catch(undefined);

const showSchema = z.object({
  model_info: z.record(z.string(), z.unknown()).nullish().catch(undefined),
  capabilities: z.array(z.string()).nullish().catch(undefined),
});
const loadedSchema = z.object({
  models: z
    .array(z.object({ model: z.string().nullish(), name: z.string().nullish(), context_length: tokens }))
    .nullish(),
});
const listSchema = z.object({ models: z.array(z.object({ name: z.string() })) });

/** The models that are on the server, from `/api/tags`. */
export async function listModels(options: WireOptions, signal: AbortSignal): Promise<readonly OfferedModel[]> {
  const { models } = await fetchJson(options, { path: '/api/tags', schema: listSchema }, signal);
  return models.map(({ name }) => ({ name }));
}

/** The facts about a model that its server tells. They are asked for once; a failed request is repeated. */
export interface ModelInfo {
  /** Throws nothing but `ModelError`, or the reason of the signal. */
  traits(signal: AbortSignal): Promise<ModelTraits>;
  /** The context window; once the model is loaded, no more than the one that it was loaded with. */
  window(signal: AbortSignal): Promise<ContextWindow>;
  /** Reports that the model is loaded. */
  loaded(): void;
}

interface Facts {
  readonly traits: ModelTraits;
  readonly window: ContextWindow;
}

/**
 * Finds out the context window. It is the smaller one of `maxContextTokens` and that of the model; but a model that is
 * already loaded with a larger one keeps it, because another value would load it again.
 */
export function createModelInfo(options: WireOptions): ModelInfo {
  let facts: Facts | undefined;
  let state: 'unknown' | 'loaded' | 'checked' = 'unknown';

  const find = async (signal: AbortSignal): Promise<Facts> => {
    facts ??= await readFacts(options, signal);
    return facts;
  };
  return {
    traits: async (signal) => (await find(signal)).traits,
    async window(signal) {
      const { traits, window } = await find(signal);
      if (state !== 'loaded') return window;
      const loaded = await readLoadedWindow(options, signal).catch(() => 'unknown' as const);
      // The known window stays, and the next call asks again.
      if (loaded === 'unknown') return window;
      state = 'checked';
      const isSmaller = loaded !== undefined && loaded < window.tokens;
      const checked = isSmaller ? { tokens: loaded, warning: loadedSmaller(options, loaded, traits.numCtx) } : window;
      facts = { traits, window: checked };
      return checked;
    },
    loaded() {
      if (state === 'unknown') state = 'loaded';
    },
  };
}

async function readFacts(options: WireOptions, signal: AbortSignal): Promise<Facts> {
  const { model, maxContextTokens = Number.POSITIVE_INFINITY } = options;
  const show = { path: '/api/show', body: { model }, schema: showSchema, fallback: {} } as const;
  const { model_info: info, capabilities } = await fetchJson(options, show, signal);
  const loaded = await readLoadedWindow(options, signal);
  const limit = contextLength(info ?? {});
  const wanted = Math.min(maxContextTokens, limit ?? UNKNOWN_WINDOW);
  const numCtx = loaded !== undefined && loaded >= wanted ? loaded : wanted;
  const isUnknown = limit === undefined && loaded === undefined;
  return {
    traits: {
      numCtx,
      thinking: thinkingOf(model, info?.['general.architecture'], capabilities ?? []),
      // Servers without this field do not say which models see images.
      seesImages: capabilities?.includes('vision') ?? true,
    },
    window: { tokens: numCtx, ...(isUnknown && { warning: unknownWindow(options, numCtx) }) },
  };
}

/** The value of `ARCHITECTURE.context_length`. */
function contextLength(info: Readonly<Record<string, unknown>>): number | undefined {
  const [, value] = Object.entries(info).find(([key]) => key.endsWith('.context_length')) ?? [];
  return tokens.parse(value) ?? undefined;
}

function thinkingOf(model: string, architecture: unknown, capabilities: readonly string[]): ModelTraits['thinking'] {
  if (!capabilities.includes('thinking')) return 'none';
  return /gpt-?oss/i.test(`${architecture} ${model}`) ? 'levels' : 'switch';
}

/** The context window that the model is loaded with; `undefined` if it is not loaded. */
async function readLoadedWindow(options: WireOptions, signal: AbortSignal): Promise<number | undefined> {
  const request = { path: '/api/ps', schema: loadedSchema, fallback: {} } as const;
  const { models } = await fetchJson(options, request, signal);
  const wanted = fullName(options.model);
  const loaded = (models ?? []).find(({ model, name }) => fullName(model ?? name ?? '') === wanted);
  return loaded?.context_length ?? undefined;
}

/** The name with its tag, in lower case. */
function fullName(model: string): string {
  return (/:[^/]*$/.test(model) ? model : `${model}:latest`).toLowerCase();
}

function unknownWindow({ label, model }: WireOptions, size: number): string {
  return `${label} does not tell the context window of ${model}. ybs uses ${count(size)} tokens.`;
}

function loadedSmaller({ label, model }: WireOptions, size: number, wanted: number): string {
  return `${label} loaded ${model} with a context window of ${count(size)} tokens instead of ${count(wanted)}. ybs uses ${count(size)}.`;
}

function count(size: number): string {
  return size.toLocaleString('en-US');
}
