import type { Approver } from '../agent/ports/approver.ts';

/** Approver of a run without a user to ask: every answer is `unavailable`. */
export const unavailableApprover: Approver = {
  async decide(_request, signal) {
    signal.throwIfAborted();
    return { type: 'unavailable' };
  },
};
