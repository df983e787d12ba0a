import { isObject } from '../../schema/answer-form.ts';
import type { ValueOf } from '../../schema/conforms.ts';
import { ownEntry } from '../../text/json/own-entry.ts';
import { failedWithSuccess, fetchJson } from '../http/fetch-json.ts';
import { formReader, garbled } from '../http/read-form.ts';
import { fieldOf, isErrorValue } from '../http/server-error.ts';
import { describeServed, markLoaded } from '../ollama-chat/model-info.ts';
import type { OfferedModel, WireOptions } from '../wire-options.ts';
import { isSame } from './find-limits.ts';
import { FACTS, LISTED_MODELS } from './schemas.data.ts';

type Listed = ValueOf<typeof LISTED_MODELS>['data'][number];

/**
 * The fields in which servers state the context window, that of the loaded model first: llama.cpp, LM Studio (two),
 * vLLM, OpenRouter (two), oMLX, Groq, Poe, LM Studio and Mistral, DeepInfra, LiteLLM and Anthropic, Copilot (two), GitHub
 * Models, Novita, Venice, TabbyAPI, Gemini, Cloudflare, Lemonade, Puter, models.dev.
 */
const WINDOW_FIELDS = [
  'meta.n_ctx',
  'loaded_context_length',
  'loaded_instances.0.config.context_length',
  'max_model_len',
  'top_provider.context_length',
  'effective_context_length',
  'context_window',
  'context_window.context_length',
  'context_length',
  'max_context_length',
  'metadata.context_length',
  'max_input_tokens',
  'capabilities.limits.max_prompt_tokens',
  'capabilities.limits.max_context_window_tokens',
  'limits.max_input_tokens',
  'context_size',
  'model_spec.availableContextTokens',
  'parameters.max_seq_len',
  'inputTokenLimit',
  'properties.context_window',
  'max_context_window',
  'context',
  'limit.context',
];

/** The fields of the output limit: LiteLLM, Groq, OpenRouter, Anthropic, Copilot, Gemini, models.dev, Poe. */
const ANSWER_FIELDS = [
  'max_output_tokens',
  'max_completion_tokens',
  'top_provider.max_completion_tokens',
  'max_tokens',
  'capabilities.limits.max_output_tokens',
  'limits.max_output_tokens',
  'outputTokenLimit',
  'limit.output',
  'context_window.max_output_tokens',
];

/** The fields of the size of the weights, in bytes: llama.cpp, Ollama, LM Studio. */
const SIZE_FIELDS = ['meta.size', 'size', 'size_bytes'];

/** The programs that serve models, by the owner that their lists name. */
const SERVERS: ReadonlyMap<unknown, string> = new Map([
  ['llamacpp', 'llama.cpp'],
  ['organization_owner', 'LM Studio'],
  ['library', 'Ollama'],
  ['vllm', 'vLLM'],
]);

export function statedSize(entry: object): { readonly bytes?: number } {
  const bytes = firstSize(entry, SIZE_FIELDS);
  return bytes === undefined ? {} : { bytes };
}

/** The entry as a model, with the facts that it states. */
export function offeredModel(entry: Listed): OfferedModel {
  const contextWindow = firstSize(entry, WINDOW_FIELDS) ?? windowElsewhere(entry);
  const maxAnswer = firstSize(entry, ANSWER_FIELDS);
  const server = SERVERS.get(entry['owned_by']);
  const parameters = valueAt(entry, 'supported_parameters');
  const calls = valueAt(entry, 'capabilities.supports.tool_calls');
  const without = providersOf(entry).filter((provider) => valueAt(provider, 'supports_tools') === false);
  const isWithout = without.length > 0 && without.length === providersOf(entry).length;
  const lacksTools = calls === false || isWithout || (Array.isArray(parameters) && !parameters.includes('tools'));
  const states = [valueAt(entry, 'status.value'), valueAt(entry, 'state')];
  const isLoaded = states.includes('loaded') || isObject(valueAt(entry, 'loaded_instances.0'));
  return {
    name: entry.id,
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(maxAnswer === undefined ? {} : { maxAnswer }),
    ...(lacksTools ? { lacksTools } : {}),
    ...(isLoaded ? { loaded: true } : {}),
    ...statedSize(entry),
    ...(server === undefined ? {} : { server }),
  };
}

/** The providers of a model at Hugging Face, any of which may answer. */
function providersOf(entry: object): readonly object[] {
  const providers = valueAt(entry, 'providers');
  return Array.isArray(providers) ? providers.filter(isObject) : [];
}

/** The smallest window of the providers of a model, that with which llama.cpp will load it, or one of another name. */
function windowElsewhere(entry: object): number | undefined {
  const sizes = providersOf(entry).flatMap((provider) => firstSize(provider, ['context_length']) ?? []);
  if (sizes.length > 0) return Math.min(...sizes);
  const args = valueAt(entry, 'status.args');
  const option = Array.isArray(args) ? args.indexOf('--ctx-size') : -1;
  const others = Object.keys(entry).filter((name) =>
    /^(?!min|default|used|original).*context_?(?:length|window|size|tokens)$/i.test(name),
  );
  return firstSize(entry, option === -1 ? others : [`status.args.${option + 1}`]);
}

/** Facts that a server states elsewhere about its models, by the owner that the list names. */
const FOLLOW_UPS: Readonly<
  Record<
    string,
    (options: WireOptions, models: readonly OfferedModel[], signal: AbortSignal) => Promise<readonly OfferedModel[]>
  >
> = {
  llamacpp: withProps,
  organization_owner: withLoadedLength,
  library: withOllamaFacts,
};

/** The models of a list, with what the server says elsewhere about them. A failed request adds nothing. */
export async function completeModels(
  options: WireOptions,
  entries: readonly Listed[],
  signal: AbortSignal,
): Promise<readonly OfferedModel[]> {
  const windows = new Map(entries.map((entry) => [entry.id, offeredModel(entry).contextWindow]));
  const models = entries.map((entry) => {
    // A LoRA of vLLM has the window of its base model.
    const base = windows.get(String(entry['parent']));
    return { ...(base !== undefined && { contextWindow: base }), ...offeredModel(entry) };
  });
  const owner = entries.map((entry) => entry['owned_by']).find((name) => typeof name === 'string');
  const complete = owner === undefined ? undefined : ownEntry(FOLLOW_UPS, owner);
  const root = { ...options, endpoint: options.endpoint.replace(/\/v1$/, '') };
  return complete?.(root, models, signal).catch(() => models) ?? models;
}

/** llama.cpp: `/props` of the only model, or of the chosen one of a router, without loading it. */
async function withProps(options: WireOptions, models: readonly OfferedModel[], signal: AbortSignal) {
  const wanted = models.length === 1 ? models.map(({ name }) => name).join('') : options.model;
  const query = `?model=${encodeURIComponent(wanted)}&autoload=false`;
  const props = await fetchJson(options, { path: `/props${query}`, read: formReader(FACTS) }, signal);
  const window = firstSize(props, ['default_generation_settings.n_ctx']);
  const template = valueAt(props, 'chat_template');
  const abilities = valueAt(props, 'chat_template_caps.supports_tools');
  const hasTools =
    typeof abilities === 'boolean' ? abilities : typeof template !== 'string' || /\btools?\b/.test(template);
  const facts = hasTools ? {} : { lacksTools: true as const };
  return models.map((model) => {
    if (!isSame(model.name, wanted)) return model;
    return { ...(window === undefined ? {} : { contextWindow: window }), ...model, ...facts };
  });
}

/** LM Studio: the length with which a model is loaded; the list of the OpenAI protocol has names alone. */
async function withLoadedLength(options: WireOptions, models: readonly OfferedModel[], signal: AbortSignal) {
  const ask = (path: string) => fetchJson(options, { path, read: readList }, signal);
  // Newer versions have another list.
  const entries = await ask('/api/v0/models').catch(() => ask('/api/v1/models'));
  const known = new Map(entries.flatMap(withInstances).map((entry) => [entry.id, offeredModel(entry)]));
  return models.map((model) => ({ ...known.get(model.name), ...model }));
}

/** A model of LM Studio and its loaded instances, which have names of their own and may have other lengths. */
function withInstances(entry: Listed): readonly Listed[] {
  const instances = valueAt(entry, 'loaded_instances');
  const own = Array.isArray(instances) ? instances.filter(isObject) : [];
  return [entry, ...own.map((one) => ({ ...entry, id: String(valueAt(one, 'id')), loaded_instances: [one] }))];
}

/** Ollama behind its copy of another protocol: the window and the abilities of the wanted model. */
async function withOllamaFacts(options: WireOptions, models: readonly OfferedModel[], signal: AbortSignal) {
  const { tokens, lacksTools } = await describeServed(options, signal);
  const facts = {
    ...(tokens === undefined ? {} : { contextWindow: tokens }),
    ...(lacksTools === true && { lacksTools }),
  };
  const marked = await markLoaded(options, models, signal);
  return marked.map((model) => (isSame(model.name, options.model) ? { ...model, ...facts } : model));
}

/** The fields that hold the entries of a list: of OpenAI, Ollama and LM Studio, Cloudflare, and gateways. */
const LIST_FIELDS = ['data', 'models', 'result', 'list', 'items'];

/** The fields with the name of a model: of most, of LM Studio, of Ollama and llama.cpp, of LiteLLM. */
const NAME_FIELDS = ['id', 'key', 'model', 'name', 'model_name'];

/**
 * Reads a list of models in any of its forms. An entry without a name, or with that of another one, is left out. An
 * error is thrown as one.
 */
export function readList(value: unknown): readonly Listed[] | Promise<never> {
  const entries = entriesIn(value);
  if ((entries ?? []).length === 0 && isObject(value) && isErrorValue(value)) throw failedWithSuccess(value);
  if (entries === undefined) return garbled(value, LISTED_MODELS);
  const byId = new Map<string, Listed>();
  for (const entry of entries) {
    const own = isObject(entry) ? entry : {};
    const names = typeof entry === 'string' ? [entry] : NAME_FIELDS.map((field) => valueAt(own, field)).filter(isName);
    // Cloudflare has a number of its own beside the name.
    const name = names.find((each) => !UUID.test(String(each))) ?? names[0];
    if (name === undefined || byId.has(String(name))) continue;
    byId.set(String(name), { ...own, ...namedProperties(own), id: String(name) });
  }
  return [...byId.values()];
}

/** The properties of a model at Cloudflare, which are a list, by their names. */
function namedProperties(entry: object): object {
  const properties = valueAt(entry, 'properties');
  if (!Array.isArray(properties)) return {};
  const named = properties
    .filter(isObject)
    .map((property) => [String(valueAt(property, 'property_id')), valueAt(property, 'value')] as const);
  return { properties: Object.fromEntries(named) };
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * The entries of a list, which are alone, in a field, or in a field of a field; of some gateways, fields by their
 * names.
 */
function entriesIn(value: unknown, depth = 0): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  // Ollama has null for none.
  if (value === null && depth > 0) return [];
  if (!isObject(value) || depth === MAX_DEPTH) return undefined;
  const fields = LIST_FIELDS.filter((field) => Object.hasOwn(value, field));
  const lists = fields.map((field) => entriesIn(valueAt(value, field), depth + 1)).filter((list) => list !== undefined);
  if (fields.length > 0) return lists.find((list) => list.length > 0) ?? lists[0];
  const named = isErrorValue(value) ? [['', undefined] as const] : Object.entries(value);
  return named.length > 0 && named.every(([, entry]) => isObject(entry))
    ? named.map(([id, entry]) => ({ id, ...Object(entry) }))
    : undefined;
}

/** The maximum number of objects around a list. */
const MAX_DEPTH = 3;

function isName(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && value !== '');
}

function firstSize(entry: object, fields: readonly string[]): number | undefined {
  return fields
    .map((field) => valueAt(entry, field))
    .map((value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value))
    .find((value): value is number => {
      return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
    });
}

function valueAt(entry: object, field: string): unknown {
  return field.split('.').reduce<unknown>(fieldOf, entry);
}
