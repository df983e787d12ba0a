import type { PermissionDecision, PermissionRule } from '../ports/approver.ts';
import type { PlannedEffect, ToolEffect } from '../ports/tool.ts';
import { isGuardedPath } from './paths/guarded-paths.ts';
import { classifyPath, type PathRules } from './paths/path-policy.ts';
import { applies, describeRule, offerRule, writtenPaths } from './permission-rules.ts';
import { judgeCommand } from './shell/shell-policy.ts';

/** How much the agent may do without asking. */
export type PermissionMode = 'ask' | 'accept-edits' | 'read-only' | 'full-access';

/** What is judged: which tool, what kind of effect it has, and what exactly it is going to do. */
export interface DecidedCall {
  readonly toolName: string;
  readonly toolEffect: ToolEffect;
  readonly effect: PlannedEffect;
}

/** What the user has settled for the whole session. */
export interface DecisionSettings {
  readonly mode: PermissionMode;
  readonly pathRules: PathRules;
  /** Lines of `safety.blocked_commands`. */
  readonly blockedCommands: readonly string[];
}

type Kind = 'read' | 'write' | 'edit of a read file' | 'edit of an unread file' | 'execute';
/** `ask once`: one yes is enough for the session, and a rule keeps it. */
type Default = 'allow' | 'ask' | 'ask once' | 'deny';

/** The defaults of every kind of call in every mode. */
const DEFAULTS: Readonly<Record<Kind, Readonly<Record<PermissionMode, Default>>>> = {
  read: { ask: 'allow', 'accept-edits': 'allow', 'read-only': 'allow', 'full-access': 'allow' },
  write: { ask: 'ask', 'accept-edits': 'allow', 'read-only': 'deny', 'full-access': 'allow' },
  'edit of a read file': { ask: 'ask once', 'accept-edits': 'allow', 'read-only': 'deny', 'full-access': 'allow' },
  'edit of an unread file': { ask: 'ask', 'accept-edits': 'ask', 'read-only': 'deny', 'full-access': 'allow' },
  execute: { ask: 'ask', 'accept-edits': 'ask', 'read-only': 'deny', 'full-access': 'allow' },
};

/**
 * Allows, denies or asks about a planned call. Pure. What must never happen comes first: paths outside the rules and
 * blocked commands are denied in every mode. Then what the mode denies; then what is asked about whatever has been
 * answered before; then the mode's default and the rules of this session.
 */
export function decide(
  call: DecidedCall,
  settings: DecisionSettings,
  sessionRules: readonly PermissionRule[],
): PermissionDecision {
  const { mode, pathRules } = settings;
  const { command } = call.effect;
  const verdict = command === undefined ? undefined : judgeCommand(command, settings.blockedCommands);
  const refused = refusePaths(call, pathRules);
  if (refused !== undefined) return refused;
  if (verdict?.type === 'blocked') return { type: 'deny', rule: verdict.rule, reason: verdict.reason };

  const kind = kindOf(call);
  const standard = DEFAULTS[kind][mode];
  const rule = `permission mode ${mode}`;
  if (standard === 'deny') return { type: 'deny', rule, reason: denialText(call.toolName, mode) };
  // In full access the block list is all there is, so a text that hides what it runs must not pass it unread.
  if (verdict?.type === 'unsure') return { type: 'ask', rule: 'unreadable command', reason: verdict.reason };
  if (mode !== 'full-access' && writtenPaths(call.effect).some((realPath) => isGuardedPath(realPath, pathRules))) {
    return {
      type: 'ask',
      rule: 'guarded path',
      reason: 'Other programs run or obey this file, so it is always asked about.',
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

/** Judges the paths again, although the tools have: a tool that forgets to must not be a way out. */
function refusePaths(call: DecidedCall, pathRules: PathRules): PermissionDecision | undefined {
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

/** A tool we do not know is judged by its effect; a call with a command is one, whatever its tool calls itself. */
function kindOf({ toolName, toolEffect, effect }: DecidedCall): Kind {
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
