import type { ApprovalDecision, Approver } from '../../agent/ports/approver.ts';
import type { Clock } from '../../agent/ports/clock.ts';

/** An approver that waits at most `seconds` for the answer of another one; without an answer in time it denies. */
export function limitAnswerTime(approver: Approver, clock: Clock, seconds: number): Approver {
  return {
    async decide(request, signal) {
      const over = new AbortController();
      const question = AbortSignal.any([signal, over.signal]);
      const timeOut = async (): Promise<ApprovalDecision> => {
        await clock.sleep(seconds * 1000, question);
        return { type: 'unavailable', afterSeconds: seconds };
      };
      try {
        return await Promise.race([approver.decide(request, question), timeOut()]);
      } finally {
        over.abort();
      }
    },
  };
}
