import { RequestError, type SessionModeState, type StopReason } from '@agentclientprotocol/sdk';
import { ModelError, messageOf, UsageError } from '../../agent/errors.ts';
import { PERMISSION_MODES, type PermissionMode } from '../../agent/ports/approver.ts';
import type { AgentEvent } from '../../agent/ports/events.ts';
import { KeyError } from '../../providers/target/chosen-model.ts';

/** The permission modes for people. */
const MODES: Readonly<Record<PermissionMode, { readonly name: string; readonly description: string }>> = {
  ask: { name: 'Ask', description: 'Asks before it changes a file or runs a command that may change something' },
  'accept-edits': { name: 'Accept edits', description: 'Changes files of the project without a question' },
  plan: { name: 'Plan', description: 'Reads, and changes nothing before you approve its plan' },
  'read-only': { name: 'Read only', description: 'Reads, and changes nothing' },
  'full-access': {
    name: 'Full access',
    description: 'Asks only where a rule of the user or a guarded file demands it',
  },
};

/** The permission modes of a session as modes of the protocol. */
export function modesOf(current: string): SessionModeState {
  return { currentModeId: current, availableModes: PERMISSION_MODES.map((id) => ({ id, ...MODES[id] })) };
}

/** The reason for which a run ended. Throws the error of the protocol for a run that failed. */
export function stopReasonOf({ outcome, message, error }: Extract<AgentEvent, { type: 'run_end' }>): StopReason {
  switch (outcome) {
    case 'done':
    case 'denied':
      return 'end_turn';
    case 'aborted':
      return 'cancelled';
    case 'limit':
    case 'stuck':
      return 'max_turn_requests';
    case 'failed':
      if (error?.code === 'content_filter') return 'refusal';
      if (error?.code === 'answer_cut' || error?.code === 'window_full') return 'max_tokens';
      throw error?.code === 'auth' ? authRequired(error.message) : failure(error?.message ?? message, error?.code);
  }
}

/** The error of the protocol for a thrown value. Its message is for the user of the client. */
export function requestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  if (error instanceof ModelError && error.code === 'auth') return authRequired(error.message);
  const message = messageOf(error);
  if (!(error instanceof UsageError)) return failure(message, error instanceof ModelError ? error.code : 'internal');
  return error instanceof KeyError ? authRequired(message) : invalidParams(message);
}

export function invalidParams(message: string): RequestError {
  return new RequestError(-32602, message);
}

function authRequired(message: string): RequestError {
  return new RequestError(-32000, `${message} ybs doctor, in a terminal, checks the setting.`);
}

function failure(message: string, code: string | undefined): RequestError {
  return new RequestError(-32603, message, code === undefined ? undefined : { code });
}
