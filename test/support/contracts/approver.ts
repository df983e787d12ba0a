import { expect, it } from 'vitest';
import type { ApprovalDecision, ApprovalRequest, Approver } from '../../../src/agent/ports/approver.ts';
import { contractSuite, type Implementation } from './implementations.ts';

/** An approver that gives `decision` to its first question. */
export interface ApproverSubject {
  readonly approver: Approver;
  readonly decision: ApprovalDecision;
}

const request: ApprovalRequest = {
  callId: 'c1',
  toolName: 'write_file',
  reason: 'Writes need approval.',
  effect: { summary: 'write a.txt', paths: [] },
  offers: { type: 'write_directory', directory: '/w' },
};

/** Runs the contract of `Approver`. */
export function approverContract(implementations: readonly Implementation<ApproverSubject>[]): void {
  contractSuite('Approver', implementations, (create) => {
    it('returns its decision', async () => {
      const { approver, decision } = create();
      expect(await approver.decide(request, new AbortController().signal)).toEqual(decision);
    });

    it('rejects for an aborted run and keeps its decision for the next question', async () => {
      const { approver, decision } = create();
      const reason = new Error('stopped before');
      await expect(approver.decide(request, AbortSignal.abort(reason))).rejects.toBe(reason);
      expect(await approver.decide(request, new AbortController().signal)).toEqual(decision);
    });
  });
}
