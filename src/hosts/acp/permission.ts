import type {
  ClientCapabilities,
  CreateElicitationRequest,
  CreateElicitationResponse,
  PermissionOption,
  RequestPermissionOutcome,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk';
import type { ApprovalDecision, ApprovalRequest } from '../../agent/ports/approver.ts';
import { answersTo } from '../../app/driver/answers.ts';
import type { FormFront } from '../../app/driver/questions.ts';
import { describeNetwork } from '../../policy/sandbox/describe-sandbox.ts';
import { isJsonObject } from '../../text/json/json.ts';
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

/** Forms to the client, in the modes that it has; `undefined` if it has none. `ask` sends `elicitation/create`. */
export function formsOf(
  { elicitation }: ClientCapabilities,
  ask: (request: CreateElicitationRequest, signal: AbortSignal) => Promise<CreateElicitationResponse>,
  sessionId: () => string,
): FormFront | undefined {
  const modes = (['form', 'url'] as const).filter((mode) => (elicitation?.[mode] ?? undefined) !== undefined);
  if (modes.length === 0) return undefined;
  return {
    modes,
    async show(id, { server, message, schema, url }, signal) {
      const mode: string = url === undefined ? 'form' : 'url';
      const about = { sessionId: sessionId(), mode, message: `${server}: ${message}` };
      const answer = await ask(
        { ...about, ...(url === undefined ? { requestedSchema: schema } : { url, elicitationId: id }) },
        signal,
      );
      if (answer.action === 'decline') return { action: 'decline' };
      if (answer.action !== 'accept') return { action: 'cancel' };
      return { action: 'accept', ...(isJsonObject(answer.content) && { content: answer.content }) };
    },
  };
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
      `sandboxed (${sandbox.program}), ${describeNetwork(sandbox, effect)}${effect.localSockets === true ? ', WITH LOCAL SOCKETS' : ''}`,
    );
  }
  return [...lines, reason].join('\n');
}
