import type { LanguageModel } from '../agent/ports/language-model.ts';
import { userLimits } from '../config/agent-settings.ts';
import { indexKeys } from '../config/describe/keys.ts';
import type { HostConfig } from '../config/host-options.ts';
import { withinPolicy } from '../config/layers/policy-layer.ts';
import { configSources, findSandbox, workspaceOf } from '../config/layers/sources.ts';
import { type ConfigWithKeys, loadConfig } from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import type { ChangedConfig, ConfigChange } from '../config/set-value.ts';
import type { OpenProject } from '../config/trust/open-project.ts';
import { assumedTrust, type JudgeProject, judgeProject } from '../config/trust/project-trust.ts';
import {
  chooseConfiguredModel,
  givenModel,
  listOfferedModels,
  type OfferedModels,
  type StartMockModel,
} from '../providers/target/chosen-model.ts';
import type { FoundServer } from '../providers/target/find-servers.ts';
import { modelVariables } from '../providers/target/presets.ts';
import { type ChosenSession, chooseSession } from '../session/choose-session.ts';
import type { PromptHistory } from '../session/prompt-history.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { ExternalToolSettings } from '../tools/external-tool/discovery.ts';
import { TOOL_NAMES } from '../tools/tools.ts';
import { CONFIG_KEYS } from './config-keys.data.ts';
import type { SessionApprover } from './driver/questions.ts';
import { configuredServers } from './mcp/session-servers.ts';
import { openHistory, openSession, openStore } from './open-session.ts';
import { findInstructions } from './prompt/prompt-settings.ts';
import type { Machine, OpenSession, SessionOptions, Settings, StoreSettings } from './settings.ts';

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
    options: { readonly directory: string; readonly model: LanguageModel | undefined; readonly trusted: boolean },
  ): Promise<Settings>;
  /**
   * The models that the configured provider offers. Throws `UsageError` when the provider cannot be used, and
   * `ModelError` when it does not answer.
   */
  listModels(options: SessionOptions, signal: AbortSignal): Promise<OfferedModels>;
  /** The model servers that answer at their usual addresses on this machine; see `findServers`. */
  findServers(settings: Pick<Settings, 'config' | 'origins'>, signal: AbortSignal): Promise<readonly FoundServer[]>;
  /** The configuration alone, which need not name a usable model, with or without its warnings. Throws `UsageError`. */
  readConfig(options: SessionOptions, warns?: boolean): Promise<ConfigWithKeys>;
  /** The project of the workspace, as the user is asked about it; see `openProject`. */
  openProject(options: SessionOptions): Promise<OpenProject>;
  /** Sets a key in a file of the user; see `setConfigValue`. */
  setConfig(options: SessionOptions, change: ConfigChange): Promise<ChangedConfig>;
  /** See `findInstructions`. */
  findInstructions(settings: Settings): Promise<readonly string[]>;
  /** See `openHistory`. */
  openHistory(settings: StoreSettings): Promise<PromptHistory | undefined>;
  /** See `openStore`. */
  openStore(settings: StoreSettings): Promise<SessionStore>;
  /** See `chooseSession`. */
  chooseSession(options: SessionOptions, settings: Settings): Promise<ChosenSession>;
  /**
   * Opens a session, by default a new one. `warn` replaces that of the machine. Throws `UsageError` when it or one of its
   * directories cannot be used. Aborting `signal` ends the programs that are asked for their schemas.
   */
  openSession(
    settings: Settings,
    approver: SessionApprover,
    session?: ChosenSession,
    warn?: Machine['warn'],
    signal?: AbortSignal,
  ): Promise<OpenSession>;
}

const loadAliases = async () => (await import('../tools/dialects/aliases.ts')).TOOL_ALIASES;
const KNOWN = { modelVariables, keys: indexKeys(CONFIG_KEYS, TOOL_NAMES, loadAliases) };

/** The options that change the configuration after it is loaded. */
const HOST_OPTIONS = ['tools', 'allowedTools', 'disallowedTools', 'addDirectories', 'appendSystemPrompt'] as const;

/** The composition root: the only module that connects adapters with the code that uses them. */
export function createWiring(machine: Machine): Wiring {
  const warned = new Set<string>();
  /** Warns of each problem once, although a session may read the files again. */
  const configOf = async (options: SessionOptions, workspace: string, warns = true): Promise<ConfigWithKeys> => {
    const sources = configSources(options, workspace, machine, KNOWN);
    const judge: JudgeProject = async (project) =>
      options.trusted === undefined ? judgeProject(sources, project, machine) : assumedTrust(options.trusted);
    const loaded = await loadConfig(machine.fileSystem, {
      ...sources,
      judgeProject: judge,
      readPolicy: machine.readPolicy,
    });
    const { config, warnings } = await withOptions(loaded.config, options);
    const all = warns ? [...loaded.warnings, ...warnings] : [];
    for (const warning of all) if (!warned.has(warning)) await machine.warn(warning);
    for (const warning of all) warned.add(warning);
    return { ...loaded, config: withinPolicy(config, loaded.policy) };
  };
  const withOptions = async (config: Config, options: SessionOptions): Promise<HostConfig> => {
    if (!HOST_OPTIONS.some((name) => options[name] !== undefined)) return { config, warnings: [] };
    const [{ withHostOptions }, { canonicalToolName: canonical }] = await Promise.all([
      import('../config/host-options.ts'),
      import('../tools/dialects/aliases.ts'),
    ]);
    return withHostOptions(config, options, { own: TOOL_NAMES, canonical }, machine.resolvePath);
  };
  return {
    async loadSettings(options, startMockModel = machine.startMockModel) {
      const workspace = await workspaceOf(options, machine);
      const loaded = await configOf(options, workspace);
      const { config, origins, keys, trust } = loaded;
      const environment = { ...machine.environment, ...keys };
      const model = await chooseConfiguredModel(
        { ...config, limits: userLimits(config, origins), origins },
        { ...machine, environment, startMockModel },
        options.fallbackModel,
      );
      const readExternalTools = async () => externalToolsOf(await configOf(options, workspace));
      const externalTools = externalToolsOf(loaded);
      const sandbox = () => findSandbox({ config, origins }, workspace, machine);
      const tools = { externalTools, readExternalTools };
      const { systemPrompt: given, appendSystemPrompt: added, dryRun, maxBudgetUsd, answerSchema } = options;
      const systemPrompt = given === undefined || added === undefined ? given : `${given}\n\n${added}`;
      return {
        ...{ config, origins, keys, workspace, trust, dryRun, model, sandbox, warnings: loaded.warnings },
        ...{ systemPrompt, maxBudgetUsd, answerSchema },
        ...{ ...tools, policy: loaded.policy, mcpServers: configuredServers(config, machine) },
      };
    },
    async useConfig(config, { directory: cwd, model, trusted }) {
      const workspace = await workspaceOf({ cwd }, machine);
      const chosen =
        model === undefined
          ? await chooseConfiguredModel({ ...config, limits: userLimits(config) }, machine)
          : givenModel(model, 'custom');
      const trust = assumedTrust(trusted);
      const externalTools = externalToolsOf({ config, projectTools: [], trust });
      const sandbox = () => findSandbox({ config }, workspace, machine);
      return { config, workspace, trust, dryRun: false, model: chosen, sandbox, externalTools };
    },
    async listModels(options, signal) {
      const workspace = await workspaceOf(options, machine);
      const { config, keys, origins } = await configOf(options, workspace);
      const limited = { ...config, limits: userLimits(config, origins) };
      return listOfferedModels(limited, { ...machine, environment: { ...machine.environment, ...keys } }, signal);
    },
    async findServers({ config, origins }, signal) {
      const { findServers } = await import('../providers/target/find-servers.ts');
      return findServers({ ...config, limits: userLimits(config, origins) }, machine.environment, machine, signal);
    },
    readConfig: async (options, warns) => configOf(options, await workspaceOf(options, machine), warns),
    async openProject(options) {
      const sources = configSources(options, await workspaceOf(options, machine), machine, KNOWN);
      const configuration = await configOf({ ...options, trusted: false }, sources.workspace);
      return (await import('../config/trust/open-project.ts')).openProject(sources, configuration, machine);
    },
    async setConfig(options, change) {
      const sources = configSources(options, await workspaceOf(options, machine), machine, KNOWN);
      return (await import('../config/set-value.ts')).setConfigValue(machine, sources, change);
    },
    findInstructions: async (settings) => findInstructions(settings.config, settings.workspace, machine),
    openHistory: async (settings) => openHistory(settings, machine),
    openStore: async (settings) => openStore(settings, machine),
    async chooseSession(options, settings) {
      const { max_sessions: maxSessions, retention_days: retentionDays, auto_save: autoSave } = settings.config.session;
      const choice = { workspace: settings.workspace, limits: { maxSessions, retentionDays }, autoSave };
      return chooseSession(options, choice, openStore(settings, machine), machine.warn);
    },
    openSession: async (settings, approver, session = { type: 'new' }, warn = machine.warn, signal) =>
      openSession(settings, approver, session, machine, warn, signal),
  };
}

function externalToolsOf(loaded: Pick<ConfigWithKeys, 'config' | 'projectTools' | 'trust'>): ExternalToolSettings {
  const { external: entries, search_paths: searchPaths } = loaded.config.tools;
  return { entries, projectEntries: loaded.projectTools, searchPaths, trustedPrograms: loaded.trust.programs };
}
