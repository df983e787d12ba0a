import type { PermissionDecision, PermissionMode, PermissionRule } from '../ports/approver.ts';
import type { PlannedEffect, ToolEffect } from '../ports/tool.ts';
import { classifyPath, isGuardedPath, type PathRules } from './paths/path-policy.ts';
import { applies, describeRule, offerRule, writtenPaths } from './permission-rules.ts';
import { checkCommand } from './shell/shell-policy.ts';

/** A planned call to decide about, with the strongest effect of its tool. */
export interface CallToDecide {
  readonly toolName: string;
  readonly toolEffect: ToolEffect;
  readonly effect: PlannedEffect;
}

/** The user's settings for the session. */
export interface DecisionSettings {
  readonly mode: PermissionMode;
  readonly pathRules: PathRules;
  /** Lines of `safety.blocked_commands`. */
  readonly blockedCommands: readonly string[];
}

type Kind = 'read' | 'write' | 'edit of a read file' | 'edit of an unread file' | 'execute';
/** `ask once`: one approval adds a rule for the rest of the session. */
type Default = 'allow' | 'ask' | 'ask once' | 'deny';

/** The default for each kind of call in each mode. */
const DEFAULTS: Readonly<Record<Kind, Readonly<Record<PermissionMode, Default>>>> = {
  read: { ask: 'allow', 'accept-edits': 'allow', 'read-only': 'allow', 'full-access': 'allow' },
  write: { ask: 'ask', 'accept-edits': 'allow', 'read-only': 'deny', 'full-access': 'allow' },
  'edit of a read file': { ask: 'ask once', 'accept-edits': 'allow', 'read-only': 'deny', 'full-access': 'allow' },
  'edit of an unread file': { ask: 'ask', 'accept-edits': 'ask', 'read-only': 'deny', 'full-access': 'allow' },
  execute: { ask: 'ask', 'accept-edits': 'ask', 'read-only': 'deny', 'full-access': 'allow' },
};

/**
 * Allows, denies or asks about a planned call. Pure. Checks in this order: paths outside the rules and blocked
 * commands, which are denied in every mode; denials of the mode; unreadable commands and guarded paths, which are asked
 * about whatever the session rules allow; the mode's default; the rules of this session.
 */
export function decide(
  call: CallToDecide,
  settings: DecisionSettings,
  sessionRules: readonly PermissionRule[],
): PermissionDecision {
  const { mode, pathRules } = settings;
  const { command } = call.effect;
  const verdict = command === undefined ? undefined : checkCommand(command, settings.blockedCommands);
  const refused = refusePaths(call, pathRules);
  if (refused !== undefined) return refused;
  if (verdict?.type === 'blocked') return { type: 'deny', rule: verdict.rule, reason: verdict.reason };

  const kind = kindOf(call);
  const standard = DEFAULTS[kind][mode];
  const rule = `permission mode ${mode}`;
  if (standard === 'deny') return { type: 'deny', rule, reason: denialText(call.toolName, mode) };
  // In full access only the block list protects the user, so a command that hides what it runs must not pass it.
  if (verdict?.type === 'unsure') return { type: 'ask', rule: 'unreadable command', reason: verdict.reason };
  if (mode !== 'full-access' && writtenPaths(call.effect).some((realPath) => isGuardedPath(realPath, pathRules))) {
    return {
      type: 'ask',
      rule: 'guarded path',
      reason: 'Other programs run this file or follow its settings, so changing it always needs your approval.',
    };
  }
  if (standard === 'allow') return { type: 'allow', rule };
  const given = sessionRules.find((sessionRule) => applies(sessionRule, call, pathRules));
  if (given !== undefined) return { type: 'allow', rule: describeRule(given, pathRules) };

  const question = { type: 'ask', rule, reason: questionText(kind, call.toolName) } as const;
  const offers = offerRule(call, pathRules);
  if (offers === undefined) return question;
  return standard === 'ask once' ? { ...question, offers, grants: offers } : { ...question, offers };
}

/** Checks the paths again, in case a tool forgets to. */
function refusePaths(call: CallToDecide, pathRules: PathRules): PermissionDecision | undefined {
  const { paths, workingDirectory } = call.effect;
  const directory = workingDirectory === undefined ? [] : [{ realPath: workingDirectory, access: 'write' } as const];
  for (const { realPath, access } of [...paths, ...directory]) {
    const verdict = classifyPath(realPath, access, pathRules);
    if (verdict.type === 'inside') continue;
    const reason = `${realPath} is ${verdict.type === 'blocked' ? 'blocked' : 'outside the workspace'} (${verdict.rule}). Use a path inside the workspace.`;
    return { type: 'deny', rule: verdict.rule, reason };
  }
  return undefined;
}

/** An unknown tool counts by its effect. A call with a command counts as `execute`, whatever its tool is. */
function kindOf({ toolName, toolEffect, effect }: CallToDecide): Kind {
  if (effect.command !== undefined) return 'execute';
  if (toolName === 'edit_file')
    return effect.readThisSession === true ? 'edit of a read file' : 'edit of an unread file';
  return toolEffect === 'read' && writtenPaths(effect).length > 0 ? 'write' : toolEffect;
}

function denialText(toolName: string, mode: PermissionMode): string {
  return `${toolName} is not allowed in permission mode ${mode}. Only read, and say in your answer what you would change or run.`;
}

function questionText(kind: Kind, toolName: string): string {
  switch (kind) {
    case 'execute':
      return `${toolName} runs a program, which can do whatever you can.`;
    case 'edit of an unread file':
      return 'The file was not read in this session, or has changed since.';
    case 'edit of a read file':
      return 'Yes also covers later edits of files that were read in this session and have not changed.';
    default:
      return `${toolName} changes files.`;
  }
}
