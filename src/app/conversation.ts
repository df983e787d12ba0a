import { fitIntoWindow } from '../agent/context/fit-into-window.ts';
import type { PermissionRule } from '../agent/ports/approver.ts';
import type { ToolSet } from '../agent/ports/tool.ts';
import type { AgentSettings, Decide } from '../agent/run-input.ts';
import { applyEvent, EMPTY_SESSION } from '../agent/session-state.ts';
import { decide } from '../policy/decide.ts';
import { buildDecisionSettings, restoredMode } from '../policy/decision-settings.ts';
import type { PathRules } from '../policy/paths/path-policy.ts';
import { mayKeepEverywhere, mayKeepRule } from '../policy/permission-rules.ts';
import { keptApprovals, limitBy } from '../policy/policy-limits.ts';
import { ruleRunsFile } from '../policy/shell/written-scripts.ts';
import { openPermissions } from '../session/approvals/session-permissions.ts';
import { WrittenFiles } from '../session/approvals/written-files.ts';
import { UserActions } from '../session/audit/user-actions.ts';
import type { SessionRecord } from '../session/session-record.ts';
import { ReadLedger } from '../tools/files/read-ledger.ts';
import { createRealPathOf } from '../tools/files/resolve-path.ts';
import { sandboxOfCommands } from '../tools/shell/run-command.ts';
import { gatherPrompt } from './prompt/gather-prompt.ts';
import { withPlanReminders } from './prompt/plan-reminders.ts';
import { type PromptPart, systemText } from './prompt/prompt-parts.ts';
import { withTaskReminders } from './prompt/task-reminders.ts';
import type { Conversation, SessionPorts, SessionSettings } from './session-ports.ts';
import { listForModel } from './skills/describe-skills.ts';
import { NO_SKILLS, skillRoots } from './skills/skills.ts';
import { openTools } from './tool-layers.ts';

/** The ports of a conversation. `written`: files that a conversation before it has written, by real path. */
type ConversationPorts = SessionPorts & { readonly record: SessionRecord; readonly written?: Iterable<string> };

/**
 * Begins the conversation of a session, or continues the one in its record: with its messages and the files that the
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
    ...sandboxOfCommands(settings.sandbox, ports.home, session),
  };
  const runsFile = (rule: PermissionRule, script: string) => ruleRunsFile(rule, script, pathRules);
  const written = file === undefined ? undefined : new WrittenFiles({ ...ports, runsFile });
  const actions = new UserActions(record);
  const permissions = openPermissions(
    session,
    restoredMode(settings, restored?.permissionMode),
    keptApprovals(settings.persistApprovals ?? false, settings.policy),
    {
      ...{ ...ports, limit: limitBy(settings.policy), mayKeepEverywhere, runsFile },
      note: (action) => actions.note(action),
      mayKeep: (rule) => mayKeepRule(rule, pathRules),
    },
  );
  await permissions.restore();
  const earlier = await Promise.all([ports.written ?? [], record.writes.writtenFiles(), written?.load() ?? []]);
  ledger.recordEarlierWrites(earlier.flatMap((files) => [...files]));
  const parts = { settings, ports: toolPorts, permissions, session, record };
  const { tools, externalTools } = await openTools(parts, signal);
  const skills = settings.skills ?? NO_SKILLS;
  const skillList = await listForModel(skills, settings.context.limit, ports.model, ports.platform);
  const promptParts = await readPromptParts(settings, { ...ports, pathRules }, tools, skillList.text);
  const decideCall: Decide = ({ definition, effect }, rules) =>
    decide(
      { toolName: effect.toolName ?? definition.name, toolEffect: definition.effect, effect },
      permissions.applyTo({ ...decisionSettings, written: ledger.written }),
      rules,
    );
  return {
    ...{ record, session, tools, externalTools, toolPorts, promptParts, skillList, permissions, actions, written },
    settings: runSettings(settings, ports, { promptParts, permissions, decide: decideCall }),
  };
}

/** The rules of the decisions on calls, with real paths. */
async function readDecisionSettings(settings: SessionSettings, ports: ConversationPorts) {
  const { fileSystem, platform, workspace, record, ownDirectories, environment } = ports;
  const toRealPath = createRealPathOf(fileSystem, platform);
  const home = await toRealPath(ports.home);
  const skills = skillRoots(settings.skills ?? NO_SKILLS, platform);
  const readOnlyRoots = record.outputDirectories;
  const places = { workspace, home, platform, environment, ownDirectories, readOnlyRoots, skillRoots: skills };
  return buildDecisionSettings(settings, places, toRealPath, fileSystem);
}

/** The system prompt of the caller, or that of ybs with what it says about the project. */
async function readPromptParts(
  { systemPrompt, prompt, context }: SessionSettings,
  ports: ConversationPorts & { readonly pathRules: PathRules },
  tools: ToolSet,
  skills: string,
): Promise<readonly PromptPart[]> {
  if (systemPrompt !== undefined) return [{ name: 'system', text: systemPrompt }];
  const { workspace, platform, shellName } = ports;
  return gatherPrompt(prompt, ports, {
    ...{ workspace, shellName, tools: tools.definitions, skills, windowTokens: context.maxTokens },
    platform: platform === 'windows' ? 'windows' : 'posix',
  });
}

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
