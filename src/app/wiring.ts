import { type ConfigWithKeys, loadConfig } from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import { FileSystemError, UsageError } from '../core/errors.ts';
import type { Approver, PermissionMode } from '../ports/approver.ts';
import type { Clock } from '../ports/clock.ts';
import type { ComputeDigest } from '../ports/digest.ts';
import type { FileSystem } from '../ports/file-system.ts';
import type { LanguageModel } from '../ports/language-model.ts';
import type { Shell } from '../ports/shell.ts';
import type { TextSearch } from '../ports/text-search.ts';
import type { Tool } from '../ports/tool.ts';
import type { ModelChoice } from '../providers/choose-model.ts';
import { keyVariables, modelVariables, PROVIDERS } from '../providers/presets.ts';
import type { PathPlatform } from '../safety/paths/path-policy.ts';
import { TOOL_NAMES } from '../tools/tools.ts';
import type { Agent } from './session.ts';

/** The machine that ybs runs on: values that `cli/main` reads once, and the adapters it chooses. */
export interface Machine {
  readonly platform: PathPlatform;
  readonly environment: Environment;
  /** Absolute path of the user's home directory. */
  readonly home: string;
  readonly temporaryDirectory: string;
  /** Resolves a path against the current directory. */
  readonly resolvePath: (path: string) => string;
  readonly newId: () => string;
  /** A random number in [0, 1). */
  readonly random: () => number;
  readonly clock: Clock;
  readonly digest: ComputeDigest;
  readonly fileSystem: FileSystem;
  /** Loads the adapters that only an open session needs, so that they do not delay the first prompt. */
  readonly loadSessionAdapters: () => Promise<SessionAdapters>;
  /** Starts the embedded mock model on the stories that come with ybs. */
  readonly startMockModel: StartMockModel;
  /** Shows a warning to the user. */
  readonly warn: (message: string) => Promise<unknown>;
}

/** Adapters that only an open session needs. */
export interface SessionAdapters {
  /** The shell of this machine, and its name for the model. Commands get `environment`. */
  openShell(environment: Readonly<Record<string, string>>): { readonly shell: Shell; readonly name: string };
  openTextSearch(): TextSearch & { dispose(): Promise<void> };
}

/** Starts a model server on a free port of this machine. */
export type StartMockModel = () => Promise<{ readonly url: string; close(): Promise<void> }>;

/** Options of a session from the command line; each is absent unless given. */
export interface SessionOptions {
  readonly config?: string;
  readonly model?: string;
  readonly provider?: string;
  readonly endpoint?: string;
  readonly cwd?: string;
  readonly permissionMode?: PermissionMode;
  readonly dryRun: boolean;
}

/** Settings of a session: the command line and the configuration files merged, and the model they name. */
export interface Settings {
  readonly config: Config;
  /** Real path of the directory to work in. */
  readonly workspace: string;
  readonly dryRun: boolean;
  readonly model: ChosenModel;
  /** Replaces the system prompt of ybs. */
  readonly systemPrompt?: string;
  /** Tools besides those of ybs. */
  readonly tools?: readonly Tool[];
}

/** The model of a session. The embedded mock starts with the first `open`; `close` stops it. */
export interface ChosenModel {
  /** Provider and model: `mock/mock-model`. */
  readonly name: string;
  readonly embedded: boolean;
  open(): Promise<LanguageModel>;
  /** The model for summaries, if one is configured. */
  openSmall(): Promise<LanguageModel | undefined>;
  close(): Promise<void>;
}

/** An open session. `close` closes its model and its text search, and removes the logs of its commands. */
export interface OpenSession {
  readonly agent: Agent;
  close(): Promise<void>;
}

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
  /** Opens a session. Throws `UsageError` when one of its directories does not exist. */
  openSession(settings: Settings, approver: Approver): Promise<OpenSession>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The composition root: the only module that connects adapters with the code that uses them. */
export function createWiring(machine: Machine): Wiring {
  return {
    async loadSettings(options, startMockModel = machine.startMockModel) {
      const workspace = await workspaceOf(options, machine);
      const { config, keys } = await configOf(options, workspace, machine);
      const environment = { ...machine.environment, ...keys };
      const model = await chooseModel(config, { ...machine, environment, startMockModel });
      return { config, workspace, dryRun: options.dryRun, model };
    },
    async useConfig(config, { directory: cwd, model }) {
      const workspace = await workspaceOf({ cwd }, machine);
      const chosen = model === undefined ? await chooseModel(config, machine) : givenModel(model, 'custom');
      return { config, workspace, dryRun: false, model: chosen };
    },
    openSession: (settings, approver) => openSession(settings, approver, machine),
  };
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
      'safety.permission_mode': options.permissionMode,
    },
    variables: modelVariables(machine.environment),
    toolNames: TOOL_NAMES,
  });
  for (const warning of loaded.warnings) await machine.warn(warning);
  return loaded;
}

/**
 * Chooses the model that the configuration names. The provider `mock` without an endpoint is the embedded mock, which
 * starts when it is first opened. Throws `UsageError` when the configuration names no usable model.
 */
async function chooseModel(
  config: Config,
  machine: Pick<Machine, 'clock' | 'environment' | 'random' | 'startMockModel'>,
): Promise<ChosenModel> {
  const { llm } = config;
  const configured = (changes: Partial<Config['llm']>) =>
    configuredModel({ ...config, llm: { ...llm, ...changes } }, machine);
  const openSmall = async (endpoint = llm.endpoint): Promise<LanguageModel | undefined> =>
    llm.small_model === undefined ? undefined : (await configured({ endpoint, model: llm.small_model })).open();
  if (llm.provider !== 'mock' || llm.endpoint !== undefined) {
    const { name, open } = await configured({});
    let model: Promise<LanguageModel> | undefined;
    return { name, embedded: false, open: () => (model ??= open()), openSmall, close: async () => {} };
  }
  let server: ReturnType<StartMockModel> | undefined;
  const address = async (): Promise<string> => {
    server ??= machine.startMockModel();
    return (await server).url;
  };
  return {
    name: `mock/${llm.model ?? PROVIDERS.get('mock')?.model ?? 'unnamed'}`,
    embedded: true,
    open: async () => (await configured({ endpoint: await address() })).open(),
    openSmall: async () => openSmall(await address()),
    async close() {
      await (await server)?.close();
    },
  };
}

function givenModel(model: LanguageModel, name: string): ChosenModel {
  return { name, embedded: false, open: async () => model, openSmall: async () => undefined, close: async () => {} };
}

async function configuredModel(
  config: Config,
  { clock, environment, random }: Pick<Machine, 'clock' | 'environment' | 'random'>,
): Promise<Extract<ModelChoice, { type: 'model' }>> {
  // Loaded here, because the first prompt on the embedded mock does not need it.
  const providers = await import('../providers/choose-model.ts');
  const choice = providers.chooseModel(config, environment, { clock, random });
  if (choice.type === 'refused') throw new UsageError(`${choice.message} (${choice.key})`);
  return choice;
}

async function openSession(settings: Settings, approver: Approver, machine: Machine): Promise<OpenSession> {
  const { config, model } = settings;
  try {
    const [{ createAgent }, { createSessionFiles }, { shellEnvironment }, adapters, opened, smallModel] =
      await Promise.all([
        import('./session.ts'),
        import('../session/session-files.ts'),
        import('../tools/shell/shell-environment.ts'),
        machine.loadSessionAdapters(),
        model.open(),
        model.openSmall(),
      ]);
    const environment = shellEnvironment(machine.environment, keyVariables(configuredVariables(config)));
    const { shell, name: shellName } = adapters.openShell(environment);
    const textSearch = adapters.openTextSearch();
    const sessionId = machine.newId();
    const outputDirectory = machine.resolvePath(`${machine.temporaryDirectory}/ybs-${sessionId}`);
    const agent = await createAgent(
      {
        sessionId,
        modelName: model.name,
        permissionMode: config.safety.permission_mode,
        dryRun: settings.dryRun,
        maxIterations: config.agent.max_iterations,
        maxToolOutputChars: config.context.max_tool_output_chars,
        context: {
          maxTokens: config.context.max_tokens,
          threshold: config.context.compaction_threshold,
          maxAnswerTokens: config.llm.max_tokens,
        },
        allowedPaths: config.safety.sandbox_allowed_paths,
        blockedPaths: config.safety.sandbox_blocked_paths,
        blockedCommands: config.safety.blocked_commands,
        disabledTools: TOOL_NAMES.filter((name) => config.tools.builtin[name]?.enabled === false),
        systemPrompt: settings.systemPrompt,
        tools: settings.tools,
      },
      {
        model: opened,
        smallModel,
        approver,
        fileSystem: machine.fileSystem,
        shell,
        textSearch,
        clock: machine.clock,
        digest: machine.digest,
        platform: machine.platform,
        shellName,
        environment,
        workspace: settings.workspace,
        home: machine.home,
        files: createSessionFiles(machine.fileSystem, outputDirectory),
      },
    );
    const close = async (): Promise<void> => {
      await Promise.all([textSearch.dispose(), model.close(), removeLogs(outputDirectory, machine)]);
    };
    return { agent, close };
  } catch (error) {
    await model.close().catch(() => {});
    if (error instanceof FileSystemError) throw new UsageError(`A directory cannot be used: ${error.message}`);
    throw error;
  }
}

/** Removes the logs of a session's commands. A failure is only worth a warning, because the session has ended. */
async function removeLogs(directory: string, { fileSystem, warn }: Machine): Promise<void> {
  try {
    await fileSystem.removeDirectory(directory);
  } catch (error) {
    if (!(error instanceof FileSystemError)) throw error;
    await warn(`The command logs in ${directory} could not be removed: ${error.code}.`);
  }
}

/** The variables that the configuration names for keys, of the active connection and of every profile. */
function configuredVariables({ llm, models }: Config): readonly (string | undefined)[] {
  return [llm.api_key_variable, ...models.profiles.map((profile) => profile.api_key_variable)];
}
