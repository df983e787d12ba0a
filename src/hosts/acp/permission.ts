import type { PermissionOption, RequestPermissionOutcome, ToolCallUpdate } from '@agentclientprotocol/sdk';
import type { ApprovalDecision, ApprovalRequest } from '../../agent/ports/approver.ts';
import { describeRule } from '../../policy/permission-rules.ts';
import { contentOf, locationsOf, textContent, toolKindOf } from './call-content.ts';

/** The question to the user of a client: the call with everything that is approved, and the answers. */
export interface PermissionQuestion {
  readonly toolCall: ToolCallUpdate;
  readonly options: PermissionOption[];
}

/** Facts about a session. */
interface QuestionFacts {
  /** True if the rules that the user allows for the session also hold in later ones. */
  readonly keepsApprovals?: boolean;
  /** True if commands run in terminals of the client. */
  readonly inTerminal?: boolean;
}

/** The question for an approval. */
export function permissionQuestion(
  request: ApprovalRequest,
  { keepsApprovals = false, inTerminal = false }: QuestionFacts = {},
): PermissionQuestion {
  const { callId, toolName, effect, offers, offersDirectory } = request;
  const forSession = `Allow for this session${keepsApprovals ? ' and later ones' : ''}`;
  return {
    toolCall: {
      toolCallId: callId,
      title: effect.summary,
      name: toolName,
      kind: toolKindOf(toolName, effect),
      status: 'pending',
      content: [...contentOf(effect), textContent(explain(request, inTerminal))],
      locations: locationsOf(effect),
    },
    options:
      effect.plan === undefined
        ? [
            { optionId: 'once', name: 'Allow once', kind: 'allow_once' },
            ...(offers === undefined ? [] : [always('session', `${forSession}: ${describeRule(offers)}`)]),
            ...(offersDirectory === undefined
              ? []
              : [always('directory', `${forSession}: ${describeRule(offersDirectory)}`)]),
            { optionId: 'deny', name: 'Reject', kind: 'reject_once' },
          ]
        : [...PLAN_OPTIONS],
  };
}

/** The answers to a plan. */
const PLAN_OPTIONS: readonly PermissionOption[] = [
  { optionId: 'plan_ask', name: 'Yes, and ask before each change', kind: 'allow_once' },
  { optionId: 'plan_accept_edits', name: 'Yes, and edit files without asking', kind: 'allow_always' },
  { optionId: 'deny', name: 'No, keep planning', kind: 'reject_once' },
];

/** The decision of an answer. An answer that was not offered is a denial. */
export function acpDecision(
  outcome: RequestPermissionOutcome,
  { effect, offers, offersDirectory }: ApprovalRequest,
): ApprovalDecision {
  const chosen = outcome.outcome === 'selected' ? outcome.optionId : undefined;
  if (effect.plan !== undefined) {
    if (chosen === 'plan_ask') return { type: 'once', mode: 'ask' };
    return chosen === 'plan_accept_edits' ? { type: 'once', mode: 'accept-edits' } : { type: 'deny' };
  }
  if (chosen === 'once') return { type: 'once' };
  if (chosen === 'session' && offers !== undefined) return { type: 'session' };
  if (chosen === 'directory' && offersDirectory !== undefined) return { type: 'session', scope: 'directory' };
  return { type: 'deny' };
}

function always(optionId: string, name: string): PermissionOption {
  return { optionId, name, kind: 'allow_always' };
}

/** The whole command with its directory and its limits, the files, and the reason of the question. */
function explain({ effect, sandbox, reason }: ApprovalRequest, inTerminal: boolean): string {
  const { command, program, workingDirectory, paths } = effect;
  const lines = [
    ...(command === undefined ? [] : [`$ ${command}`]),
    ...(program === undefined ? [] : [`$ ${program.path}`, program.input]),
    ...(workingDirectory === undefined ? [] : [`in ${workingDirectory}`]),
    ...(command === undefined ? paths.map(({ realPath }) => `file ${realPath}`) : []),
  ];
  if (sandbox?.type === 'off') {
    const where = inTerminal && command !== undefined ? ', in a terminal of the editor' : '';
    lines.push(`UNSANDBOXED (${sandbox.reason}), with network${where}`);
  }
  if (sandbox?.type === 'on') {
    lines.push(
      `sandboxed (${sandbox.program}), ${effect.network === true ? 'WITH NETWORK' : 'no network'}${effect.localSockets === true ? ', WITH LOCAL SOCKETS' : ''}`,
    );
  }
  return [...lines, reason].join('\n');
}
