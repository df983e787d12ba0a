import {
  HOOK_RULE,
  type PermissionDecision,
  type PermissionLevel,
  type PermissionMode,
  type PermissionRule,
} from '../agent/ports/approver.ts';
import type { FileProtection } from '../agent/ports/file-system.ts';
import type { ToolEffect } from '../agent/ports/tool.ts';
import {
  allowedBeforehand,
  askAboutLimits,
  isUnlisted,
  judgeReadOnly,
  UNLISTED,
  writtenScript,
} from './decide-command.ts';
import { type CallToDecide, type DecisionSettings, placesOf } from './decision-input.ts';
import {
  answerFor,
  CLASS_ANSWERS,
  classifyPath,
  classOfPath,
  type PathClass,
  type PathRules,
} from './paths/path-policy.ts';
import { expandPath } from './paths/written-path.ts';
import { describeRule, offerRules, ruleAllows, writtenPaths } from './permission-rules.ts';
import { checkCommand } from './shell/shell-policy.ts';

export { ASSUMPTIONS, type Assumption, type CallToDecide, type DecisionSettings, placesOf } from './decision-input.ts';

/** `replace`: changes a file that exists and was not read in this session, or has changed since. */
export type CallKind = 'read' | 'write' | 'replace' | 'execute';

/** The levels in the modes, of which those that only read have the same. */
function levels(ask: PermissionLevel, edits: PermissionLevel, readOnly: PermissionLevel) {
  return { ask, 'accept-edits': edits, plan: readOnly, 'read-only': readOnly, 'full-access': 'automatic' } as const;
}

/** The level of each kind of call in each permission mode. */
const MODE_LEVELS: Readonly<Record<CallKind, Readonly<Record<PermissionMode, PermissionLevel>>>> = {
  read: levels('automatic', 'automatic', 'automatic'),
  write: levels('ask_once', 'automatic', 'denied'),
  replace: levels('ask_once', 'ask_once', 'denied'),
  execute: levels('ask_once', 'ask_once', 'denied'),
};

/** The level of a call, and the setting that it comes from. */
export interface CallLevel {
  readonly level: PermissionLevel;
  readonly source: 'safety.permission_mode' | 'safety.permissions' | 'safety.require_confirmation';
}

/** The level of one kind of call of a tool, whatever its paths and its command are. Pure. */
export function levelOf(
  toolName: string,
  kind: CallKind,
  { mode, levels, confirmedTools }: Pick<DecisionSettings, 'mode' | 'levels' | 'confirmedTools'>,
): CallLevel {
  const own = Object.hasOwn(levels, toolName) ? levels[toolName] : undefined;
  if (own === 'denied') return { level: own, source: 'safety.permissions' };
  const modeLevel = MODE_LEVELS[kind][mode];
  if (modeLevel === 'denied') return { level: modeLevel, source: 'safety.permission_mode' };
  const isConfirmed = mode !== 'full-access' && confirmedTools.includes(toolName);
  if (isConfirmed && (own ?? 'automatic') === 'automatic') {
    return { level: 'ask_once', source: 'safety.require_confirmation' };
  }
  if (own !== undefined) return { level: own, source: 'safety.permissions' };
  return { level: modeLevel, source: 'safety.permission_mode' };
}

/** The kinds of the calls that a tool with this effect can have. */
export function kindsOf(effect: ToolEffect): readonly CallKind[] {
  return effect === 'write' ? ['write', 'replace'] : [effect];
}

/**
 * Allows, denies or asks about a planned call. Pure. Checks in this order: paths outside the rules and blocked
 * commands, which are denied in every mode; the level `denied` of the tool and denials of the mode; unreadable commands,
 * protected files and guarded paths, which need an approval even if a session rule allows them; the level of the tool,
 * or else the default of the mode; the rules of this session, unless the level is `ask_always`. A command that only reads
 * runs without a question where the mode would ask, in a trusted workspace with the sandbox on. A rule of the user for
 * commands counts like one of the session, and neither applies to a script that was written after it.
 */
export function decide(
  call: CallToDecide,
  settings: DecisionSettings,
  sessionRules: readonly PermissionRule[],
): PermissionDecision {
  const decision = withHost(call, applyRules(call, settings, sessionRules));
  const { command, program } = call.effect;
  const { sandbox } = settings;
  const isLimited = sandbox !== undefined && (command !== undefined || program !== undefined);
  return decision.type === 'ask' && isLimited ? { ...decision, sandbox } : decision;
}

/** The decision after the word of a hook, which may be stricter than the rules, and may answer their question. */
function withHost({ effect: { host } }: CallToDecide, decision: PermissionDecision): PermissionDecision {
  if (host === undefined || decision.type === 'deny') return decision;
  const { verdict, reason } = host;
  switch (verdict) {
    case 'deny':
      return { type: 'deny', rule: HOOK_RULE, reason };
    case 'ask':
      return decision.type === 'ask' ? decision : { type: 'ask', rule: HOOK_RULE, reason };
    case 'allow':
      return { type: 'allow', rule: decision.type === 'allow' ? decision.rule : HOOK_RULE };
  }
}

function applyRules(
  call: CallToDecide,
  settings: DecisionSettings,
  sessionRules: readonly PermissionRule[],
): PermissionDecision {
  const { mode, pathRules } = settings;
  const { command, workingDirectory, links } = call.effect;
  const verdict =
    command === undefined
      ? undefined
      : checkCommand(command, settings.blockList, placesOf(pathRules, workingDirectory, links));
  const denied = denyPaths(call, pathRules);
  if (denied !== undefined) return denied;
  if (verdict?.type === 'blocked') return { type: 'deny', rule: verdict.rule, reason: verdict.reason };

  const kind = kindOf(call);
  const { level, source } = levelOf(call.toolName, kind, settings);
  const rule = ruleOf(source, call.toolName, mode);
  if (level === 'denied') {
    return whilePlanning(call, settings) ?? { type: 'deny', rule, reason: denialReason(source, call.toolName, mode) };
  }
  if (call.effect.plan !== undefined && mode === 'plan') return PLAN_QUESTION;
  if (isUnlisted(call, settings)) return UNLISTED;
  // In full access only the block list protects the user, so a command that hides what it runs must not pass it.
  if (verdict?.type === 'unclear') return { type: 'ask', rule: 'unreadable command', reason: verdict.reason };
  const { protection } = call.effect;
  if (protection !== undefined) return { type: 'ask', rule: 'protected file', reason: PROTECTIONS[protection] };
  const asking = mode === 'full-access' ? undefined : findQuestion(call, pathRules);
  if (asking !== undefined) return asking;
  const limits = askAboutLimits(call.effect, settings);
  if (limits?.network === true) return { type: 'ask', rule: limits.rule, reason: limits.reason };
  if (level === 'automatic' && limits === undefined) return { type: 'allow', rule };
  const use = source === 'safety.permission_mode' && kind === 'execute' ? judgeReadOnly(call, settings) : undefined;
  if (use?.type === 'allow') return use;
  const script = writtenScript(call, settings);
  const note = script === undefined ? '' : ` The agent has changed ${script.path}, which it runs.`;
  const question =
    level === 'automatic' && limits !== undefined
      ? ({ type: 'ask', rule: limits.rule, reason: `${limits.reason}${note}` } as const)
      : ({
          type: 'ask',
          rule,
          reason: `${questionReason(kind, call.toolName, settings.sandbox)}${use?.reason ?? ''}${note}`,
        } as const);
  // Without a sandbox every command asks, so no rule answers for one, and none is offered.
  if (level === 'ask_always' || limits !== undefined) return question;
  const allowed = script === undefined ? allowedBeforehand(call, settings) : undefined;
  if (allowed !== undefined) return { type: 'allow', rule: `safety.allowed_commands: ${allowed.join(' and ')}` };
  const granted = sessionRules.findLast((sessionRule) => ruleAllows(sessionRule, call, pathRules));
  const isOlder = script !== undefined && granted !== undefined && sessionRules.lastIndexOf(granted) < script.rules;
  if (granted !== undefined && !isOlder) return { type: 'allow', rule: describeRule(granted, pathRules) };

  return { ...question, ...offerRules(call, pathRules) };
}

const PLAN_QUESTION: PermissionDecision = {
  type: 'ask',
  rule: 'plan',
  reason: 'Nothing is changed before you approve the plan.',
};

/** In plan mode, a command that certainly only reads runs, as it would without a question in other modes. */
function whilePlanning(call: CallToDecide, settings: DecisionSettings): PermissionDecision | undefined {
  const isDenied = settings.levels[call.toolName] === 'denied';
  if (settings.mode !== 'plan' || call.effect.command === undefined || isDenied) return undefined;
  const { allowList: _allowList, ...others } = settings;
  const asked = applyRules(call, { ...others, mode: 'ask', levels: {}, confirmedTools: [] }, []);
  return asked.type === 'allow' ? asked : undefined;
}

/** Denies a call with a path that the rules do not allow. Tools check their paths too, but one may forget to. */
function denyPaths(call: CallToDecide, pathRules: PathRules): PermissionDecision | undefined {
  const { paths, workingDirectory } = call.effect;
  const directory = workingDirectory === undefined ? [] : [{ realPath: workingDirectory, access: 'write' } as const];
  for (const { requested, access } of paths) {
    const found = classOfRequested(requested, pathRules);
    if (found === undefined || CLASS_ANSWERS[found][access] !== 'deny') continue;
    const reason = `${requested} is blocked (file with secrets). Do the task without it, or tell the user what to do with it.`;
    return { type: 'deny', rule: 'file with secrets', reason };
  }
  for (const { realPath, access } of [...paths, ...directory]) {
    const verdict = classifyPath(realPath, access, pathRules);
    if (verdict.type === 'inside' || (verdict.type === 'outside' && verdict.answer !== 'deny')) continue;
    const reason =
      verdict.type === 'blocked'
        ? `${realPath} is blocked (${verdict.rule}). Do the task without it, or tell the user what to do with it.`
        : `${realPath} is outside the workspace (${verdict.rule}). Use a path inside the workspace.`;
    return { type: 'deny', rule: verdict.rule, reason };
  }
  return undefined;
}

/** The kind of a call. An unknown tool is classified by its effect, and a call with a command is always `execute`. */
function kindOf({ toolName, toolEffect, effect }: CallToDecide): CallKind {
  if (effect.command !== undefined) return 'execute';
  const writes = writtenPaths(effect).length > 0;
  if (effect.unchanged === true && !writes) return 'read';
  const exists = effect.before !== undefined || toolName === 'edit_file';
  if (writes && exists && effect.readThisSession !== true) return 'replace';
  return toolEffect === 'read' && writes ? 'write' : toolEffect;
}

const PROTECTIONS: Readonly<Record<FileProtection, string>> = {
  write_protected: 'The file is write-protected, so replacing it always needs your approval.',
  other_owner: 'The file belongs to another user. Its replacement would belong to you.',
};

/** The question about the first path that needs an approval each time. */
function findQuestion({ effect }: CallToDecide, pathRules: PathRules): PermissionDecision | undefined {
  for (const { requested, realPath, access } of effect.paths) {
    const named = classOfRequested(requested, pathRules);
    const isNamed = named !== undefined && CLASS_ANSWERS[named][access] === 'ask';
    if (!isNamed && answerFor(realPath, access, pathRules) !== 'ask') continue;
    const found = isNamed ? named : classOfPath(realPath, pathRules);
    return { type: 'ask', ...questionAbout(found, access) };
  }
  return undefined;
}

/**
 * The class that the written name of a path has whatever it leads to: a link `.env` hides a secret under another name.
 * Absent for any other name: the place of the real path decides.
 */
function classOfRequested(requested: string, pathRules: PathRules): PathClass | undefined {
  const found = classOfPath(expandPath(requested, pathRules), pathRules);
  return found === 'sensitive' || found === 'executable' || found === 'sensitive_executable' ? found : undefined;
}

function foreign(access: 'read' | 'write'): { readonly rule: string; readonly reason: string } {
  const using = access === 'read' ? 'reading' : 'changing';
  const reason = `The path is outside the workspace, so ${using} it always needs your approval.`;
  return { rule: 'path outside the workspace', reason };
}

/** The question about a path of a class that asks each time. */
function questionAbout(found: PathClass, access: 'read' | 'write'): ReturnType<typeof foreign> {
  switch (found) {
    case 'sensitive':
      return SECRETS;
    case 'executable':
      return GUARDED;
    case 'sensitive_executable':
      return access === 'read' ? SECRETS : GUARDED;
    default:
      return foreign(access);
  }
}

const SECRETS = {
  rule: 'file with secrets',
  reason: 'The file may hold secrets, which the model would get, so reading it always needs your approval.',
};

const GUARDED = {
  rule: 'guarded path',
  reason: 'Other programs run this file or follow its settings, so changing it always needs your approval.',
};

/** The name of the rule for people and scripts. */
function ruleOf(source: CallLevel['source'], toolName: string, mode: PermissionMode): string {
  if (source === 'safety.permission_mode') return `permission mode ${mode}`;
  return source === 'safety.permissions' ? `${source}.${toolName}` : source;
}

function denialReason(source: CallLevel['source'], toolName: string, mode: PermissionMode): string {
  if (source === 'safety.permissions') return `The user has denied ${toolName}.`;
  const instead =
    mode === 'plan'
      ? 'Only read, and call present_plan with what you would change and run.'
      : 'Only read files, and describe in your answer what you would change or run.';
  return `${toolName} is not allowed in permission mode ${mode}. ${instead}`;
}

function questionReason(kind: CallKind, toolName: string, sandbox: DecisionSettings['sandbox']): string {
  switch (kind) {
    case 'execute':
      return sandbox?.type === 'on'
        ? `${toolName} runs a program. In the sandbox it can change the workspace and read most of your files.`
        : `${toolName} runs a program, which can do anything that you can do.`;
    case 'replace':
      return 'The file was not read in this session, or it has changed since.';
    case 'read':
      return `Your configuration asks before every use of ${toolName}.`;
    default:
      return `${toolName} changes files.`;
  }
}
