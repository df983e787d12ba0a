import type { PermissionOption, RequestPermissionOutcome, ToolCallUpdate } from '@agentclientprotocol/sdk';
import type { ApprovalDecision, ApprovalRequest } from '../../agent/ports/approver.ts';
import { answersTo } from '../../app/driver/answers.ts';
import { contentOf, locationsOf, textContent, toolKindOf } from './call-content.ts';

/** The question to the user of a client: the call with everything that is approved, and the answers. */
export interface PermissionQuestion {
  readonly toolCall: ToolCallUpdate;
  readonly options: PermissionOption[];
}

/** Facts about a session. */
interface QuestionFacts {
  /** As in `answersTo`. */
  readonly keepsApprovals?: boolean | undefined;
  /** True if commands run in terminals of the client. */
  readonly inTerminal?: boolean;
}

/** The question for an approval. */
export function permissionQuestion(
  request: ApprovalRequest,
  { keepsApprovals, inTerminal = false }: QuestionFacts = {},
): PermissionQuestion {
  const { callId, toolName, effect } = request;
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
            ...answersTo({ ...request, pending: [] }, keepsApprovals).map(({ name, text, rule }): PermissionOption => {
              if (rule === undefined) return { optionId: name, name: `Allow ${text}`, kind: 'allow_once' };
              return { optionId: name, name: `Allow ${text.replace(/^and /, '')}`, kind: 'allow_always' };
            }),
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
  request: ApprovalRequest,
  keepsApprovals?: boolean,
): ApprovalDecision {
  const chosen = outcome.outcome === 'selected' ? outcome.optionId : undefined;
  const offered = answersTo({ ...request, pending: [] }, keepsApprovals).find(({ name }) => name === chosen);
  return offered?.decision ?? { type: 'deny' };
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
