import type { ApprovalDecision, Approver } from '../../agent/ports/approver.ts';
import { conforms } from '../../schema/conforms.ts';
import type { HostRequests } from '../host-requests.ts';
import type { SeenCall } from './encode.ts';
import { TOOL_APPROVAL } from './frames.data.ts';

/** Ports of an approver that asks the host. */
export interface YumeApproverPorts {
  readonly requests: HostRequests;
  /** The ids of the questions that wait. */
  readonly asked: Set<string>;
  /** The ids of the calls that the host has agreed to with another input, until their result. */
  readonly changed: Set<string>;
  /** The call of the model with this id, which the host has seen. */
  readonly callOf: (callId: string) => SeenCall | undefined;
}

/** Creates an approver that asks the host with `approval_request`, and waits for its `tool_approval` with the same id. */
export function createYumeApprover({ requests, asked, changed, callOf }: YumeApproverPorts): Approver {
  return {
    async decide({ callId: id, toolName, reason }, signal) {
      // The host has agreed to the input that it gave, unless the rules deny it.
      if (changed.delete(id)) return { type: 'once' };
      const call = callOf(id) ?? { name: toolName, input: {} };
      asked.add(id);
      try {
        const question = { type: 'approval_request', id, ...call, reason };
        const decision = decisionOf(await requests.ask(id, question, signal), call);
        if (decision.type === 'change') changed.add(id);
        return decision;
      } finally {
        asked.delete(id);
      }
    },
  };
}

function decisionOf(answer: unknown, call: SeenCall): ApprovalDecision {
  if (!conforms(answer, TOOL_APPROVAL)) return { type: 'unavailable', host: true };
  const { approved, input, message } = answer;
  if (!approved) return typeof message === 'string' ? { type: 'deny', feedback: message } : { type: 'deny' };
  const isChanged = input !== undefined && input !== null && JSON.stringify(input) !== JSON.stringify(call.input);
  return isChanged ? { type: 'change', arguments: input } : { type: 'once' };
}
