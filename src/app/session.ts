import { type ContextSettings, compactSession, fitIntoWindow } from '../context/fit-into-window.ts';
import { runAgent } from '../core/agent-loop.ts';
import type { AgentSettings } from '../core/run-input.ts';
import { EMPTY_SESSION } from '../core/session-state.ts';
import type { Approver, PermissionMode } from '../ports/approver.ts';
import type { Clock } from '../ports/clock.ts';
import type { ComputeDigest } from '../ports/digest.ts';
import type { AgentEvent } from '../ports/events.ts';
import type { FileSystem } from '../ports/file-system.ts';
import type { LanguageModel } from '../ports/language-model.ts';
import type { SessionFiles } from '../ports/session-files.ts';
import type { Shell } from '../ports/shell.ts';
import type { TextSearch } from '../ports/text-search.ts';
import type { Tool, ToolDefinition, ToolProgress } from '../ports/tool.ts';
import { systemPrompt } from '../prompt/system-prompt.ts';
import { decide, placesOf } from '../safety/decide.ts';
import { buildPathRules } from '../safety/paths/build-path-rules.ts';
import type { PathPlatform } from '../safety/paths/path-policy.ts';
import { checkCommand, parseBlockList } from '../safety/shell/shell-policy.ts';
import { ReadLedger } from '../tools/files/read-ledger.ts';
import { realPathOf } from '../tools/files/resolve-path.ts';
import { createRegistry } from '../tools/registry.ts';
import { runUserCommand } from '../tools/shell/run-command.ts';
import { createTools, type ToolName, type ToolPorts } from '../tools/tools.ts';

/** The agent of one session. The chat, the single run and the stories drive it. */
export interface Agent {
  /** Provider and model: `mock/mock-model`. */
  readonly model: string;
  /** Real path of the workspace. */
  readonly workspace: string;
  readonly permissionMode: string;
  readonly tools: readonly ToolDefinition[];
  /**
   * Runs one user request to its `run_end`, which is the last event. One run at a time. Aborting `signal` ends the run
   * with outcome `aborted`; the next run starts from a valid history.
   */
  run(prompt: string, signal: AbortSignal): AsyncGenerator<AgentEvent, void, void>;
  /**
   * Runs a command that the user typed as `!command`, in `workingDirectory`. Yields its output as it arrives and
   * returns a report for the model, which the caller gives to `run` as a prompt. A blocked command is not run; then the
   * text is for the user only.
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
  /** Forgets the conversation, the files read and the session's permission rules. */
  clear(): void;
}

/** The result of a command that the user typed: a report for the model, or a refusal for the user. */
export interface UserCommandResult {
  readonly type: 'report' | 'blocked';
  readonly text: string;
}

/** Ports of one session, and facts about the machine it runs on. */
export interface SessionPorts {
  readonly model: LanguageModel;
  /** Writes the summaries of long conversations, instead of `model`. */
  readonly smallModel?: LanguageModel | undefined;
  readonly approver: Approver;
  readonly fileSystem: FileSystem;
  readonly shell: Shell;
  readonly textSearch: TextSearch;
  readonly clock: Clock;
  readonly digest: ComputeDigest;
  readonly platform: PathPlatform;
  /** Name of the shell that the model writes commands for: `bash`, `PowerShell`. */
  readonly shellName: string;
  /** The environment of commands, provider keys already removed. */
  readonly environment: Readonly<Record<string, string>>;
  /** Absolute path of the directory the session works in. */
  readonly workspace: string;
  /** Absolute path of the user's home directory. */
  readonly home: string;
  readonly files: SessionFiles;
}

/** Settings of one session. */
export interface SessionSettings {
  readonly sessionId: string;
  /** Provider and model: `mock/mock-model`. */
  readonly modelName: string;
  readonly permissionMode: PermissionMode;
  readonly dryRun: boolean;
  readonly maxIterations: number;
  readonly maxToolOutputChars: number;
  readonly context: ContextSettings;
  /** Directories that the tools may use besides the workspace. */
  readonly allowedPaths: readonly string[];
  readonly blockedPaths: readonly string[];
  readonly blockedCommands: readonly string[];
  readonly disabledTools: readonly ToolName[];
  /** Replaces the system prompt of ybs. */
  readonly systemPrompt?: string | undefined;
  /** Tools besides those of ybs. */
  readonly tools?: readonly Tool[] | undefined;
}

/**
 * Creates the agent of one session. Rejects with `FileSystemError` when the workspace does not exist.
 */
export async function createAgent(settings: SessionSettings, ports: SessionPorts): Promise<Agent> {
  const { fileSystem, files, platform } = ports;
  const toRealPath = (path: string): Promise<string> => realPathOf(path, fileSystem, platform);
  const workspace = await fileSystem.realPath(ports.workspace);
  const pathRules = await buildPathRules(
    {
      workspace,
      home: await toRealPath(ports.home),
      platform,
      allowedPaths: ['.', ...settings.allowedPaths],
      blockedPaths: settings.blockedPaths,
      readOnlyRoots: [files.outputDirectory],
    },
    toRealPath,
  );
  const ledger = new ReadLedger();
  const toolPorts: ToolPorts = {
    ...ports,
    pathRules,
    ledger,
    outputDirectory: files.outputDirectory,
    maxOutputChars: settings.maxToolOutputChars,
  };
  const tools = createRegistry([...(await createTools(toolPorts, settings)), ...(settings.tools ?? [])]);
  const { permissionMode } = settings;
  const blockList = parseBlockList(settings.blockedCommands);
  const decisionSettings = { mode: permissionMode, pathRules, blockList };
  const agentSettings: AgentSettings = {
    system:
      settings.systemPrompt ??
      systemPrompt({
        workspace,
        platform: platform === 'windows' ? 'windows' : 'posix',
        shellName: ports.shellName,
        tools: tools.definitions,
      }),
    maxIterations: settings.maxIterations,
    dryRun: settings.dryRun,
    decide: ({ definition, effect }, rules) =>
      decide({ toolName: definition.name, toolEffect: definition.effect, effect }, decisionSettings, rules),
    prepareRequest: fitIntoWindow({ ...settings.context, files }),
    session: {
      sessionId: settings.sessionId,
      model: settings.modelName,
      workspace,
      permissionMode,
    },
  };
  // `runAgent` updates the state with each event.
  const session = { state: EMPTY_SESSION };
  return {
    model: settings.modelName,
    workspace,
    permissionMode,
    tools: tools.definitions,
    run: (prompt, signal) => runAgent({ prompt, session, signal }, { ...ports, tools }, agentSettings),
    compact: (signal) => compactSession(session, { ...ports, tools }, agentSettings, signal),
    async *runUserCommand(command, workingDirectory, signal) {
      const verdict = checkCommand(command, blockList, placesOf(pathRules, workingDirectory));
      if (verdict.type === 'blocked') {
        return { type: 'blocked', text: `Not run: the rule "${verdict.rule}" blocks this command.` };
      }
      return { type: 'report', text: yield* runUserCommand(toolPorts, command, workingDirectory, signal) };
    },
    clear() {
      session.state = EMPTY_SESSION;
      ledger.clear();
    },
  };
}
