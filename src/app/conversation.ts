import { type ContextSettings, fitIntoWindow } from '../agent/context/fit-into-window.ts';
import type { Approver, PermissionRule } from '../agent/ports/approver.ts';
import type { Clock } from '../agent/ports/clock.ts';
import type { ComputeDigest } from '../agent/ports/digest.ts';
import type { FileSystem } from '../agent/ports/file-system.ts';
import type { JsonObject } from '../agent/ports/json.ts';
import type { LanguageModel } from '../agent/ports/language-model.ts';
import type { Shell } from '../agent/ports/shell.ts';
import type { Tool, ToolDialect, ToolSet } from '../agent/ports/tool.ts';
import type { AgentSettings } from '../agent/run-input.ts';
import { applyEvent, EMPTY_SESSION, type SessionState } from '../agent/session-state.ts';
import { decide } from '../policy/decide.ts';
import { buildDecisionSettings, restoredMode, type SafetySettings } from '../policy/decision-settings.ts';
import { whyNoneStarts } from '../policy/external-programs.ts';
import type { PathPlatform } from '../policy/paths/path-policy.ts';
import { mayKeepRule } from '../policy/permission-rules.ts';
import type { Redactor } from '../policy/redact.ts';
import { ruleRunsFile } from '../policy/shell/written-scripts.ts';
import { openPermissions, type SessionPermissions } from '../session/approvals/session-permissions.ts';
import { WrittenFiles } from '../session/approvals/written-files.ts';
import { UserActions } from '../session/audit/user-actions.ts';
import type { RunGit } from '../session/git/git-command.ts';
import type { SessionRecord } from '../session/session-record.ts';
import { inDialect } from '../tools/dialects/in-dialect.ts';
import type { ExternalToolSettings, ExternalToolState } from '../tools/external-tool/discovery.ts';
import { findExternalTools, NO_EXTERNAL_TOOLS } from '../tools/external-tools.ts';
import { ReadLedger } from '../tools/files/read-ledger.ts';
import { createRealPathOf } from '../tools/files/resolve-path.ts';
import { createPresentPlan, offerPlanTool } from '../tools/present-plan.ts';
import { createRegistry } from '../tools/registry.ts';
import type { TextSearch } from '../tools/search/text-search.ts';
import { createTools, type ToolPorts } from '../tools/tools.ts';
import { type CallHooks, withHooks } from '../tools/wrappers/hooked-tools.ts';
import { withRedaction } from '../tools/wrappers/redacted-tool.ts';
import { gatherPrompt, type PromptSettings } from './prompt/gather-prompt.ts';
import { instructionTokens } from './prompt/instructions.ts';
import { withNestedInstructions } from './prompt/nested-instructions.ts';
import { withPlanReminders } from './prompt/plan-reminders.ts';
import { type PromptPart, systemText } from './prompt/prompt-parts.ts';
import { withTaskReminders } from './prompt/task-reminders.ts';

/** Ports of one session, and facts about the machine it runs on. */
export interface SessionPorts {
  readonly model: LanguageModel;
  /** Writes the summaries of long conversations, instead of `model`. */
  readonly smallModel?: LanguageModel | undefined;
  readonly approver: Approver;
  readonly fileSystem: FileSystem;
  readonly shell: Shell;
  /** Absent: nothing asks git, as before the workspace is trusted. */
  readonly runGit?: RunGit | undefined;
  readonly textSearch: TextSearch;
  readonly clock: Clock;
  readonly digest: ComputeDigest;
  readonly platform: PathPlatform;
  /** Replaces secrets by marks. */
  readonly redactor: Redactor;
  /** Name of the shell that the model writes commands for: `bash`, `PowerShell`. */
  readonly shellName: string;
  /** The environment of commands, provider keys already removed. */
  readonly environment: Readonly<Record<string, string>>;
  /** Absolute path of the directory the session works in. */
  readonly workspace: string;
  /** Absolute path of the user's home directory. */
  readonly home: string;
  /** Directories in which ybs keeps its own files, which no tool may use. */
  readonly ownDirectories: readonly string[];
}

/** Settings of one session. */
export interface SessionSettings extends SafetySettings {
  /** Provider and model: `mock/mock-model`. */
  readonly modelName: string;
  readonly dryRun: boolean;
  readonly maxIterations: number;
  readonly maxToolOutputChars: number;
  readonly context: ContextSettings;
  readonly offersTools: boolean;
  readonly toolsDialect?: ToolDialect | undefined;
  readonly disabledTools: readonly string[];
  /** Maximum time of a call by the name of its tool, in seconds; for `run_shell` the default time of a command. */
  readonly toolSeconds: Readonly<Partial<Record<string, number>>>;
  /** Texts that replace the descriptions of our tools, by name. */
  readonly toolDescriptions?: Readonly<Partial<Record<string, string>>>;
  readonly prompt: PromptSettings;
  /** Commits the files of each run with this prefix of the message. */
  readonly autoCommit?: { readonly prefix: string } | undefined;
  /** Replaces the system prompt, with all its parts. */
  readonly systemPrompt?: string | undefined;
  /** Tools besides those of ybs. */
  readonly tools?: readonly Tool[] | undefined;
  /** The programs of the user that become tools. */
  readonly externalTools?: ExternalToolSettings | undefined;
  readonly hooks?: CallHooks | undefined;
  /** JSON Schema of the answer of each run. */
  readonly answerSchema?: JsonObject | undefined;
}

/** A conversation with its tools and rules, from the first message of a session to `/clear` or `/load`. */
export interface Conversation {
  readonly record: SessionRecord;
  /** `runAgent` updates the state with each event. */
  readonly session: { state: SessionState };
  readonly tools: ToolSet;
  /** The external tools that were found, and those that cannot be used. */
  readonly externalTools: readonly ExternalToolState[];
  readonly toolPorts: ToolPorts & Pick<SessionPorts, 'redactor'>;
  readonly settings: AgentSettings;
  /** The permissions of the user in this session. */
  readonly permissions: SessionPermissions;
  /** The actions of the user between the runs. */
  readonly actions: UserActions;
  /** The files that the sessions of this workspace have written. Absent if the session is not stored. */
  readonly written: WrittenFiles | undefined;
  /** The parts of the system prompt, which stay as they are until the next conversation. */
  readonly promptParts: readonly PromptPart[];
}

/**
 * Begins the conversation of a session, or goes on with the one in its record: with its messages and the files that the
 * model knows, but without the permissions given in it, unless they are kept. `written`: files that a
 * conversation before it has written, by real path. `signal` as in `openTools`.
 */
export async function createConversation(
  settings: SessionSettings,
  ports: SessionPorts & { readonly record: SessionRecord; readonly written?: Iterable<string> },
  signal?: AbortSignal,
): Promise<Conversation> {
  const { fileSystem, platform, workspace, record, ownDirectories } = ports;
  const toRealPath = createRealPathOf(fileSystem, platform);
  const home = await toRealPath(ports.home);
  const places = { workspace, home, platform, ownDirectories, readOnlyRoots: record.outputDirectories };
  const decisionSettings = await buildDecisionSettings(settings, places, toRealPath, fileSystem);
  const { pathRules } = decisionSettings;
  const ledger = new ReadLedger(() => session.state.rules.length);
  for (const [path, digest] of record.restored?.files ?? []) ledger.record(path, { digest, text: undefined });
  const session = {
    state: (record.restored?.interrupted ?? []).reduce(applyEvent, record.restored?.state ?? EMPTY_SESSION),
  };
  const toolPorts = {
    ...ports,
    tasks: () => session.state.tasks,
    pathRules,
    ledger,
    outputDirectory: record.files.outputDirectory,
    maxOutputChars: settings.maxToolOutputChars,
    commandSeconds: settings.toolSeconds['run_shell'],
    sandboxed: settings.sandbox?.type === 'on',
  };
  const runsFile = (rule: PermissionRule, file: string) => ruleRunsFile(rule, file, pathRules);
  const written = record.file === undefined ? undefined : new WrittenFiles({ ...ports, runsFile });
  const actions = new UserActions(record);
  const permissionMode = restoredMode(settings, record.restored?.permissionMode);
  const permissions = openPermissions(session, permissionMode, settings.persistApprovals, {
    ...ports,
    note: (action) => actions.note(action),
    mayKeep: (rule) => mayKeepRule(rule, pathRules),
    runsFile,
  });
  await permissions.restore();
  const earlier = [
    ...(ports.written ?? []),
    ...(await record.writes.writtenFiles()),
    ...((await written?.load()) ?? []),
  ];
  ledger.recordEarlierWrites(earlier);
  const { tools, externalTools } = await openTools(settings, { ...toolPorts, permissions }, session, signal);
  const facts = {
    workspace,
    platform: platform === 'windows' ? 'windows' : 'posix',
    shellName: ports.shellName,
    tools: tools.definitions,
    windowTokens: settings.context.maxTokens,
  } as const;
  const promptParts: readonly PromptPart[] =
    settings.systemPrompt === undefined
      ? await gatherPrompt(settings.prompt, { ...ports, pathRules }, facts)
      : [{ name: 'system', text: settings.systemPrompt }];
  const fit = fitIntoWindow({ ...settings.context, files: record.files });
  return {
    record,
    session,
    tools,
    externalTools,
    toolPorts,
    promptParts,
    permissions,
    actions,
    written,
    settings: {
      system: ports.redactor.redact(systemText(promptParts)),
      maxIterations: settings.maxIterations,
      dryRun: settings.dryRun,
      decide: ({ definition, effect }, rules) =>
        decide(
          { toolName: definition.name, toolEffect: definition.effect, effect },
          permissions.applyTo({ ...decisionSettings, written: ledger.written }),
          rules,
        ),
      prepareRequest: withTaskReminders(withPlanReminders(fit, () => permissions.mode)),
      session: {
        ...{ sessionId: record.id, model: settings.modelName, workspace },
        permissionMode,
        ...(settings.sandbox !== undefined && { sandbox: settings.sandbox }),
      },
    },
  };
}

/**
 * Creates the tools of a conversation: those of ybs, those of the caller, and the external ones. Aborting `signal` ends the
 * search for the external ones, which are then unavailable.
 */
export async function openTools(
  settings: SessionSettings,
  ports: ToolPorts & Pick<SessionPorts, 'redactor'> & Pick<Conversation, 'permissions'>,
  session: Conversation['session'],
  signal: AbortSignal = new AbortController().signal,
): Promise<Pick<Conversation, 'tools' | 'externalTools'>> {
  if (!settings.offersTools) return { tools: createRegistry([]), externalTools: [] };
  const {
    tools: others = [],
    externalTools = NO_EXTERNAL_TOOLS,
    dryRun,
    permissionMode: mode,
    prompt,
    context,
  } = settings;
  const discovery = {
    settings: externalTools,
    otherNames: others.map(({ definition }) => definition.name),
    startsNothing: whyNoneStarts({ dryRun, mode }),
    signal,
  };
  const own = createTools(ports, settings);
  const external = await findExternalTools(discovery, ports);
  const { redact } = ports.redactor;
  const answer = settings.answerSchema && [await loadAnswerTool(settings.answerSchema)];
  const all = [...own, ...others, ...external.tools, ...(answer ?? []), createPresentPlan(ports.permissions)].map(
    (tool) => withRedaction(tool, redact),
  );
  const nested = {
    ...ports,
    excludePatterns: prompt.excludePatterns,
    maxTokens: instructionTokens(context.maxTokens),
    messages: () => session.state.messages,
  };
  const registry = createRegistry(prompt.instructions ? withNestedInstructions(all, nested) : all);
  const translated = await inDialect(settings.toolsDialect, registry, ports.pathRules.platform);
  const spoken = offerPlanTool(translated, ports.permissions);
  const tools = settings.hooks === undefined ? spoken : withHooks(spoken, settings.hooks, redact);
  return { tools, externalTools: external.states };
}

async function loadAnswerTool(schema: JsonObject): Promise<Tool> {
  return (await import('../tools/structured-answer.ts')).createAnswerTool(schema);
}
