import { describe, expect, it } from 'vitest';
import type { ApprovalDecision, ApprovalRequest } from '../../../../src/agent/ports/approver.ts';
import {
  type ApprovalFront,
  createApprover,
  type OpenQuestion,
  Questions,
  RefusedAnswer,
} from '../../../../src/app/driver/questions.ts';
import type { FormAnswer, FormRequest } from '../../../../src/tools/mcp/questions/forms.ts';

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
  it('stay open after a rejected answer', async () => {
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

  it('have no answer once the client has disconnected, even if they are asked later', async () => {
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
  const FORM: FormRequest = { id: 'f1', server: 'notes', message: 'Who?', schema: {} };

  it('supports forms only if the front does', () => {
    expect(createApprover(() => undefined).forms).toBeUndefined();
    expect(createApprover(() => front()).forms).toBeUndefined();
  });

  it('shows one form at a time, and cancels the open one when the client disconnects', async () => {
    const questions = new Questions<FormAnswer>();
    const shown: string[] = [];
    const closed: string[] = [];
    const { forms } = createApprover<FormAnswer>(
      () => ({
        newId: ({ callId }) => callId,
        show: async () => undefined,
        forms: {
          modes: ['form'],
          show: async (id) => void shown.push(id),
          read: (given) => given,
        },
        close: async (id) => closed.push(id),
      }),
      questions,
    );
    expect(forms?.modes).toEqual(['form']);
    const first = forms?.fill(FORM, SIGNAL);
    const stop = new AbortController();
    const second = forms?.fill({ ...FORM, id: 'f2' }, stop.signal);
    const third = forms?.fill({ ...FORM, id: 'f3' }, SIGNAL);
    await Promise.resolve();
    expect(shown).toEqual(['f1']);
    questions.answer('f1', { action: 'accept', content: {} });
    expect(await first).toEqual({ action: 'accept', content: {} });
    stop.abort();
    await expect(second).rejects.toThrow();
    questions.disconnect();
    expect(await third).toEqual({ action: 'cancel' });
    expect(closed).toEqual(['f1', 'f2', 'f3']);
  });

  it('rejects an answer to a form that is answered where it is shown', async () => {
    const questions = new Questions<string>();
    const { forms } = createApprover<string>(
      () => ({
        newId: () => 'f1',
        show: async () => undefined,
        forms: { modes: ['url'], show: async () => undefined },
      }),
      questions,
    );
    const asked = forms?.fill(FORM, SIGNAL);
    await Promise.resolve();
    expect(questions.answer('f1', 'x')).toBe('This question is answered where it is shown.');
    questions.disconnect();
    expect(await asked).toEqual({ action: 'cancel' });
  });

  const change: ApprovalDecision = { type: 'change', arguments: { command: 'ls' } };

  it('does not ask again about a call that the front has changed', async () => {
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

  it('rejects an answer to a question that is answered where it is shown', async () => {
    const questions = new Questions<never>();
    const stop = new AbortController();
    const never = { ...front(), show: () => new Promise<never>(() => {}) };
    const decided = createApprover(() => never, questions).decide(REQUEST, stop.signal);
    expect(questions.answer('c1', undefined as never)).toContain('answered where it is shown');
    stop.abort();
    await expect(decided).rejects.toThrow('stopped');
  });
});

describe('the question about a command that the user has edited', () => {
  const asked = (
    command: string,
    effect: Partial<ApprovalRequest['effect']> = {},
    reason = 'why',
  ): ApprovalRequest => ({
    ...REQUEST,
    effect: { ...REQUEST.effect, workingDirectory: '/w', command, ...effect },
    reason,
  });
  const decideAgain = async (next: ApprovalRequest) => {
    const decisions: ApprovalDecision[] = [{ type: 'edit', command: 'npm test' }, { type: 'deny' }];
    const approver = createApprover(() => ({ newId: ({ callId }) => callId, show: async () => decisions.shift() }));
    await approver.decide(asked('npm tets'), SIGNAL);
    return (await approver.decide(next, SIGNAL)).type;
  };

  it.each<[string, ApprovalRequest, string]>([
    ['the command as it was typed', asked('npm test'), 'once'],
    ['another command', asked('npm tests'), 'deny'],
    ['another reason', asked('npm test', {}, 'It runs what was written.'), 'deny'],
    ['another directory', asked('npm test', { workingDirectory: '/x' }), 'deny'],
    ['the network', asked('npm test', { network: true }), 'deny'],
    ['hosts', asked('npm test', { hosts: ['example.org'] }), 'deny'],
    ['sockets of this machine', asked('npm test', { localSockets: true }), 'deny'],
    ['a link to the removed files', asked('npm test', { links: [] }), 'deny'],
    ['the loss of files', asked('npm test', { overwrites: ['a.txt'] }), 'deny'],
    ['no sandbox', { ...asked('npm test'), sandbox: { type: 'off', reason: 'none' } }, 'deny'],
    ['another call', { ...asked('npm test'), callId: 'c2' }, 'deny'],
  ])('is answered by the edit unless something else is new: %s', async (_name, next, expected) => {
    expect(await decideAgain(next)).toBe(expected);
  });

  it('is answered by the edit only once', async () => {
    const decisions: ApprovalDecision[] = [{ type: 'edit', command: 'x' }, { type: 'deny' }];
    const approver = createApprover(() => ({ newId: ({ callId }) => callId, show: async () => decisions.shift() }));
    await approver.decide(asked('y'), SIGNAL);
    expect(await approver.decide(asked('x'), SIGNAL)).toEqual({ type: 'once' });
    expect(await approver.decide(asked('x'), SIGNAL)).toEqual({ type: 'deny' });
  });
});
