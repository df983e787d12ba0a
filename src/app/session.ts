import type { LoadedConfig } from '../config/layers/merge-layers.ts';
import { compactSession } from '../context/fit-into-window.ts';
import { type ContextUse, measureContext } from '../context/measure-context.ts';
import { runAgent } from '../core/agent-loop.ts';
import type { AgentSettings } from '../core/run-input.ts';
import { applyEvent } from '../core/session-state.ts';
import { createAutoCommit } from '../git/auto-commit.ts';
import type { PermissionMode } from '../ports/approver.ts';
import type { AgentEvent } from '../ports/events.ts';
import type { LanguageModel, ReasoningEffort } from '../ports/language-model.ts';
import type { ImageContent } from '../ports/messages.ts';
import type { SandboxState } from '../ports/sandbox.ts';
import type { Task, ToolDefinition, ToolProgress } from '../ports/tool.ts';
import type { PromptPart } from '../prompt/prompt-parts.ts';
import { refusalOfWrite } from '../safety/paths/path-policy.ts';
import { redactEvents, withNotice, withoutSecrets } from '../safety/redact-events.ts';
import { checkCommand, parseBlockList } from '../safety/shell/shell-policy.ts';
import type { SessionPermissions } from '../session/approvals/session-permissions.ts';
import { NotSavedError } from '../session/log/session-log.ts';
import { observeEvents } from '../session/observe-events.ts';
import { observeRun } from '../session/observe-run.ts';
import { recordEvents, type SessionRecord } from '../session/session-record.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { UndoReport } from '../session/writes/undo.ts';
import type { ExternalToolSettings, ExternalToolState } from '../tools/external-tool/discovery.ts';
import { linkedPlaces } from '../tools/shell/removed-links.ts';
import { runUserCommand, type UserCommandReport } from '../tools/shell/run-command.ts';
import { isTestCommand } from '../tools/shell/test-command.ts';
import { createConversation, openTools, type SessionPorts, type SessionSettings } from './conversation.ts';

/** The agent of one session. The chat, the single run and the stories drive it. */
export interface Agent {
  /** Provider and model of the next run: `mock/mock-model`. */
  readonly model: string;
  /** Real path of the workspace. */
  readonly workspace: string;
  readonly permissionMode: PermissionMode;
  /** Decides the next calls in another mode, also during a run and in later conversations of this agent. */
  setPermissionMode(mode: PermissionMode): void;
  readonly configuration: Pick<LoadedConfig, 'config' | 'origins'>;
  readonly tools: readonly ToolDefinition[];
  /** The external tools that were found, and those that cannot be used. */
  readonly externalTools: readonly ExternalToolState[];
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
  /** The parts of the system prompt. */
  readonly promptParts: readonly PromptPart[];
  /** The task list that the model keeps. */
  readonly tasks: readonly Task[];
  /**
   * Runs one user request to its `run_end`, which is the last event. One run at a time. Aborting `signal` ends the run
   * with outcome `aborted`; the next run starts from a valid history.
   */
  run(prompt: string | Prompt, signal: AbortSignal): AsyncGenerator<AgentEvent, void, void>;
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
  /** The open session. */
  readonly record: SessionRecord;
  /** All stored sessions. */
  readonly sessions: SessionStore;
  /** Begins a new session: without conversation, files read and permission rules. The old one stays stored. */
  clear(signal?: AbortSignal): Promise<void>;
  /**
   * Goes on with the stored session of this name. Throws `UsageError` if it cannot be opened; then the open session
   * goes on.
   */
  load(name: string, signal?: AbortSignal): Promise<void>;
  /** Measures the next request, without its prompt. */
  measureContext(signal: AbortSignal): Promise<ContextUse>;
  /** Uses another model from the next request on, also during a run; `others` replace its model for summaries and the way to open it again. */
  useModel(model: LanguageModel, name: string, others?: Pick<AgentPorts, 'smallModel' | 'openModel'>): void;
  /** Reasoning effort of the model; `undefined`: the default of the model. */
  readonly effort: ReasoningEffort | undefined;
  /** Opens the model again with this effort, for the next run. Throws `UsageError` if that is impossible. */
  setEffort(effort: ReasoningEffort): Promise<void>;
  /** See `undoWrites`. Between two runs; the model is told in the next request. */
  undo(from?: number): Promise<UndoReport>;
  /** Ends the use of the open session. */
  close(): Promise<void>;
}

/** A request of the user with pictures. */
export interface Prompt {
  readonly text: string;
  readonly images?: readonly ImageContent[];
}

/** The result of a command that the user typed. A blocked command has no report for the model. */
export type UserCommandResult = Partial<UserCommandReport> & Pick<UserCommandReport, 'summary'>;

/** Ports of an agent. */
export interface AgentPorts extends SessionPorts, Pick<Agent, 'configuration'> {
  readonly sessions: SessionStore;
  /** The session to begin with; the agent closes it. */
  readonly record: SessionRecord;
  readonly effort: ReasoningEffort | undefined;
  readonly openModel: (effort: ReasoningEffort) => Promise<LanguageModel>;
  /** Limits the requests to a model. Throws `UsageError` for one that cannot be limited. */
  readonly limitModel?: ((model: LanguageModel) => LanguageModel) | undefined;
  readonly readExternalTools?: (() => Promise<ExternalToolSettings>) | undefined;
}

/** Creates an agent. Rejects with `FileSystemError` when the workspace does not exist. `signal` as in `reloadTools`. */
export async function createAgent(begun: SessionSettings, given: AgentPorts, signal?: AbortSignal): Promise<Agent> {
  let settings = begun;
  const { sessions } = given;
  const workspace = await given.fileSystem.realPath(given.workspace);
  const { redactor } = given;
  const ports = { ...given, workspace, approver: withoutSecrets(given.approver, redactor) };
  const blockList = parseBlockList(settings.blockedCommands);
  let current = await createConversation(settings, ports, signal);
  let { model, smallModel, openModel, effort } = ports;
  let { modelName } = settings;
  const { limitModel: limit = (unlimited) => unlimited } = given;

  /** Replaces the conversation by that of another session. */
  const replace = async (record: SessionRecord, signal?: AbortSignal): Promise<void> => {
    let next: typeof current;
    const { written } = current.toolPorts.ledger;
    try {
      next = await createConversation(settings, { ...ports, record, written: written.keys() }, signal);
    } catch (error) {
      await record.close();
      throw error;
    }
    const before = current;
    current = next;
    await before.record.close();
  };
  const runSettings = (): AgentSettings => ({
    ...current.settings,
    session: { ...current.settings.session, model: modelName, permissionMode: current.permissions.mode },
  });
  /** The ports of a run, whose model may change during the run. */
  const runPorts = () => ({
    ...ports,
    tools: current.tools,
    get model() {
      return limit(model);
    },
    get smallModel() {
      return smallModel && limit(smallModel);
    },
  });

  /** The events of a run, whose writes are noted, and committed if that is configured. */
  const observed = (events: ReturnType<typeof runAgent>, prompt: string, record: SessionRecord): typeof events => {
    const { runGit, fileSystem, digest } = ports;
    const { dryRun, sandbox } = settings;
    const facts = { digest, sandbox: sandbox?.type ?? 'off', dryRun, isTestCommand } as const;
    const observers = observeRun(record, facts, current.permissions, current.actions, current.written);
    if (dryRun || settings.autoCommit === undefined || runGit === undefined) return observeEvents(events, observers);
    const commitFacts = {
      workspace,
      prompt,
      prefix: settings.autoCommit.prefix,
      sessionId: record.id,
      redact: record.redact,
    };
    return observeEvents(events, [...observers, createAutoCommit({ runGit, fileSystem, ...commitFacts })]);
  };

  return {
    get model() {
      return modelName;
    },
    workspace,
    get permissionMode() {
      return current.permissions.mode;
    },
    setPermissionMode(mode) {
      settings = { ...settings, permissionMode: mode };
      current.permissions.setMode(mode);
    },
    configuration: ports.configuration,
    sandbox: begun.sandbox,
    get tools() {
      return current.tools.definitions;
    },
    get externalTools() {
      return current.externalTools;
    },
    async reloadTools(signal) {
      settings = { ...settings, externalTools: (await ports.readExternalTools?.()) ?? settings.externalTools };
      current = {
        ...current,
        ...(await openTools(
          settings,
          { ...current.toolPorts, permissions: current.permissions },
          current.session,
          signal,
        )),
      };
    },
    get permissions() {
      return current.permissions;
    },
    get promptParts() {
      return current.promptParts;
    },
    get tasks() {
      return current.session.state.tasks;
    },
    get record() {
      return current.record;
    },
    sessions,
    run(given, signal) {
      const { text, images } = typeof given === 'string' ? { text: given } : given;
      const prompt = redactor.redact(text);
      const { session, record } = current;
      const { system } = current.settings;
      const events = runAgent({ prompt, images, session, signal }, runPorts(), runSettings());
      const seen = redactEvents(recordEvents(observed(events, prompt, record), record, system), redactor);
      return prompt === text ? seen : withNotice(seen);
    },
    async *compact(signal) {
      const { session, record } = current;
      const { system } = current.settings;
      try {
        const events = compactSession(session, runPorts(), runSettings(), signal);
        yield* recordEvents(events, record, system);
      } catch (error) {
        if (!(error instanceof NotSavedError)) throw error;
        yield { type: 'warning', code: 'not_saved', message: error.message };
      }
    },
    async *runUserCommand(command, workingDirectory, signal) {
      const { toolPorts, actions } = current;
      const verdict = checkCommand(command, blockList, await linkedPlaces(command, workingDirectory, toolPorts));
      const blockedBy = verdict.type === 'blocked' ? { blockedBy: verdict.rule } : {};
      await actions.note({
        ...{ action: '!command', detail: command, sandbox: settings.sandbox?.type ?? 'off' },
        ...blockedBy,
      });
      if (verdict.type === 'blocked') {
        return { summary: `Not run: the rule "${verdict.rule}" blocks this command.` };
      }
      return yield* runUserCommand(toolPorts, command, workingDirectory, signal);
    },
    clear: async (signal) => replace(await sessions.create(), signal),
    load: async (name, signal) => replace(await sessions.open(name), signal),
    measureContext: (signal) => measureContext({ model, ...current }, settings.context, signal),
    useModel(nextModel, name, others) {
      limit(nextModel);
      model = nextModel;
      modelName = name;
      if (others !== undefined) ({ smallModel, openModel } = others);
    },
    get effort() {
      return effort;
    },
    async setEffort(wanted) {
      model = await openModel(wanted);
      effort = wanted;
    },
    async undo(from) {
      const { record, session, toolPorts } = current;
      const report = await (await import('../session/writes/undo.ts')).undoWrites(
        record,
        { workspace, refusalOf: (file) => refusalOfWrite(file, toolPorts.pathRules) },
        from,
      );
      if (report.event !== undefined) session.state = applyEvent(session.state, report.event);
      return report;
    },
    close: () => current.record.close(),
  };
}
