import { describe, expect, it } from 'vitest';
import type { ApprovalDecision, ApprovalRequest } from '../../../../src/agent/ports/approver.ts';
import {
  type ApprovalFront,
  createApprover,
  type OpenQuestion,
  Questions,
  RefusedAnswer,
} from '../../../../src/app/driver/questions.ts';

const REQUEST: ApprovalRequest = {
  callId: 'c1',
  toolName: 'run_shell',
  effect: { summary: 'run x', paths: [] },
  reason: 'why',
};
const SIGNAL = new AbortController().signal;

const question = (changes: Partial<OpenQuestion<string, string>> = {}): OpenQuestion<string, string> => ({
  id: 'q1',
  show: async () => undefined,
  read: (given) => (given === 'what?' ? new RefusedAnswer('That is not an answer.') : given),
  ...changes,
});

describe('questions', () => {
  it('stay open after an answer that is refused', async () => {
    const questions = new Questions<string>();
    const asked = questions.ask(question(), SIGNAL);
    expect(questions.answer('q1', 'what?')).toBe('That is not an answer.');
    expect(questions.answer('q2', 'yes')).toContain('has been answered');
    expect(questions.answer('q1', 'yes')).toBeUndefined();
    expect(await asked).toBe('yes');
    expect(questions.isOpen('q1')).toBe(false);
  });

  it('take an answer that arrives while they are still being shown', async () => {
    const questions = new Questions<string>();
    const show = () => new Promise<never>(() => questions.answer('q1', 'early'));
    expect(await questions.ask(question({ show }), SIGNAL)).toBe('early');
  });

  it('fail when they cannot be shown', async () => {
    const questions = new Questions<string>();
    const asked = questions.ask(question({ show: () => Promise.reject(new Error('broken')) }), SIGNAL);
    await expect(asked).rejects.toThrow('broken');
    expect(questions.isOpen('q1')).toBe(false);
  });

  it('have no answer after the client has disconnected, nor have later ones', async () => {
    const questions = new Questions<string>();
    const asked = questions.ask(question(), SIGNAL);
    questions.disconnect();
    expect(await asked).toBeUndefined();
    expect(await questions.ask(question(), SIGNAL)).toBeUndefined();
  });
});

describe('an approver that asks through a front', () => {
  const front = (...decisions: ApprovalDecision[]): ApprovalFront => ({
    newId: ({ callId }) => callId,
    show: async () => decisions.shift(),
    agreesToChanges: true,
  });
  const change: ApprovalDecision = { type: 'change', arguments: { command: 'ls' } };

  it('asks no second time about a call that the front has changed', async () => {
    const approver = createApprover(() => front(change));
    expect(await approver.decide(REQUEST, SIGNAL)).toEqual(change);
    expect(await approver.decide(REQUEST, SIGNAL)).toEqual({ type: 'once' });
  });

  it('asks again about a later call with the same id', async () => {
    const shown = front(change, { type: 'deny' });
    const approver = createApprover(() => shown);
    await approver.decide(REQUEST, SIGNAL);
    approver.forget('c1');
    expect(await approver.decide(REQUEST, SIGNAL)).toEqual({ type: 'deny' });
  });

  it('refuses an answer to a question that is answered where it is shown', async () => {
    const questions = new Questions<never>();
    const stop = new AbortController();
    const never = { ...front(), show: () => new Promise<never>(() => {}) };
    const decided = createApprover(() => never, questions).decide(REQUEST, stop.signal);
    expect(questions.answer('c1', undefined as never)).toContain('answered where it is shown');
    stop.abort();
    await expect(decided).rejects.toThrow('stopped');
  });
});
