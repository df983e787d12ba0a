import { ownDirectories, safetySettings, sandboxSettings, toolSeconds } from '../config/layers/sources.ts';
import type { Config } from '../config/schema.ts';
import { FileSystemError, messageOf, UsageError } from '../core/errors.ts';
import type { Approver } from '../ports/approver.ts';
import type { PromptSettings } from '../prompt/gather-prompt.ts';
import type { ProjectPlace } from '../prompt/project-root.ts';
import { keyVariables } from '../providers/target/presets.ts';
import { expandPath } from '../safety/paths/written-path.ts';
import { createRedactor, type Redactor, secretsOf } from '../safety/redact.ts';
import type { SandboxRules } from '../safety/sandbox/rules.ts';
import { limitAnswerTime } from '../session/approvals/limit-answer-time.ts';
import { historyElement } from '../session/export/history-xnl.ts';
import { SessionStore } from '../session/session-store.ts';
import { externalToolWarnings } from '../tools/external-tools.ts';
import { TOOL_NAMES } from '../tools/tools.ts';
import type { SessionSettings } from './conversation.ts';
import type { Agent } from './session.ts';
import type { ChosenSession, Machine, OpenSession, SessionOptions, Settings, StoreSettings } from './settings.ts';

/** Opens the store of the sessions that the settings name. Nothing is created yet. */
export function openStore(settings: StoreSettings, machine: Machine): SessionStore {
  const { config, workspace, autoSave } = settings;
  const { fileSystem, processes, clock, digest, random, newId, platform, home } = machine;
  return new SessionStore({
    ...{ fileSystem, processes, clock, digest, random, newId },
    directory: expandPath(config.session.storage_path, { workspace, platform, home }),
    temporaryDirectory: machine.resolvePath(machine.temporaryDirectory),
    autoSave: autoSave ?? config.session.auto_save,
    redact: redactorOf(settings, machine).redact,
    ...(config.llm.tool_protocol === 'xnl' && { historyOf: historyElement }),
  });
}

/**
 * Chooses the session that the options name: a new one, the last one of the workspace (`--continue`), or the one of
 * `--resume`. Removes sessions that are due, or announces that. Throws `UsageError` if there is no such session.
 */
export async function chooseSession(
  options: SessionOptions,
  settings: Settings,
  store: SessionStore,
  warn: Machine['warn'],
): Promise<ChosenSession> {
  try {
    return await findOrBegin(options, settings, store, warn);
  } catch (error) {
    if (!(error instanceof FileSystemError)) throw error;
    throw new UsageError(`The directory of the sessions cannot be used: ${error.message} (session.storage_path)`);
  }
}

async function findOrBegin(
  options: SessionOptions,
  settings: Settings,
  store: SessionStore,
  warn: Machine['warn'],
): Promise<ChosenSession> {
  const { max_sessions: maxSessions, retention_days: retentionDays, auto_save: autoSave } = settings.config.session;
  if (options.resume !== undefined) return { type: 'stored', name: await store.find(options.resume) };
  if (options.continue === true) {
    const name = (await store.heads()).find(({ workspace }) => workspace === settings.workspace)?.name;
    if (name !== undefined) return { type: 'stored', name };
    throw new UsageError(`There is no session of ${settings.workspace} to continue. Start ybs without --continue.`);
  }
  if (autoSave) await store.cleanUp({ maxSessions, retentionDays }, warn);
  return autoSave ? { type: 'new', name: store.newName() } : { type: 'new' };
}

/**
 * Opens a session: its model, its tools, its log. `warn` gets a line for each tool that cannot be used. Throws `UsageError`
 * if something of it cannot be used. `signal` as in `reloadTools` of `Agent`.
 */
export async function openSession(
  settings: Settings,
  approver: Approver,
  chosen: ChosenSession,
  machine: Machine,
  warn: Machine['warn'],
  signal?: AbortSignal,
): Promise<OpenSession> {
  const { config, model } = settings;
  const isTrusted = settings.trust.verdict.type === 'trusted';
  try {
    // Loaded here, because the first prompt of a chat does not need them.
    // Tried first, because the shell needs it.
    const sandbox = await settings.sandbox?.();
    const [{ createAgent }, { shellEnvironment }, adapters, languageModel, smallModel] = await Promise.all([
      import('./session.ts'),
      import('../tools/shell/shell-environment.ts'),
      machine.loadSessionAdapters(),
      model.open(),
      model.openSmall(),
    ]);
    const environment = shellEnvironment(
      machine.environment,
      keyVariables(configuredVariables(config)),
      config.safety.environment,
    );
    const rules = sandbox?.type === 'on' ? await sandboxRules(settings, machine) : undefined;
    const { shell, name: shellName } = adapters.openShell(environment, rules);
    const textSearch = adapters.openTextSearch();
    const sessions = openStore(settings, machine);
    const record = await (chosen.type === 'new' ? sessions.create(chosen.name) : sessions.open(chosen.name));
    const agent = await createAgent(
      {
        modelName: model.name,
        ...safetySettings(config),
        assumptions: isTrusted ? ['trusted'] : [],
        sandbox,
        dryRun: settings.dryRun,
        maxIterations: config.agent.max_iterations,
        maxToolOutputChars: config.context.max_tool_output_chars,
        context: {
          maxTokens: config.context.max_tokens,
          threshold: config.context.compaction_threshold,
          maxAnswerTokens: config.llm.max_tokens,
        },
        offersTools: config.tools.enabled,
        toolSeconds: toolSeconds(config),
        disabledTools: TOOL_NAMES.filter((name) => config.tools.builtin[name]?.enabled === false),
        toolDescriptions: descriptionsOf(config),
        prompt: await promptSettings(settings, machine),
        autoCommit: config.git.auto_commit ? { prefix: config.git.commit_message_prefix } : undefined,
        systemPrompt: settings.systemPrompt,
        tools: settings.tools,
        externalTools: settings.externalTools,
      },
      {
        model: languageModel,
        smallModel,
        approver: limitAnswerTime(approver, machine.clock, config.safety.approval_timeout_seconds),
        fileSystem: machine.fileSystem,
        shell,
        textSearch,
        clock: machine.clock,
        digest: machine.digest,
        runGit: isTrusted ? machine.runGit : undefined,
        platform: machine.platform,
        shellName,
        environment,
        workspace: settings.workspace,
        home: machine.home,
        ownDirectories: ownDirectories(config, machine),
        configuration: { config, origins: settings.origins ?? new Map() },
        sessions,
        record,
        redactor: redactorOf(settings, machine),
        effort: config.llm.reasoning_effort,
        openModel: (effort) => model.open(effort),
        readExternalTools: settings.readExternalTools,
      },
      signal,
    ).catch(async (error: unknown) => {
      await record.close();
      throw error;
    });
    // Who stops the opening does not want to hear of the tools that were not waited for.
    for (const warning of signal?.aborted === true ? [] : externalToolWarnings(agent.externalTools))
      await warn(warning);
    const close = async (): Promise<void> => {
      await Promise.all([textSearch.dispose(), model.close(), closeRecord(agent, machine)]);
    };
    return { agent, close };
  } catch (error) {
    await model.close().catch(() => {});
    if (error instanceof FileSystemError) throw new UsageError(`A directory cannot be used: ${error.message}`);
    throw error;
  }
}

/** The rules of the sandbox in the workspace. */
export async function sandboxRules(
  { config, workspace }: Pick<Settings, 'config' | 'workspace'>,
  machine: Machine,
): Promise<SandboxRules> {
  const [{ buildSandboxRules }, { readStart, realPathOf }] = await Promise.all([
    import('../safety/sandbox/rules.ts'),
    import('../tools/files/resolve-path.ts'),
  ]);
  const { fileSystem, platform, environment, home, digest } = machine;
  return buildSandboxRules(
    {
      ...sandboxSettings(config, machine),
      ...{ workspace, platform, home, digest, searchPath: environment['PATH'] ?? '' },
    },
    (file) => realPathOf(file, fileSystem, platform),
    (file) => readStart(file, fileSystem),
  );
}

/** The paths of the instructions files of the project that the system prompt has, for people. */
export async function findInstructions(
  { config, workspace }: Settings,
  place: ProjectPlace,
  { fileSystem, platform, home, environment }: Machine,
): Promise<readonly string[]> {
  const [{ readProjectInstructions }, { buildPathRules }, { realPathOf }] = await Promise.all([
    import('../prompt/gather-prompt.ts'),
    import('../safety/paths/build-path-rules.ts'),
    import('../tools/files/resolve-path.ts'),
  ]);
  const pathRules = await buildPathRules(
    {
      ...{ workspace, home, platform, allowedPaths: ['.'], readOnlyRoots: [] },
      blockedPaths: config.safety.sandbox_blocked_paths,
      ownDirectories: ownDirectories(config, { platform, home, environment }),
    },
    (file) => realPathOf(file, fileSystem, platform),
  );
  return (await readProjectInstructions(place, { fileSystem, pathRules })).map(({ path }) => path);
}

/** The settings of the system prompt. Throws `UsageError` if the file that replaces the rules cannot be read. */
async function promptSettings({ config, workspace }: Settings, machine: Machine): Promise<PromptSettings> {
  const { readRulesFile } = await import('../prompt/gather-prompt.ts');
  const { context, git, prompt } = config;
  return {
    instructions: context.instructions,
    projectType: context.project_type,
    fileTree: context.file_tree,
    git: git.context,
    repoMapTokens: context.repo_map_tokens,
    excludePatterns: context.exclude_patterns,
    recentCommits: git.recent_commits,
    rules: prompt.system_file === undefined ? undefined : await readRulesFile(prompt.system_file, workspace, machine),
    append: prompt.append,
  };
}

function descriptionsOf({ tools }: Config): NonNullable<SessionSettings['toolDescriptions']> {
  return Object.fromEntries(
    TOOL_NAMES.flatMap((name) => {
      const description = tools.builtin[name]?.description;
      return description === undefined ? [] : [[name, description]];
    }),
  );
}

/** Closes the open session. A failure is only worth a warning, because the session has ended. */
async function closeRecord(agent: Agent, { warn }: Machine): Promise<void> {
  try {
    await agent.close();
  } catch (error) {
    await warn(`The session could not be closed: ${messageOf(error)}`);
  }
}

/** The redactor of a session. It knows the keys of the configuration and the secrets of the environment. */
function redactorOf({ config, keys = {} }: StoreSettings, { environment }: Machine): Redactor {
  const variables = keyVariables(configuredVariables(config));
  return createRedactor(secretsOf({ ...environment, ...keys }, [...variables, ...Object.keys(keys)]));
}

/** The variables that the configuration names for keys, of the active connection and of every profile. */
function configuredVariables({ llm, models }: Config): readonly (string | undefined)[] {
  return [llm.api_key_variable, ...models.profiles.map((profile) => profile.api_key_variable)];
}
