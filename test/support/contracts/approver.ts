import { expect, it } from 'vitest';
import type { ApprovalDecision, ApprovalRequest, Approver } from '../../../src/ports/approver.ts';
import { contractSuite, type Implementation } from './implementations.ts';

/** An approver that gives `decision` to its first question. */
export interface ApproverSubject {
  readonly approver: Approver;
  readonly decision: ApprovalDecision;
}

const request: ApprovalRequest = {
  callId: 'c1',
  toolName: 'write_file',
  reason: 'Writes are asked for.',
  effect: { summary: 'write a.txt', paths: [] },
  offers: { type: 'write_directory', directory: '/w' },
};

/** What every approver must do. */
export function approverContract(implementations: readonly Implementation<ApproverSubject>[]): void {
  contractSuite('Approver', implementations, (create) => {
    it('gives its answer', async () => {
      const { approver, decision } = create();
      expect(await approver.decide(request, new AbortController().signal)).toEqual(decision);
    });

    it('has none for a run that was stopped, and keeps it for the next question', async () => {
      const { approver, decision } = create();
      const reason = new Error('stopped before');
      await expect(approver.decide(request, AbortSignal.abort(reason))).rejects.toBe(reason);
      expect(await approver.decide(request, new AbortController().signal)).toEqual(decision);
    });
  });
}
