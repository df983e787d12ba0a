import type { PermissionMode } from '../agent/ports/approver.ts';
import type { AgentEvent } from '../agent/ports/events.ts';
import type { DirectoryEntry } from '../agent/ports/file-system.ts';
import type { LanguageModel, ReasoningEffort } from '../agent/ports/language-model.ts';
import type { AttachedFile, ImageContent, Message } from '../agent/ports/messages.ts';
import type { SandboxState } from '../agent/ports/shell.ts';
import type { Task, ToolDefinition, ToolProgress } from '../agent/ports/tool.ts';
import type { LoadedConfig } from '../config/layers/merge-layers.ts';
import type { SessionPermissions } from '../session/approvals/session-permissions.ts';
import type { Announcement, SessionRecord } from '../session/session-record.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { UndoReport } from '../session/writes/undo.ts';
import type { ExternalToolSettings, ExternalToolState } from '../tools/external-tool/discovery.ts';
import type { McpServer } from '../tools/mcp/server.ts';
import type { UserCommandReport } from '../tools/shell/run-command.ts';
import type { Attachment } from '../tools/triggers/attach-file.ts';
import type { AgentDefinition } from './extensions/agent-file.ts';
import type { Extensions } from './extensions/extensions.ts';
import type { ContextUse } from './prompt/measure-context.ts';
import type { PromptPart } from './prompt/prompt-parts.ts';
import type { SessionPorts } from './session-ports.ts';
import type { SkillList, Skills } from './skills/skills.ts';

/** The agent of one session. The chat, the single run and the stories drive it. */
export interface Agent {
  /** Provider and model of the next run: `mock/mock-model`. */
  readonly model: string;
  /** Real path of the workspace. */
  readonly workspace: string;
  readonly permissionMode: PermissionMode;
  /** Decides the next calls in another mode, even during a run and in later conversations of this agent. */
  setPermissionMode(mode: PermissionMode): PermissionMode;
  readonly configuration: Pick<LoadedConfig, 'config' | 'origins'>;
  readonly tools: readonly ToolDefinition[];
  /** The external tools that were found, and those that cannot be used. */
  readonly externalTools: readonly ExternalToolState[];
  /** The servers of the Model Context Protocol. */
  readonly mcpServers: readonly McpServer[];
  /**
   * Reads the configuration of the external tools again and finds them again, for the next run. Throws `UsageError` if
   * the configuration cannot be used; then the tools stay as they are. Aborting `signal` ends the programs that are asked
   * for their schemas, and makes their tools unavailable; so it does for `clear` and `load`.
   */
  reloadTools(signal?: AbortSignal): Promise<void>;
  /** The sandbox of commands; `undefined` if it is not known. */
  readonly sandbox: SandboxState | undefined;
  /** The permissions of the user in the open session. */
  readonly permissions: SessionPermissions;
  readonly promptParts: readonly PromptPart[];
  /** The skills that were found, and the list of them that the model gets. */
  readonly skills: Skills & { readonly list: SkillList };
  /** The task list that the model keeps. */
  readonly tasks: readonly Task[];
  /**
   * Runs one user request to its `run_end`, which is the last event. One run at a time. Aborting `signal` ends the run
   * with outcome `aborted`; the next run starts from a valid history. `takeMessages` as in `RunInput`.
   */
  run(
    prompt: string | Prompt,
    signal: AbortSignal,
    takeMessages?: () => readonly string[],
  ): AsyncGenerator<AgentEvent, void, void>;
  /** The agents and commands in Markdown files, as they are now. */
  extensions(): Promise<Extensions>;
  readonly chosen: AgentDefinition | undefined;
  /** Works by the instructions of an agent from the next run on, or by none; see `withAgent`. */
  choose(agent: AgentDefinition | undefined): Promise<void>;
  /** At most `max` names in a directory, for the completion of a path that the user types. Throws `FileSystemError`. */
  listNames(directory: string, max: number): Promise<readonly DirectoryEntry[]>;
  /** See `mayAttach`. */
  mayAttach(path: string): Promise<boolean>;
  /** Reads a file that the user names in a prompt; see `attachFile`. */
  attach(path: string, signal: AbortSignal): Promise<Attachment>;
  /**
   * Runs a command that the user typed as `!command`, in `workingDirectory`. Yields its output as it arrives and
   * returns a report for the model, which the caller gives to `run` as a prompt. A blocked command is not run.
   */
  runUserCommand(
    command: string,
    workingDirectory: string,
    signal: AbortSignal,
  ): AsyncGenerator<ToolProgress, UserCommandResult, void>;
  /**
   * Shortens the conversation, between two runs. Yields a `compaction` event unless there is nothing to shorten or
   * `signal` has aborted.
   */
  compact(signal: AbortSignal): AsyncGenerator<AgentEvent, void, void>;
  readonly record: SessionRecord;
  readonly sessions: SessionStore;
  /** Begins a new session: without conversation, files read and permission rules. The old one stays stored. */
  clear(signal?: AbortSignal): Promise<void>;
  /**
   * Continues the stored session of this name. Throws `UsageError` if it cannot be opened; then the open session
   * stays.
   */
  load(name: string, signal?: AbortSignal): Promise<void>;
  /** Measures the next request, without its prompt. */
  measureContext(signal: AbortSignal): Promise<ContextUse>;
  /**
   * Uses another model from the next request on, also during a run; `others` replace its model for summaries and how to reopen it.
   */
  useModel(model: LanguageModel, name: string, others?: Pick<AppAgentPorts, 'smallModel' | 'openModel'>): void;
  /** Reasoning effort of the model; `undefined`: the default of the model. */
  readonly effort: ReasoningEffort | undefined;
  /** Opens the model again with this effort, for the next run. Throws `UsageError` if that is impossible. */
  setEffort(effort: ReasoningEffort): Promise<void>;
  /** The conversation as the next request has it. */
  readonly messages: readonly Message[];
  /** Adds an event to the open session, between two runs. Throws `NotSavedError`, and then nothing has changed. */
  tell(event: Announcement): Promise<void>;
  /** See `undoWrites`. Between two runs; the model learns of it in the next request. */
  undo(from?: number): Promise<UndoReport>;
  /** Ends the use of the open session. */
  close(): Promise<void>;
}

/** A request of the user with pictures and files. */
export interface Prompt {
  readonly text: string;
  readonly images?: readonly ImageContent[];
  /** The files that it names; see `attach`. */
  readonly files?: readonly AttachedFile[];
}

/** The result of a command that the user typed. A blocked command has no report for the model. */
export type UserCommandResult = Partial<UserCommandReport> & Pick<UserCommandReport, 'summary'>;

export interface AppAgentPorts extends SessionPorts, Pick<Agent, 'configuration'> {
  readonly sessions: SessionStore;
  /** The session to begin with; the agent closes it. */
  readonly record: SessionRecord;
  readonly effort: ReasoningEffort | undefined;
  readonly openModel: (effort: ReasoningEffort) => Promise<LanguageModel>;
  /** Limits the requests to a model. Throws `UsageError` for one that cannot be limited. */
  readonly limitModel?: ((model: LanguageModel) => LanguageModel) | undefined;
  readonly loadExtensions: () => Promise<Extensions>;
  readonly readExternalTools?: (() => Promise<ExternalToolSettings>) | undefined;
}
