import { runAgent } from '../agent/agent-loop.ts';
import { compactSession } from '../agent/context/fit-into-window.ts';
import type { PlannedEffect } from '../agent/ports/tool.ts';
import type { AgentSettings } from '../agent/run-input.ts';
import { applyEvent } from '../agent/session-state.ts';
import { refusalOfWrite } from '../policy/paths/refuse-path.ts';
import { expandPath } from '../policy/paths/written-path.ts';
import { redactEvents, withNotice, withoutSecrets } from '../policy/redaction/redact-events.ts';
import { findGitLosses } from '../policy/shell/destructive/git-losses.ts';
import { checkCommand, parseBlockList } from '../policy/shell/shell-policy.ts';
import { createAutoCommit } from '../session/git/auto-commit.ts';
import { NotSavedError } from '../session/log/session-log.ts';
import { observeEvents } from '../session/observe-events.ts';
import { observeRun } from '../session/observe-run.ts';
import { recordEvents, type SessionRecord } from '../session/session-record.ts';
import { linkedPlaces } from '../tools/shell/removed-links.ts';
import { runUserCommand } from '../tools/shell/run-command.ts';
import { testPartOf } from '../tools/shell/test-command.ts';
import type { Agent, AppAgentPorts } from './agent.ts';
import { createConversation } from './conversation.ts';
import { withWrittenCalls } from './driver/written-calls.ts';
import { measureContext } from './prompt/measure-context.ts';
import type { SessionSettings } from './session-ports.ts';
import { NO_SKILLS } from './skills/skills.ts';
import { openTools } from './tool-layers.ts';

export type { Agent, AppAgentPorts, Prompt, UserCommandResult } from './agent.ts';

/** Creates an agent. Rejects with `FileSystemError` when the workspace does not exist. `signal` as in `reloadTools`. */
export async function startAgent(begun: SessionSettings, given: AppAgentPorts, signal?: AbortSignal): Promise<Agent> {
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
  const { ChosenAgent } = await import('./extensions/chosen-agent.ts');
  const chosen = new ChosenAgent((text) => redactor.redact(text));
  const view = (): typeof current => chosen.view(current);
  const restoreAgent = (): Promise<void> => chosen.restore(current.session.state.agent, given.loadExtensions);
  await restoreAgent();
  const runSettings = (): AgentSettings => ({
    ...view().settings,
    session: current.settings.session && {
      ...current.settings.session,
      model: modelName,
      permissionMode: current.permissions.mode,
    },
  });
  /** The ports of a run, whose model may change during the run. */
  const runPorts = () => ({
    ...ports,
    tools: view().tools,
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
    const lossesOf = (effect: PlannedEffect) => findGitLosses(effect, current.toolPorts.pathRules);
    const gitLosses = runGit && { runGit, lossesOf };
    const facts = { digest, sandbox: sandbox?.type ?? 'off', dryRun, testPartOf, gitLosses } as const;
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
    setPermissionMode: (mode) => current.permissions.setMode(mode),
    configuration: ports.configuration,
    sandbox: begun.sandbox,
    get tools() {
      return view().tools.definitions;
    },
    get externalTools() {
      return current.externalTools;
    },
    mcpServers: settings.mcpServers ?? [],
    async reloadTools(signal) {
      settings = { ...settings, externalTools: (await ports.readExternalTools?.()) ?? settings.externalTools };
      current = {
        ...current,
        ...(await openTools(
          {
            ...current,
            settings: { ...settings, permissionMode: current.permissions.mode },
            ports: current.toolPorts,
          },
          signal,
        )),
      };
    },
    get permissions() {
      return current.permissions;
    },
    get promptParts() {
      return view().promptParts;
    },
    get skills() {
      return { ...(settings.skills ?? NO_SKILLS), list: current.skillList };
    },
    extensions: given.loadExtensions,
    get chosen() {
      return chosen.definition;
    },
    async choose(agent) {
      await current.actions.note({ action: '/agent', detail: agent?.name ?? '' });
      chosen.definition = agent;
    },
    get tasks() {
      return current.session.state.tasks;
    },
    get record() {
      return current.record;
    },
    sessions,
    run(given, signal, takeTexts = () => []) {
      const { text, images, files } = typeof given === 'string' ? { text: given } : given;
      const prompt = redactor.redact(text);
      const { session, record } = current;
      const { system } = view().settings;
      const takeMessages = () => takeTexts().map((text) => redactor.redact(text));
      const events = runAgent({ prompt, images, files, takeMessages, session, signal }, runPorts(), runSettings());
      const redacted = redactEvents(recordEvents(observed(events, prompt, record), record, system), redactor);
      const seen = withWrittenCalls(redacted, (name) => view().tools.find(name)?.definition.effect);
      return prompt === text ? seen : withNotice(seen);
    },
    listNames: (written, max) => ports.fileSystem.list(expandPath(written, current.toolPorts.pathRules), max),
    async mayAttach(path) {
      const { mayAttach } = await import('../tools/triggers/attach-file.ts');
      return mayAttach(path, current.toolPorts);
    },
    async attach(path, signal) {
      const { toolPorts, settings, session } = current;
      const rules = session.state.rules;
      const { attachFile } = await import('../tools/triggers/attach-file.ts');
      return attachFile(path, { ...toolPorts, ...settings, ...ports, ...redactor, rules }, signal);
    },
    async *compact(signal) {
      const { session, record } = current;
      const { system } = view().settings;
      try {
        const events = compactSession(session, runPorts(), runSettings(), signal);
        yield* redactEvents(recordEvents(events, record, system), redactor);
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
    async clear(signal) {
      await replace(await sessions.create(), signal);
      const { definition } = chosen;
      if (definition !== undefined) await current.actions.note({ action: '/agent', detail: definition.name });
    },
    async load(name, signal) {
      await replace(await sessions.open(name), signal);
      await restoreAgent();
    },
    measureContext: (signal) => measureContext({ model, ...view() }, settings.context, signal),
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
    get messages() {
      return current.session.state.messages;
    },
    async tell(event) {
      await current.record.announce(event);
      current.session.state = applyEvent(current.session.state, event);
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
