import type { ApprovalDecision, ApprovalRequest, PermissionRule } from '../../agent/ports/approver.ts';
import { answersTo } from '../../app/driver/answers.ts';
import type { ApprovalFront } from '../../app/driver/questions.ts';
import { prefixText } from '../../policy/shell/prefix/prefix-words.ts';
import { conforms } from '../../schema/conforms.ts';
import { sortKeys } from '../../text/json/map-texts.ts';
import type { HostRequests } from '../host-requests.ts';
import type { WriteLine } from '../write-lines.ts';
import { FORM_ANSWER, PERMISSION_ANSWER } from './frames.data.ts';
import type { SeenCall } from './messages.ts';

export interface HostApprovalPorts {
  readonly requests: HostRequests;
  readonly writeLine: WriteLine;
  readonly newId: () => string;
  /** The call of the model with this id, which the host has seen. */
  readonly callOf: (callId: string) => SeenCall | undefined;
  /** As in `answersTo`. */
  readonly keepsApprovals: () => boolean | undefined;
}

/**
 * Questions for approval to the host, with `can_use_tool`. An answer that cannot be read denies the call; a question
 * that is not needed any more is cancelled.
 */
export function hostApprovals({
  requests,
  writeLine,
  newId,
  callOf,
  keepsApprovals,
}: HostApprovalPorts): ApprovalFront<unknown> {
  const seen = ({ callId, toolName }: ApprovalRequest): SeenCall => callOf(callId) ?? { name: toolName, input: {} };
  return {
    newId,
    agreesToChanges: true,
    forms: {
      modes: ['form', 'url'],
      show: (id, { server, message, schema, url }) =>
        requests.show({
          ...{ type: 'control_request', request_id: id },
          request: {
            ...{ subtype: 'elicitation', mcp_server_name: server, message, mode: url === undefined ? 'form' : 'url' },
            ...(url === undefined ? { requested_schema: schema } : { url, elicitation_id: id }),
          },
        }),
      read: (answer) => (conforms(answer, FORM_ANSWER) ? answer.response : { action: 'cancel' }),
    },
    show(id, request) {
      const { name, input } = seen(request);
      const question = {
        subtype: 'can_use_tool',
        tool_name: name,
        input,
        tool_use_id: request.callId,
        permission_suggestions: suggestionsOf(request, name, keepsApprovals()).map(({ update }) => update),
        decision_reason: request.reason,
        description: request.effect.summary,
      };
      return requests.show({ type: 'control_request', request_id: id, request: question });
    },
    read(answer, request) {
      const call = seen(request);
      return decisionOf(answer, call, suggestionsOf(request, call.name, keepsApprovals()));
    },
    async close(id, isStopped) {
      if (isStopped) await writeLine({ type: 'control_cancel_request', request_id: id });
    },
  };
}

function decisionOf(answer: unknown, call: SeenCall, suggestions: readonly Suggestion[]): ApprovalDecision {
  if (!conforms(answer, PERMISSION_ANSWER))
    return { type: 'deny', feedback: 'The host gave an answer that cannot be read.' };
  const { response } = answer;
  if (response.behavior === 'deny') {
    return { type: 'deny', ...(response.message !== undefined && { feedback: response.message }) };
  }
  const { updatedInput, updatedPermissions } = response;
  if (updatedInput !== undefined && updatedInput !== null && !isEqual(updatedInput, call.input)) {
    return { type: 'change', arguments: updatedInput };
  }
  const accepted = suggestions.find(({ update }) => (updatedPermissions ?? []).some((given) => isEqual(given, update)));
  return accepted?.decision ?? { type: 'once' };
}

interface Suggestion {
  readonly update: object;
  readonly decision: ApprovalDecision;
}

/** The places in which hosts of this protocol keep a rule: for the user's own use of one project, or of all. */
const DESTINATIONS = { directory: 'localSettings', everywhere: 'userSettings' } as const;

/** The rules that the question offers, as permission updates: first the narrow ones of the session. */
function suggestionsOf(
  request: ApprovalRequest,
  toolName: string,
  keepsApprovals: boolean | undefined,
): readonly Suggestion[] {
  return answersTo(request, keepsApprovals).flatMap(({ rule, decision }) => {
    if (rule === undefined || decision.type !== 'session') return [];
    const destination = decision.keep === undefined ? 'session' : DESTINATIONS[decision.keep];
    const rules = [ruleValue(rule, toolName)];
    return [{ update: { type: 'addRules', rules, behavior: 'allow', destination }, decision }];
  });
}

function ruleValue(rule: PermissionRule, toolName: string): object {
  switch (rule.type) {
    case 'edit_read_files':
      return { toolName, ruleContent: 'files that were read in this session' };
    case 'write_directory':
      return { toolName, ruleContent: `${rule.directory}/** (new files, and files that were read)` };
    case 'file_operations':
      return { toolName, ruleContent: `${rule.directory}/**` };
    case 'exact_command':
      return { toolName, ruleContent: rule.command };
    case 'command_prefix':
      return { toolName, ruleContent: prefixText(rule.words).replaceAll(' *', ':*') };
    case 'sandboxed_commands':
      return { toolName, ruleContent: 'every command in the sandbox' };
    case 'hosts':
      return { toolName, ruleContent: `hosts: ${rule.hosts.join(', ')}` };
    case 'reads_of_tool':
      return { toolName };
    case 'mcp':
      return rule.tool === undefined ? { toolName, ruleContent: `server ${rule.server}` } : { toolName };
  }
}

/** True for equal JSON, whatever the order of its keys. */
function isEqual(left: unknown, right: unknown): boolean {
  return JSON.stringify(sortKeys(left)) === JSON.stringify(sortKeys(right));
}
