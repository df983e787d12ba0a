import type { ApprovalDecision, ApprovalRequest, PermissionRule } from '../../agent/ports/approver.ts';
import { describeOffer } from '../../policy/describe-rule.ts';
import { mayKeepEverywhere } from '../../policy/permission-rules.ts';
import { destructiveEffect } from '../../policy/shell/destructive/destructive.ts';
import type { KeptFor } from '../../session/log/unions.ts';

/** The names of the answers to questions, besides a no and a change of the call. */
export const ANSWER_NAMES = [
  'once',
  'all',
  'session',
  'directory',
  'workspace',
  'prefix',
  'sandbox',
  'hosts',
  'keep_directory',
  'keep_everywhere',
  'plan_ask',
  'plan_accept_edits',
] as const;

/** One of the names. */
export type AnswerName = (typeof ANSWER_NAMES)[number];

/** An approval of a call. */
export interface OfferedAnswer {
  readonly name: AnswerName;
  readonly key: string;
  /** The text after `yes, ` in the answer. */
  readonly text: string;
  /** The rule that it adds. The user may change the words of `command_prefix`. */
  readonly rule?: PermissionRule;
  readonly decision: ApprovalDecision;
}

/** A grant of the same rule until the end of the session, and for later ones. */
interface Grant {
  readonly name: AnswerName;
  readonly key: string;
  readonly rule: PermissionRule | undefined;
  readonly keep?: KeptFor;
}

const FOR_SESSION = 'and for the rest of this session';

/**
 * The answers that a question offers, which are the same in every front. `keepsApprovals`: rules also hold in later
 * sessions in this directory; `undefined`: nothing is ever kept.
 */
export function answersTo(
  { effect, pending = [], offers, offersDirectory, offersMore = [] }: ApprovalRequest,
  keepsApprovals: boolean | undefined,
): readonly OfferedAnswer[] {
  if (effect.plan !== undefined) return PLAN_ANSWERS;
  const find = (type: PermissionRule['type']) => offersMore.find((rule) => rule.type === type);
  const prefix = find('command_prefix');
  const workspace = find('file_operations');
  const isFiles = offersDirectory?.type === 'file_operations';
  // What destroys is never allowed for later sessions.
  const mayKeep = (effect.command ?? effect.mcp) !== undefined && destructiveEffect(effect) === undefined;
  const kept = prefix ?? (mayKeep ? offers : undefined);
  const grants: readonly Grant[] = [
    { name: 'session', key: 'a', rule: offers },
    // A file in the root of the workspace has one answer, with the key of the workspace.
    { name: 'directory', key: isFiles && workspace === undefined ? 'w' : 'f', rule: offersDirectory },
    { name: 'workspace', key: 'w', rule: workspace },
    { name: 'prefix', key: 'p', rule: prefix },
    { name: 'sandbox', key: 'x', rule: find('sandboxed_commands') },
    { name: 'hosts', key: 'h', rule: find('hosts') },
    { name: 'keep_directory', key: 'k', rule: keepsApprovals === false ? kept : undefined, keep: 'directory' },
    {
      ...{ name: 'keep_everywhere', key: 'g', keep: 'everywhere' },
      rule: keepsApprovals !== undefined && kept !== undefined && mayKeepEverywhere(kept) ? kept : undefined,
    },
  ];
  const count = pending.length + 1;
  return [
    { name: 'once', key: 'y', text: count > 1 ? 'once, to number 1 only' : 'once', decision: { type: 'once' } },
    ...(count > 1
      ? [{ name: 'all', key: 'b', text: `once, to all ${count}`, decision: { type: 'once', all: true } } as const]
      : []),
    ...grants.flatMap((grant) => answerOf(grant, keepsApprovals === true)),
  ];
}

function answerOf({ name, key, rule, keep }: Grant, keepsApprovals: boolean): readonly OfferedAnswer[] {
  if (rule === undefined) return [];
  const isKept = keepsApprovals && rule.type !== 'sandboxed_commands' && rule.type !== 'hosts';
  const lasts =
    keep === undefined
      ? `${FOR_SESSION}${isKept ? ' and later ones' : ''}`
      : `and in later sessions in ${keep === 'directory' ? 'this directory' : 'every directory'}`;
  const decision = {
    type: 'session',
    ...(name !== 'session' && { rule }),
    ...(keep !== undefined && { keep }),
  } as const;
  return [{ name, key, text: `${lasts}: ${describeOffer(rule)}`, rule, decision }];
}

const PLAN_ANSWERS: readonly OfferedAnswer[] = [
  { name: 'plan_ask', key: 'y', text: 'and ask before each change', decision: { type: 'once', mode: 'ask' } },
  {
    name: 'plan_accept_edits',
    key: 'a',
    text: 'and edit files without asking',
    decision: { type: 'once', mode: 'accept-edits' },
  },
];
