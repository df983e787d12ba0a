import type { ApprovalDecision, Approver } from '../../ports/approver.ts';
import type { HostRequests } from '../host-requests.ts';
import { toolApproval } from './decode.ts';
import type { SeenCall } from './encode.ts';

/** Ports of an approver that asks the host. */
export interface YumeApproverPorts {
  readonly requests: HostRequests;
  /** The ids of the questions that wait. */
  readonly asked: Set<string>;
  /** The call of the model with this id, which the host has seen. */
  readonly callOf: (callId: string) => SeenCall | undefined;
}

/** Creates an approver that asks the host with `approval_request`, and waits for its `tool_approval` with the same id. */
export function createYumeApprover({ requests, asked, callOf }: YumeApproverPorts): Approver {
  return {
    async decide({ callId: id, toolName, reason }, signal) {
      const call = callOf(id) ?? { name: toolName, input: {} };
      asked.add(id);
      try {
        return decisionOf(await requests.ask(id, { type: 'approval_request', id, ...call, reason }, signal), call);
      } finally {
        asked.delete(id);
      }
    },
  };
}

function decisionOf(answer: unknown, call: SeenCall): ApprovalDecision {
  const read = toolApproval.safeParse(answer);
  if (!read.success) return { type: 'unavailable' };
  const { approved, input, message } = read.data;
  if (!approved) return typeof message === 'string' ? { type: 'deny', feedback: message } : { type: 'deny' };
  const isChanged = input !== undefined && input !== null && JSON.stringify(input) !== JSON.stringify(call.input);
  return isChanged ? { type: 'change', arguments: input } : { type: 'once' };
}
