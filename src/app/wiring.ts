import { indexKeys } from '../config/keys.ts';
import { type ConfigWithKeys, loadConfig } from '../config/load.ts';
import type { LoadedConfig } from '../config/merge-layers.ts';
import type { Config } from '../config/schema.ts';
import { FileSystemError, UsageError } from '../core/errors.ts';
import type { Approver } from '../ports/approver.ts';
import type { LanguageModel } from '../ports/language-model.ts';
import { modelVariables } from '../providers/presets.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { ExternalToolSettings } from '../tools/external-tool/discovery.ts';
import { TOOL_NAMES } from '../tools/tools.ts';
import { chooseModel, givenModel, listOfferedModels, type OfferedModels } from './chosen-model.ts';
import { CONFIG_KEYS } from './config-keys.data.ts';
import type { ChosenSession, Machine, OpenSession, SessionOptions, Settings, StartMockModel } from './settings.ts';

/** Builds sessions on one machine. */
export interface Wiring {
  /**
   * Merges the options with the configuration files; keys without effect become warnings. `startMockModel` replaces
   * that of the machine. Throws `UsageError` when the directory, the configuration or the model cannot be used.
   */
  loadSettings(options: SessionOptions, startMockModel?: StartMockModel): Promise<Settings>;
  /**
   * Settings without configuration files. `directory` is relative to the current one; `model` replaces the model that
   * `config` names. Throws `UsageError` when the directory or the model cannot be used.
   */
  useConfig(
    config: Config,
    options: { readonly directory: string; readonly model: LanguageModel | undefined },
  ): Promise<Settings>;
  /**
   * The models that the configured provider offers. Throws `UsageError` when the provider cannot be used, and
   * `ModelError` when it does not answer.
   */
  listModels(options: SessionOptions, signal: AbortSignal): Promise<OfferedModels>;
  /** See `findInstructions`. */
  findInstructions(settings: Settings): Promise<readonly string[]>;
  /** See `openStore`. */
  openStore(settings: Settings): Promise<SessionStore>;
  /** See `chooseSession`. */
  chooseSession(options: SessionOptions, settings: Settings): Promise<ChosenSession>;
  /**
   * Opens a session, by default a new one. `warn` replaces that of the machine. Throws `UsageError` when it or one of its
   * directories cannot be used.
   */
  openSession(
    settings: Settings,
    approver: Approver,
    session?: ChosenSession,
    warn?: Machine['warn'],
  ): Promise<OpenSession>;
}

/** The composition root: the only module that connects adapters with the code that uses them. */
export function createWiring(machine: Machine): Wiring {
  return {
    async loadSettings(options, startMockModel = machine.startMockModel) {
      const workspace = await workspaceOf(options, machine);
      const loaded = await configOf(options, workspace, machine);
      const { config, keys } = loaded;
      const environment = { ...machine.environment, ...keys };
      const model = await chooseModel(config, { ...machine, environment, startMockModel });
      const readExternalTools = async () => externalToolsOf(await configOf(options, workspace, machine));
      const externalTools = externalToolsOf(loaded);
      return { config, workspace, dryRun: options.dryRun, model, externalTools, readExternalTools };
    },
    async useConfig(config, { directory: cwd, model }) {
      const workspace = await workspaceOf({ cwd }, machine);
      const chosen = model === undefined ? await chooseModel(config, machine) : givenModel(model, 'custom');
      const externalTools = externalToolsOf({ config, projectTools: [] });
      return { config, workspace, dryRun: false, model: chosen, externalTools };
    },
    async listModels(options, signal) {
      const workspace = await workspaceOf(options, machine);
      const { config, keys } = await configOf(options, workspace, machine);
      return listOfferedModels(config, { ...machine, environment: { ...machine.environment, ...keys } }, signal);
    },
    async findInstructions(settings) {
      const { findProjectPlace, mayHaveInstructions } = await import('../prompt/project-root.ts');
      const { fileSystem, platform } = machine;
      const place = await findProjectPlace(settings.workspace, platform, fileSystem);
      // The rules of paths are not loaded before the first prompt, unless there is something to check.
      if (!settings.config.context.instructions || !(await mayHaveInstructions(place, platform, fileSystem))) return [];
      return (await import('./open-session.ts')).findInstructions(settings, place, machine);
    },
    openStore: async (settings) => (await import('./open-session.ts')).openStore(settings, machine),
    async chooseSession(options, settings) {
      const { chooseSession, openStore } = await import('./open-session.ts');
      return chooseSession(options, settings, openStore(settings, machine), machine.warn);
    },
    async openSession(settings, approver, session = { type: 'new' }, warn = machine.warn) {
      return (await import('./open-session.ts')).openSession(settings, approver, session, machine, warn);
    },
  };
}

function externalToolsOf({
  config,
  projectTools,
}: Pick<LoadedConfig, 'config' | 'projectTools'>): ExternalToolSettings {
  const { external: entries, search_paths: searchPaths } = config.tools;
  return { entries, projectEntries: projectTools, searchPaths };
}

async function workspaceOf(
  { cwd = '.' }: Pick<SessionOptions, 'cwd'>,
  { fileSystem, resolvePath }: Pick<Machine, 'fileSystem' | 'resolvePath'>,
): Promise<string> {
  const directory = resolvePath(cwd);
  try {
    const real = await fileSystem.realPath(directory);
    if ((await fileSystem.stat(real)).kind === 'directory') return real;
  } catch (error) {
    if (!(error instanceof FileSystemError)) throw error;
  }
  throw new UsageError(`There is no directory ${directory}. Check --cwd.`);
}

async function configOf(
  options: SessionOptions,
  workspace: string,
  machine: Pick<Machine, 'environment' | 'fileSystem' | 'home' | 'platform' | 'resolvePath' | 'warn'>,
): Promise<ConfigWithKeys> {
  const loaded = await loadConfig(machine.fileSystem, {
    platform: machine.platform === 'windows' ? 'windows' : 'posix',
    home: machine.home,
    workspace,
    xdgConfigHome: machine.environment['XDG_CONFIG_HOME'],
    configFile: options.config === undefined ? undefined : machine.resolvePath(options.config),
    overrides: {
      'llm.provider': options.provider,
      'llm.model': options.model,
      'llm.endpoint': options.endpoint,
      'llm.tool_protocol': options.toolProtocol,
      'safety.permission_mode': options.permissionMode,
    },
    variables: modelVariables(machine.environment),
    keys: indexKeys(CONFIG_KEYS, TOOL_NAMES),
  });
  for (const warning of loaded.warnings) await machine.warn(warning);
  return loaded;
}
