import { type ContextSettings, fitIntoWindow } from '../agent/context/fit-into-window.ts';
import type { Approver, PermissionRule } from '../agent/ports/approver.ts';
import type { Clock } from '../agent/ports/clock.ts';
import type { ComputeDigest } from '../agent/ports/digest.ts';
import type { FileSystem } from '../agent/ports/file-system.ts';
import type { JsonObject } from '../agent/ports/json.ts';
import type { LanguageModel } from '../agent/ports/language-model.ts';
import type { Shell } from '../agent/ports/shell.ts';
import type { Tool, ToolDialect, ToolSet } from '../agent/ports/tool.ts';
import type { AgentSettings, Decide } from '../agent/run-input.ts';
import { applyEvent, EMPTY_SESSION, type SessionState } from '../agent/session-state.ts';
import { decide } from '../policy/decide.ts';
import { buildDecisionSettings, restoredMode, type SafetySettings } from '../policy/decision-settings.ts';
import type { PathPlatform, PathRules } from '../policy/paths/path-policy.ts';
import { mayKeepRule } from '../policy/permission-rules.ts';
import type { Redactor } from '../policy/redact.ts';
import { ruleRunsFile } from '../policy/shell/written-scripts.ts';
import { openPermissions, type SessionPermissions } from '../session/approvals/session-permissions.ts';
import { WrittenFiles } from '../session/approvals/written-files.ts';
import { UserActions } from '../session/audit/user-actions.ts';
import type { RunGit } from '../session/git/git-command.ts';
import type { SessionRecord } from '../session/session-record.ts';
import type { ExternalToolSettings, ExternalToolState } from '../tools/external-tool/discovery.ts';
import { ReadLedger } from '../tools/files/read-ledger.ts';
import { createRealPathOf } from '../tools/files/resolve-path.ts';
import type { TextSearch } from '../tools/search/text-search.ts';
import type { ToolPorts } from '../tools/tools.ts';
import type { CallHooks } from '../tools/wrappers/hooked-tools.ts';
import { gatherPrompt, type PromptSettings } from './prompt/gather-prompt.ts';
import { withPlanReminders } from './prompt/plan-reminders.ts';
import { type PromptPart, systemText } from './prompt/prompt-parts.ts';
import { withTaskReminders } from './prompt/task-reminders.ts';
import { openTools } from './tool-layers.ts';

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

/** The ports of a conversation. `written`: files that a conversation before it has written, by real path. */
type ConversationPorts = SessionPorts & { readonly record: SessionRecord; readonly written?: Iterable<string> };

/**
 * Begins the conversation of a session, or goes on with the one in its record: with its messages and the files that the
 * model knows, but without the permissions given in it, unless they are kept. `signal` as in `openTools`.
 */
export async function createConversation(
  settings: SessionSettings,
  ports: ConversationPorts,
  signal?: AbortSignal,
): Promise<Conversation> {
  const { record } = ports;
  const { restored, file } = record;
  const decisionSettings = await readDecisionSettings(settings, ports);
  const { pathRules } = decisionSettings;
  const session = { state: (restored?.interrupted ?? []).reduce(applyEvent, restored?.state ?? EMPTY_SESSION) };
  const ledger = new ReadLedger(() => session.state.rules.length);
  for (const [path, digest] of restored?.files ?? []) ledger.record(path, { digest, text: undefined });
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
  const runsFile = (rule: PermissionRule, script: string) => ruleRunsFile(rule, script, pathRules);
  const written = file === undefined ? undefined : new WrittenFiles({ ...ports, runsFile });
  const actions = new UserActions(record);
  const permissions = openPermissions(
    session,
    restoredMode(settings, restored?.permissionMode),
    settings.persistApprovals,
    {
      ...ports,
      note: (action) => actions.note(action),
      mayKeep: (rule) => mayKeepRule(rule, pathRules),
      runsFile,
    },
  );
  await permissions.restore();
  const earlier = await Promise.all([ports.written ?? [], record.writes.writtenFiles(), written?.load() ?? []]);
  ledger.recordEarlierWrites(earlier.flatMap((files) => [...files]));
  const { tools, externalTools } = await openTools({ settings, ports: toolPorts, permissions, session }, signal);
  const promptParts = await readPromptParts(settings, { ...ports, pathRules }, tools);
  const decideCall: Decide = ({ definition, effect }, rules) =>
    decide(
      { toolName: definition.name, toolEffect: definition.effect, effect },
      permissions.applyTo({ ...decisionSettings, written: ledger.written }),
      rules,
    );
  return {
    ...{ record, session, tools, externalTools, toolPorts, promptParts, permissions, actions, written },
    settings: runSettings(settings, ports, { promptParts, permissions, decide: decideCall }),
  };
}

/** The rules of the decisions on calls, with real paths. */
async function readDecisionSettings(settings: SessionSettings, ports: ConversationPorts) {
  const { fileSystem, platform, workspace, record, ownDirectories } = ports;
  const toRealPath = createRealPathOf(fileSystem, platform);
  const home = await toRealPath(ports.home);
  const places = { workspace, home, platform, ownDirectories, readOnlyRoots: record.outputDirectories };
  return buildDecisionSettings(settings, places, toRealPath, fileSystem);
}

/** The system prompt of the caller, or that of ybs with what it says about the project. */
async function readPromptParts(
  { systemPrompt, prompt, context }: SessionSettings,
  ports: ConversationPorts & { readonly pathRules: PathRules },
  tools: ToolSet,
): Promise<readonly PromptPart[]> {
  if (systemPrompt !== undefined) return [{ name: 'system', text: systemPrompt }];
  const { workspace, platform, shellName } = ports;
  return gatherPrompt(prompt, ports, {
    ...{ workspace, shellName, tools: tools.definitions, windowTokens: context.maxTokens },
    platform: platform === 'windows' ? 'windows' : 'posix',
  });
}

/** The settings of all runs of a conversation. */
function runSettings(
  settings: SessionSettings,
  { redactor, record, workspace }: ConversationPorts,
  { promptParts, permissions, decide }: Pick<Conversation, 'promptParts' | 'permissions'> & { readonly decide: Decide },
): AgentSettings {
  const { maxIterations, dryRun, modelName: model, sandbox } = settings;
  const fit = fitIntoWindow({ ...settings.context, files: record.files });
  return {
    ...{ maxIterations, dryRun, decide },
    system: redactor.redact(systemText(promptParts)),
    prepareRequest: withTaskReminders(withPlanReminders(fit, () => permissions.mode)),
    session: {
      ...{ sessionId: record.id, model, workspace, permissionMode: permissions.mode },
      ...(sandbox !== undefined && { sandbox }),
    },
  };
}
