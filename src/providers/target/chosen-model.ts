import { UsageError } from '../../agent/errors.ts';
import type { LanguageModel, ReasoningEffort } from '../../agent/ports/language-model.ts';
import type { DescribedModel } from '../limits/describe-model.ts';
import type { Limits } from '../limits/find-limits.ts';
import { offerOf } from '../offered-models.ts';
import type { ModelChoice, ModelConfig, ModelPorts } from './choose-model.ts';
import { isThisMachine } from './endpoint.ts';
import { PROVIDERS } from './presets.ts';

/** The key of the provider is missing or cannot be used. */
export class KeyError extends UsageError {}

/** The model of a session. The embedded mock starts with the first `open`; `close` stops it. */
export interface ChosenModel {
  /** Provider and model: `mock/mock-model`. */
  readonly name: string;
  readonly embedded: boolean;
  /** `effort` replaces the configured one. Throws `UsageError` if the model was given and cannot be opened again. */
  open(effort?: ReasoningEffort): Promise<LanguageModel>;
  /** True if its requests are sent without a key. */
  readonly isKeyless?: boolean;
  /** Rejects with `ModelError` when the program that prints the key prints none; absent: no program does. */
  readonly checkKey?: () => Promise<void>;
  /** The model for summaries, if one is configured. */
  openSmall(): Promise<LanguageModel | undefined>;
  close(): Promise<void>;
}

/** Starts a model server on a free port of this machine. */
export type StartMockModel = () => Promise<{ readonly url: string; close(): Promise<void> }>;

export interface OfferedModels extends Pick<Extract<ModelChoice, { type: 'model' }>, 'endpoint' | 'key'> {
  readonly provider: string;
  readonly models: readonly DescribedModel[];
  /** The configured model, or the only one, and its limits as a run has them. */
  readonly chosen?: { readonly model: string; readonly limits: Limits };
}

/** The parts of the machine that a model depends on. */
interface ModelMachine extends ModelPorts {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly startMockModel: StartMockModel;
}

/** The configuration of a model and of the one for summaries. */
interface Configured extends ModelConfig {
  readonly llm: ModelConfig['llm'] & { readonly small_model?: string | undefined };
  /** The places that set the values, such as a file, by key. */
  readonly origins?: ReadonlyMap<string, string> | undefined;
}

/**
 * Chooses the model that the configuration names. The provider `mock` without an endpoint is the embedded mock, which
 * starts when it is first opened. `fallback` is the model of the same provider that answers when it is not available.
 * Throws `UsageError` when the configuration names no usable model.
 */
export async function chooseConfiguredModel(
  config: Configured,
  machine: ModelMachine,
  fallback?: string,
): Promise<ChosenModel> {
  const named = await withOnlyModel(config, machine);
  const { llm } = named;
  let server: ReturnType<StartMockModel> | undefined;
  /** Opens a model with other settings than the configured ones, at the address of the embedded mock. */
  const openModel = async (changes: Partial<Configured['llm']>): Promise<LanguageModel> => {
    if (isEmbedded(llm)) server ??= machine.startMockModel();
    const endpoint = (await server)?.url ?? llm.endpoint;
    return (await configuredModel({ ...named, llm: { ...llm, ...changes, endpoint } }, machine)).open();
  };
  // Reports a configuration that cannot be used before anything is opened.
  const configured = isEmbedded(llm)
    ? { name: `mock/${llm.model ?? PROVIDERS.get('mock')?.model}` }
    : await configuredModel(named, machine);
  return {
    name: configured.name,
    isKeyless: !('isKeyless' in configured) || configured.isKeyless,
    ...('checkKey' in configured && { checkKey: configured.checkKey }),
    embedded: isEmbedded(llm),
    async open(effort = llm.reasoning_effort) {
      const model = await openModel({ reasoning_effort: effort });
      if (fallback === undefined) return model;
      const { withFallback } = await import('../fallback.ts');
      return withFallback(model, () => openModel({ reasoning_effort: effort, model: fallback }));
    },
    openSmall: async () => (llm.small_model === undefined ? undefined : openModel({ model: llm.small_model })),
    async close() {
      await (await server)?.close();
    },
  };
}

/** The greatest time for finding the only model of a server, in seconds. */
const LOOK_UP_SECONDS = 10;

/**
 * The configuration with the only model that a server offers, where it names none. A provider with a default model is
 * only asked if another server of this machine stands for it.
 */
async function withOnlyModel<Config extends Configured>(config: Config, machine: ModelMachine): Promise<Config> {
  const { llm } = config;
  // A mock server answers under every name of a model, so there is nothing to find.
  if (llm.model !== undefined || llm.provider === 'mock') return config;
  const hasDefault = PROVIDERS.get(llm.provider)?.model !== undefined;
  if (hasDefault && llm.endpoint === undefined) return config;
  const asking = { ...config, llm: { ...llm, model: 'none', timeout_seconds: LOOK_UP_SECONDS } };
  const { endpoint, listModels } = await configuredModel(asking, machine);
  if (hasDefault && !isThisMachine(new URL(endpoint).hostname)) return config;
  const models = await listModels(new AbortController().signal).catch(() => []);
  const [only, ...others] = models.map(({ name }) => name);
  if (only !== undefined && others.length === 0) return { ...config, llm: { ...llm, model: only } };
  if (only === undefined || hasDefault) return config;
  throw new UsageError(
    `Choose a model: --model <name>. ${endpoint} has several. ${offerOf('', [only, ...others])} (llm.model)`,
  );
}

/** The provider `mock` without an endpoint is the mock model that comes with ybs. */
function isEmbedded({ provider, endpoint }: Configured['llm']): boolean {
  return provider === 'mock' && endpoint === undefined;
}

/** A model that the caller created. */
export function givenModel(model: LanguageModel, name: string): ChosenModel {
  return {
    name,
    embedded: false,
    async open(effort) {
      if (effort === undefined) return model;
      throw new UsageError('This model was given to openAgent. Set its effort where it was created.');
    },
    openSmall: async () => undefined,
    close: async () => {},
  };
}

async function configuredModel(
  config: Configured,
  { environment, ...ports }: ModelMachine,
): Promise<Extract<ModelChoice, { type: 'model' }>> {
  // Loaded here, because the first prompt on the embedded mock does not need it.
  const providers = await import('./choose-model.ts');
  const choice = providers.chooseModel(config, environment, ports);
  if (choice.type === 'refused') {
    const Refusal = choice.key === 'llm.api_key_variable' ? KeyError : UsageError;
    const origin = config.origins?.get(choice.key);
    throw new Refusal(`${choice.message} (${choice.key}${origin === undefined ? '' : `, ${origin}`})`);
  }
  return choice;
}

/**
 * The models that the configured provider offers. Throws `UsageError` when the provider cannot be used, and
 * `ModelError` when it does not answer.
 */
export async function listOfferedModels(
  config: Configured,
  machine: ModelMachine,
  signal: AbortSignal,
): Promise<OfferedModels> {
  const { llm } = config;
  const server = isEmbedded(llm) ? await machine.startMockModel() : undefined;
  try {
    // The request needs no model, and the provider may have no default one.
    const target = { ...llm, model: llm.model ?? 'none', endpoint: server?.url ?? llm.endpoint };
    const { listModels, endpoint, key } = await configuredModel({ ...config, llm: target }, machine);
    const models = await listModels(signal);
    const { describeModel } = await import('../limits/describe-model.ts');
    const described = models.map((model) => describeModel(llm.provider, model));
    const wanted = llm.model ?? (models.length === 1 ? models[0]?.name : PROVIDERS.get(llm.provider)?.model);
    if (wanted === undefined) return { provider: llm.provider, endpoint, key, models: described };
    const one = await configuredModel({ ...config, llm: { ...target, model: wanted } }, machine);
    const limits = await one.limits(signal);
    return { provider: llm.provider, endpoint, key, models: described, chosen: { model: wanted, limits } };
  } finally {
    await server?.close();
  }
}
