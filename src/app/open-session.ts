import { FileSystemError, UsageError } from '../agent/errors.ts';
import { agentSettings, configuredVariables } from '../config/agent-settings.ts';
import { ownDirectories } from '../config/layers/sources.ts';
import { expandPath } from '../policy/paths/written-path.ts';
import { createRedactor, type Redactor, secretsOf } from '../policy/redaction/redact.ts';
import { keyVariables } from '../providers/target/presets.ts';
import { limitAnswerTime } from '../session/approvals/limit-answer-time.ts';
import { type ChosenSession, openChosen } from '../session/choose-session.ts';
import { historyElement } from '../session/export/history-xnl.ts';
import { PromptHistory } from '../session/prompt-history.ts';
import { SessionStore } from '../session/session-store.ts';
import { externalToolWarnings } from '../tools/external-tools.ts';
import type { SessionApprover } from './driver/questions.ts';
import { closeRecord, limitOf } from './driver/session-ends.ts';
import { openSessionServers } from './mcp/session-servers.ts';
import { readPromptSettings } from './prompt/prompt-settings.ts';
import type { Machine, OpenSession, Settings, StoreSettings } from './settings.ts';
import { findSessionSkills, readSessionSandbox, withSkills } from './skills/session-skills.ts';

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

/** Opens the history of the messages in the workspace; `undefined` if nothing is stored. */
export function openHistory(settings: StoreSettings, machine: Machine): PromptHistory | undefined {
  const { config, workspace, autoSave = config.session.auto_save } = settings;
  const { fileSystem, digest, platform, home } = machine;
  const [, configuration = ''] = ownDirectories(config, machine);
  const directory = expandPath(`${configuration}/history`, { workspace, platform, home });
  const { redact } = redactorOf(settings, machine);
  return autoSave ? new PromptHistory({ fileSystem, digest, workspace, directory, redact }) : undefined;
}

/**
 * Opens a session: its model, its tools, its log. `warn` gets a line for each tool that cannot be used. Throws `UsageError`
 * if something of it cannot be used. `signal` as in `reloadTools` of `Agent`.
 */
export async function openSession(
  settings: Settings,
  approver: SessionApprover,
  chosen: ChosenSession,
  machine: Machine,
  warn: Machine['warn'],
  signal?: AbortSignal,
): Promise<OpenSession> {
  const { config, model } = settings;
  const isTrusted = settings.trust.verdict.type === 'trusted';
  try {
    // Loaded here: the first prompt of a chat does not need them. The trial of the sandbox is first: the shell needs
    // it.
    const [sandbox, { startAgent }, { shellEnvironment }, adapters, languageModel, smallModel] = await Promise.all([
      settings.sandbox?.(),
      import('./session.ts'),
      import('../tools/shell/shell-environment.ts'),
      machine.loadSessionAdapters(),
      model.open(),
      model.openSmall(),
    ]);
    const keys = keyVariables(configuredVariables(config));
    const environment = shellEnvironment(machine.environment, keys, config.safety.environment, settings.workspace);
    const skills = await findSessionSkills(settings, machine);
    const sessions = openStore(settings, machine);
    const opening = openChosen(chosen, sessions);
    const closeAfter = async (error: unknown): Promise<never> => {
      await opening.then((record) => record.close()).catch(() => {});
      throw error;
    };
    const [record, rules, prompt, limitModel] = await Promise.all([
      opening,
      sandbox?.type === 'on' || settings.confined ? readSessionSandbox(settings, machine, skills) : undefined,
      readPromptSettings(config, settings.workspace, machine),
      limitOf(settings, languageModel),
    ]).catch(closeAfter);
    const { shell, name: shellName } = adapters.openShell(environment, rules);
    const textSearch = adapters.openTextSearch(settings.workspace);
    const redactor = redactorOf(settings, machine);
    const start = async () => adapters.openServerStart?.(rules);
    const mcpServers = await openSessionServers(settings, machine, start, { forms: approver.forms, redactor });
    const agent = await startAgent(
      {
        ...agentSettings(config, settings.origins),
        modelName: model.name,
        policy: settings.policy,
        isModeNamed: settings.origins?.get('safety.permission_mode') === 'command line',
        assumptions: isTrusted ? ['trusted'] : [],
        sandbox,
        dryRun: settings.dryRun,
        prompt,
        systemPrompt: settings.systemPrompt,
        tools: settings.tools,
        hooks: settings.hooks,
        answerSchema: settings.answerSchema,
        externalTools: settings.externalTools,
        skills,
        mcpServers,
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
        redactor,
        effort: config.llm.reasoning_effort,
        openModel: (effort) => model.open(effort),
        limitModel,
        readExternalTools: settings.readExternalTools,
        async loadExtensions() {
          const { findExtensions } = await import('./extensions/load-extensions.ts');
          const found = await withSkills(await findExtensions(settings, machine), skills);
          if (mcpServers.length === 0) return found;
          const { withPrompts } = await import('./mcp/prompt-commands.ts');
          return withPrompts(found, mcpServers, machine.digest, settings.dryRun);
        },
      },
      signal,
    ).catch(closeAfter);
    // After a stop, tools that did not finish loading are not reported.
    for (const warning of signal?.aborted === true ? [] : externalToolWarnings(agent.externalTools))
      await warn(warning);
    if (agent.skills.list.isTooLong === true) await warn((await import('./skills/skill-texts.ts')).SKILLS_TOO_LONG);
    const close = async (): Promise<void> => {
      const servers = mcpServers.map((server) => server.close());
      await Promise.all([...servers, textSearch.dispose(), model.close(), closeRecord(agent, machine)]);
    };
    return { agent, close };
  } catch (error) {
    await model.close().catch(() => {});
    if (error instanceof FileSystemError) throw new UsageError(`A directory cannot be used: ${error.message}`);
    throw error;
  }
}

/** The redactor of a session. It knows the keys of the configuration and the secrets of the environment. */
function redactorOf({ config, keys = {} }: StoreSettings, { environment }: Machine): Redactor {
  const variables = keyVariables(configuredVariables(config));
  return createRedactor(secretsOf({ ...environment, ...keys }, [...variables, ...Object.keys(keys)]));
}
