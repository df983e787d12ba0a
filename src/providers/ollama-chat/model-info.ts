import type { ContextWindow } from '../../agent/ports/language-model.ts';
import { withSeparators } from '../../text/quantities.ts';
import { fetchJson } from '../http/fetch-json.ts';
import { formReader } from '../http/read-form.ts';
import { ASSUMED } from '../limits/find-limits.ts';
import type { OfferedModel, WireOptions } from '../wire-options.ts';
import type { ModelTraits } from './request.ts';
import { OLLAMA_LOADED, OLLAMA_SHOW } from './schemas.data.ts';

/** The context window that is assumed where the server does not report it, in tokens. */
const UNKNOWN_WINDOW = 8_192;

/** The largest window that is asked for if neither the user nor the Modelfile names one: it costs memory. */
const USUAL_WINDOW = ASSUMED.window;

/** The facts about a model that its server reports. They are requested once; a failed request is repeated. */
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
  readonly window: ContextWindow & Required<Pick<ContextWindow, 'tokens'>>;
}

/**
 * Finds out the context window. It is the smaller one of that of the model and of the window that the user wants, or else
 * its Modelfile; but a model that is already loaded with a larger one keeps it, because another value would load it again.
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
      const { tokens } = window;
      if (state !== 'loaded') return window;
      const loaded = await readLoadedWindow(options, signal).catch(() => 'unknown' as const);
      // The known window stays, and the next call asks again.
      if (loaded === 'unknown') return window;
      state = 'checked';
      const isSmaller = loaded !== undefined && loaded < tokens;
      const checked = isSmaller
        ? { ...window, tokens: loaded, warning: loadedSmaller(options, loaded, traits.numCtx) }
        : window;
      facts = { traits, window: checked };
      return checked;
    },
    loaded() {
      if (state === 'unknown') state = 'loaded';
    },
  };
}

async function readFacts(options: WireOptions, signal: AbortSignal): Promise<Facts> {
  const { model } = options;
  const { info, capabilities, numCtx: ofModelfile } = await showModel(options, signal);
  const loaded = await readLoadedWindow(options, signal);
  const limit = contextLength(info);
  const wanted = Math.min(options.maxContextTokens ?? ofModelfile ?? USUAL_WINDOW, limit ?? UNKNOWN_WINDOW);
  const numCtx = loaded !== undefined && loaded >= wanted ? loaded : wanted;
  const isUnknown = limit === undefined && loaded === undefined;
  return {
    traits: {
      numCtx,
      thinking: thinkingOf(model, Reflect.get(info, 'general.architecture'), capabilities ?? []),
      // Servers without this field do not say which models see images.
      seesImages: capabilities?.includes('vision') ?? true,
    },
    window: {
      tokens: numCtx,
      ...(isUnknown && { warning: unknownWindow(options, numCtx) }),
      ...(capabilities?.includes('tools') === false && { lacksTools: true }),
    },
  };
}

/** The facts of `/api/show`: those of the weights, the abilities, and the `num_ctx` of the Modelfile. */
async function showModel(options: WireOptions, signal: AbortSignal) {
  const request = {
    path: '/api/show',
    body: { model: options.model },
    read: formReader(OLLAMA_SHOW),
    fallback: {},
  } as const;
  const { model_info, capabilities, parameters } = await fetchJson(options, request, signal);
  const [, numCtx] = /^num_ctx\s+(\d+)\s*$/m.exec(typeof parameters === 'string' ? parameters : '') ?? [];
  const info: object = typeof model_info === 'object' && model_info !== null ? model_info : {};
  return {
    info,
    capabilities: Array.isArray(capabilities) ? capabilities.filter((name) => typeof name === 'string') : undefined,
    numCtx: tokensOf(Number(numCtx)),
  };
}

/**
 * The facts about a model that is reached over Ollama's copies of other protocols, which cannot set the window: that of
 * the loaded model, or else of its Modelfile. Throws nothing but `ModelError`, or the reason of the signal.
 */
export async function describeServed(options: WireOptions, signal: AbortSignal): Promise<ContextWindow> {
  const [{ info, capabilities, numCtx }, loaded] = await Promise.all([
    showModel(options, signal),
    readLoadedWindow(options, signal),
  ]);
  const limit = contextLength(info) ?? Number.POSITIVE_INFINITY;
  const tokens = loaded ?? (numCtx === undefined ? undefined : Math.min(numCtx, limit));
  return {
    ...(tokens === undefined ? {} : { tokens }),
    ...(capabilities?.includes('tools') === false ? { lacksTools: true } : {}),
  };
}

/** The value of `ARCHITECTURE.context_length`. */
function contextLength(info: object): number | undefined {
  const [, value] = Object.entries(info).find(([key]) => key.endsWith('.context_length')) ?? [];
  return tokensOf(value);
}

function tokensOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

function thinkingOf(model: string, architecture: unknown, capabilities: readonly string[]): ModelTraits['thinking'] {
  if (!capabilities.includes('thinking')) return 'none';
  return /gpt-?oss/i.test(`${architecture} ${model}`) ? 'levels' : 'switch';
}

/** The context window that the model is loaded with; `undefined` if it is not loaded. */
async function readLoadedWindow(options: WireOptions, signal: AbortSignal): Promise<number | undefined> {
  return tokensOf((await readLoaded(options, signal)).get(fullName(options.model)));
}

/** The context windows of the models that are loaded, by their full names. */
async function readLoaded(options: WireOptions, signal: AbortSignal): Promise<ReadonlyMap<string, unknown>> {
  const request = { path: '/api/ps', read: formReader(OLLAMA_LOADED), fallback: {} } as const;
  const { models } = await fetchJson(options, request, signal);
  return new Map((models ?? []).map((entry) => [fullName(entry.model ?? entry.name ?? ''), entry.context_length]));
}

/** The models, with a mark on those that are loaded. A failed request marks none. */
export async function markLoaded(options: WireOptions, models: readonly OfferedModel[], signal: AbortSignal) {
  const loaded = await readLoaded(options, signal).catch(() => new Map<string, unknown>());
  return models.map((model) => (loaded.has(fullName(model.name)) ? { ...model, loaded: true as const } : model));
}

/** The name with its tag, in lower case. */
function fullName(model: string): string {
  return (/:[^/]*$/.test(model) ? model : `${model}:latest`).toLowerCase();
}

function unknownWindow({ label, model }: WireOptions, size: number): string {
  return `${label} does not report the context window of ${model}. ybs uses ${withSeparators(size)} tokens.`;
}

function loadedSmaller({ label, model }: WireOptions, size: number, wanted: number): string {
  return `${label} loaded ${model} with a context window of ${withSeparators(size)} tokens instead of ${withSeparators(wanted)}. ybs uses ${withSeparators(size)}.`;
}
