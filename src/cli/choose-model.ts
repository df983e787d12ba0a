import type { Config } from '../config/schema.ts';
import type { LanguageModel } from '../ports/language-model.ts';
import { PROVIDERS } from '../providers/presets.ts';
import { UsageError } from './usage-error.ts';
import type { NamedScenarioFile, World } from './world.ts';

/** The model of a session. `ready` resolves with it; until then only its name is known. */
export interface ChosenModel {
  readonly name: string;
  ready(): Promise<LanguageModel>;
  close(): Promise<void>;
}

/** True when the model is the embedded mock: its provider is `mock` and no other server is named. */
export function isEmbedded(config: Config): boolean {
  return config.llm.provider === 'mock' && config.llm.endpoint === undefined;
}

/**
 * Finds the model that the configuration asks for; the embedded mock is started by `ready` and answers from `files`,
 * or from the stories that come with ybs. Throws `UsageError` when there is no such model.
 */
export async function chooseModel(
  config: Config,
  world: World,
  files?: readonly NamedScenarioFile[],
): Promise<ChosenModel> {
  if (!isEmbedded(config)) {
    const { model, name } = await create(config, world);
    return { name, ready: () => Promise.resolve(model), close: () => Promise.resolve() };
  }
  let server: ReturnType<World['mockModel']['start']> | undefined;
  return {
    name: `mock/${config.llm.model ?? PROVIDERS.get('mock')?.model ?? 'unnamed'}`,
    async ready() {
      server ??= startServer(world, files);
      const { url } = await server;
      return (await create({ ...config, llm: { ...config.llm, endpoint: url } }, world)).model;
    },
    async close() {
      await (await server)?.close();
    },
  };
}

async function startServer(world: World, files: readonly NamedScenarioFile[] | undefined) {
  const { mockModel } = world;
  return mockModel.start(files ?? (await mockModel.load([mockModel.shippedStories])));
}

/** Loaded here, because the first prompt on the embedded mock does not need it. */
async function create(config: Config, world: World): Promise<{ readonly model: LanguageModel; readonly name: string }> {
  const [{ createModel }, { systemClock }] = await Promise.all([
    import('../providers/create-model.ts'),
    import('../adapters/system.ts'),
  ]);
  const choice = createModel(config, world.environment, { clock: systemClock, random: world.random });
  if (choice.type === 'refused') throw new UsageError(`${choice.message} (${choice.key})`);
  return choice;
}
