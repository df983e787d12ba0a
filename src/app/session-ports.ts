import type { ContextSettings } from '../agent/context/fit-into-window.ts';
import type { Approver } from '../agent/ports/approver.ts';
import type { Clock } from '../agent/ports/clock.ts';
import type { ComputeDigest } from '../agent/ports/digest.ts';
import type { FileSystem } from '../agent/ports/file-system.ts';
import type { JsonObject } from '../agent/ports/json.ts';
import type { LanguageModel } from '../agent/ports/language-model.ts';
import type { Shell } from '../agent/ports/shell.ts';
import type { Tool, ToolDialect, ToolSet } from '../agent/ports/tool.ts';
import type { AgentSettings } from '../agent/run-input.ts';
import type { SessionState } from '../agent/session-state.ts';
import type { SafetySettings } from '../policy/decision-settings.ts';
import type { PathPlatform } from '../policy/paths/path-policy.ts';
import type { Redactor } from '../policy/redaction/redact.ts';
import type { SessionPermissions } from '../session/approvals/session-permissions.ts';
import type { WrittenFiles } from '../session/approvals/written-files.ts';
import type { UserActions } from '../session/audit/user-actions.ts';
import type { RunGit } from '../session/git/git-command.ts';
import type { SessionRecord } from '../session/session-record.ts';
import type { ExternalToolSettings, ExternalToolState } from '../tools/external-tool/discovery.ts';
import type { McpServer } from '../tools/mcp/server.ts';
import type { TextSearch } from '../tools/search/text-search.ts';
import type { ToolPorts } from '../tools/tools.ts';
import type { CallHooks } from '../tools/wrappers/hooked-tools.ts';
import type { PromptSettings } from './prompt/gather-prompt.ts';
import type { PromptPart } from './prompt/prompt-parts.ts';
import type { SkillList, Skills } from './skills/skills.ts';

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
  /** The skills of the user and of the project. */
  readonly skills?: Skills | undefined;
  /** Commits the files of each run with this prefix of the message. */
  readonly autoCommit?: { readonly prefix: string } | undefined;
  /** Replaces the system prompt, with all its parts. */
  readonly systemPrompt?: string | undefined;
  /** Tools besides those of ybs. */
  readonly tools?: readonly Tool[] | undefined;
  /** The programs of the user that become tools. */
  readonly externalTools?: ExternalToolSettings | undefined;
  /** The servers of the Model Context Protocol, which stay from one conversation to the next. */
  readonly mcpServers?: readonly McpServer[] | undefined;
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
  readonly permissions: SessionPermissions;
  /** The actions of the user between the runs. */
  readonly actions: UserActions;
  /** The files that the sessions of this workspace have written. Absent if the session is not stored. */
  readonly written: WrittenFiles | undefined;
  /** The parts of the system prompt, which stay as they are until the next conversation. */
  readonly promptParts: readonly PromptPart[];
  /** The skills as the model sees them. */
  readonly skillList: SkillList;
}
