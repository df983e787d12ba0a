import type { Config } from '../config/schema.ts';
import { UsageError } from '../core/errors.ts';
import type { LanguageModel } from '../ports/language-model.ts';
import type { ModelChoice, ModelPorts } from '../providers/target/choose-model.ts';
import { PROVIDERS } from '../providers/target/presets.ts';
import type { OfferedModel } from '../providers/wire-options.ts';
import type { ChosenModel, Machine, StartMockModel } from './settings.ts';

/** The models of a provider. */
export interface OfferedModels {
  readonly provider: string;
  readonly models: readonly OfferedModel[];
}

/** The parts of the machine that a model depends on. */
type ModelMachine = Pick<Machine, 'environment' | 'startMockModel' | keyof ModelPorts>;

/**
 * Chooses the model that the configuration names. The provider `mock` without an endpoint is the embedded mock, which
 * starts when it is first opened. Throws `UsageError` when the configuration names no usable model.
 */
export async function chooseModel(config: Config, machine: ModelMachine): Promise<ChosenModel> {
  const { llm } = config;
  let server: ReturnType<StartMockModel> | undefined;
  /** Opens a model with other settings than the configured ones, at the address of the embedded mock. */
  const openModel = async (changes: Partial<Config['llm']>): Promise<LanguageModel> => {
    if (isEmbedded(llm)) server ??= machine.startMockModel();
    const endpoint = (await server)?.url ?? llm.endpoint;
    return (await configuredModel({ ...config, llm: { ...llm, ...changes, endpoint } }, machine)).open();
  };
  // Reports a configuration that cannot be used before anything is opened.
  const name = isEmbedded(llm) ? `mock/${llm.model ?? MOCK_MODEL}` : (await configuredModel(config, machine)).name;
  return {
    name,
    embedded: isEmbedded(llm),
    open: (effort = llm.reasoning_effort) => openModel({ reasoning_effort: effort }),
    openSmall: async () => (llm.small_model === undefined ? undefined : openModel({ model: llm.small_model })),
    async close() {
      await (await server)?.close();
    },
  };
}

const MOCK_MODEL = PROVIDERS.get('mock')?.model ?? 'unnamed';

/** The provider `mock` without an endpoint is the mock model that comes with ybs. */
function isEmbedded({ provider, endpoint }: Config['llm']): boolean {
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
  config: Config,
  { environment, ...ports }: ModelMachine,
): Promise<Extract<ModelChoice, { type: 'model' }>> {
  // Loaded here, because the first prompt on the embedded mock does not need it.
  const providers = await import('../providers/target/choose-model.ts');
  const choice = providers.chooseModel(config, environment, ports);
  if (choice.type === 'refused') throw new UsageError(`${choice.message} (${choice.key})`);
  return choice;
}

/**
 * The models that the configured provider offers. Throws `UsageError` when the provider cannot be used, and
 * `ModelError` when it does not answer.
 */
export async function listOfferedModels(
  config: Config,
  machine: ModelMachine,
  signal: AbortSignal,
): Promise<OfferedModels> {
  const { llm } = config;
  const server = isEmbedded(llm) ? await machine.startMockModel() : undefined;
  try {
    // The request needs no model, and the provider may have no default one.
    const target = { ...llm, model: llm.model ?? 'none', endpoint: server?.url ?? llm.endpoint };
    const { listModels } = await configuredModel({ ...config, llm: target }, machine);
    return { provider: llm.provider, models: await listModels(signal) };
  } finally {
    await server?.close();
  }
}
