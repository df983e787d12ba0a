import { HOOK_RULE } from '../../agent/ports/approver.ts';
import type { ComputeDigest, Digest } from '../../agent/ports/digest.ts';
import type { AgentEvent } from '../../agent/ports/events.ts';
import type { SandboxState } from '../../agent/ports/shell.ts';
import type { RunObserver } from '../observe-events.ts';

type DecisionEvent = Extract<AgentEvent, { type: 'decision' }>;
type CallEvent = Extract<AgentEvent, { type: 'tool_call' }>;

/** Facts that belong to every decision. */
export interface DecisionFacts {
  readonly digest: ComputeDigest;
  readonly sandbox: SandboxState['type'];
}

/**
 * Reports each decision about a call as an event, before the call runs: the log that cannot store it ends the run. A
 * call that the user has changed is decided again. Nothing is reported of a call that could not be planned.
 */
export function observeDecisions({ digest, sandbox }: DecisionFacts): RunObserver {
  const calls = new Map<string, CallEvent>();
  const asked = new Map<string, Digest>();
  const report = (
    callId: string,
    verdict: DecisionEvent['verdict'],
    by: DecisionEvent['by'],
  ): readonly AgentEvent[] => {
    const event = calls.get(callId);
    if (event?.permission === undefined) return [];
    const shown = asked.get(callId) ?? digest(new TextEncoder().encode(contentOf(event)));
    const { rule, decidedBy } = event.permission;
    const row = decidedBy === undefined ? {} : { decidedBy };
    return [{ type: 'decision', callId, verdict, rule, ...row, by, digest: shown, sandbox }];
  };
  return {
    async before(event) {
      switch (event.type) {
        case 'tool_call': {
          const { call, permission } = event;
          calls.set(call.id, event);
          asked.delete(call.id);
          if (permission === undefined || permission.type === 'ask') return undefined;
          return report(call.id, permission.type, authorOf(permission.rule));
        }
        case 'approval_request': {
          const { callId, digest: shown } = event.request;
          if (shown !== undefined) asked.set(callId, shown);
          return undefined;
        }
        case 'approval_decision': {
          const { type } = event.decision;
          if (type === 'edit' || type === 'change') return undefined;
          const verdict = type === 'once' || type === 'session' ? 'allow' : 'deny';
          return report(event.callId, verdict, type === 'unavailable' ? 'host' : 'user');
        }
        default:
          return undefined;
      }
    },
    end: async () => [],
  };
}

function authorOf(rule: string): DecisionEvent['by'] {
  if (rule === HOOK_RULE) return 'host';
  return /^permission mode /.test(rule) ? 'mode' : 'rule';
}

function contentOf({ call, effect }: CallEvent): string {
  return JSON.stringify([call.name, call.arguments, effect]);
}
