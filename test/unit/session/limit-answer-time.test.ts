import { expect, it } from 'vitest';
import type { Approver } from '../../../src/agent/ports/approver.ts';
import { limitAnswerTime } from '../../../src/session/approvals/limit-answer-time.ts';
import { createManualClock } from '../../support/fakes/manual-clock.ts';

const request = { callId: 'c', toolName: 'run', reason: 'r', effect: { summary: 's', paths: [] } };

it('a question without an answer in time ends as denied', async () => {
  const clock = createManualClock();
  let signal: AbortSignal | undefined;
  const silent: Approver = {
    decide: (_request, given) => {
      signal = given;
      return new Promise(() => {});
    },
  };
  let decision: unknown;
  const decided = limitAnswerTime(silent, clock, 300)
    .decide(request, new AbortController().signal)
    .then((answer) => {
      decision = answer;
    });
  await clock.advance(299_999);
  expect([decision, signal?.aborted]).toEqual([undefined, false]);
  await clock.advance(1);
  await decided;
  expect([decision, signal?.aborted]).toEqual([{ type: 'unavailable', afterSeconds: 300 }, true]);
});

it('an answer leaves no timer behind', async () => {
  const clock = createManualClock();
  const approver = limitAnswerTime({ decide: async () => ({ type: 'once' }) }, clock, 300);
  expect(await approver.decide(request, new AbortController().signal)).toEqual({ type: 'once' });
  expect(clock.pending).toEqual([]);
});
