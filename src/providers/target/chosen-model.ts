import { UsageError } from '../../agent/errors.ts';
import type { LanguageModel, ReasoningEffort } from '../../agent/ports/language-model.ts';
import type { OfferedModel } from '../wire-options.ts';
import type { ModelChoice, ModelConfig, ModelPorts } from './choose-model.ts';
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
  /** The model for summaries, if one is configured. */
  openSmall(): Promise<LanguageModel | undefined>;
  close(): Promise<void>;
}

/** Starts a model server on a free port of this machine. */
export type StartMockModel = () => Promise<{ readonly url: string; close(): Promise<void> }>;

/** The models of a provider. */
export interface OfferedModels extends Pick<Extract<ModelChoice, { type: 'model' }>, 'endpoint' | 'key'> {
  readonly provider: string;
  readonly models: readonly OfferedModel[];
}

/** The parts of the machine that a model depends on. */
interface ModelMachine extends ModelPorts {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly startMockModel: StartMockModel;
}

/** The configuration of a model and of the one for summaries. */
interface Configured extends ModelConfig {
  readonly llm: ModelConfig['llm'] & { readonly small_model?: string | undefined };
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
  const { llm } = config;
  let server: ReturnType<StartMockModel> | undefined;
  /** Opens a model with other settings than the configured ones, at the address of the embedded mock. */
  const openModel = async (changes: Partial<Configured['llm']>): Promise<LanguageModel> => {
    if (isEmbedded(llm)) server ??= machine.startMockModel();
    const endpoint = (await server)?.url ?? llm.endpoint;
    return (await configuredModel({ ...config, llm: { ...llm, ...changes, endpoint } }, machine)).open();
  };
  // Reports a configuration that cannot be used before anything is opened.
  const name = isEmbedded(llm)
    ? `mock/${llm.model ?? PROVIDERS.get('mock')?.model}`
    : (await configuredModel(config, machine)).name;
  return {
    name,
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
    throw new Refusal(`${choice.message} (${choice.key})`);
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
    return { provider: llm.provider, endpoint, key, models: await listModels(signal) };
  } finally {
    await server?.close();
  }
}
