import { describe, expect, it } from 'vitest';
import type { ApprovalDecision, ApprovalRequest } from '../../../src/agent/ports/approver.ts';
import { createApprover, Questions } from '../../../src/app/driver/questions.ts';
import { webApprovals } from '../../../src/web/session/answer.ts';
import type { WebAnswer } from '../../../src/web/session/page-data.ts';
import type { PageEvent } from '../../../src/web/session/page-event.ts';

const REQUEST: ApprovalRequest = {
  callId: 'c1',
  toolName: 'run_shell',
  effect: { summary: 'run npm test', paths: [], command: 'npm test' },
  reason: 'Commands need approval.',
  digest: 'sha256:1',
};
const offers = { type: 'exact_command', command: 'npm test', workingDirectory: '/w' } as const;
const offersDirectory = { type: 'file_operations', directory: '/w' } as const;
const SANDBOX = { type: 'sandboxed_commands' } as const;
const PREFIX = { type: 'command_prefix', words: ['npm', 'test'] } as const;
const PLAN = { ...REQUEST, effect: { summary: 'present a plan', paths: [], plan: 'First this.' } };

function asking(keepsApprovals = false) {
  const shown: PageEvent[] = [];
  let count = 0;
  const show = (event: PageEvent) => shown.push(event);
  const approvals = webApprovals({ newId: () => `q${++count}`, show, keepsApprovals });
  const open = new Questions<WebAnswer>();
  const approver = createApprover(() => approvals, open);
  return { questions: { approver, answer: (answer: WebAnswer) => open.answer(answer.id, answer) }, shown };
}

describe('an answer', () => {
  it.each<[string, Partial<ApprovalRequest>, WebAnswer['answer'], ApprovalDecision]>([
    ['once', {}, { type: 'once' }, { type: 'once' }],
    ['to all', { pending: [REQUEST] }, { type: 'all' }, { type: 'once', all: true }],
    ['for the session', { offers }, { type: 'session' }, { type: 'session' }],
    ['for the directory', { offersDirectory }, { type: 'directory' }, { type: 'session', rule: offersDirectory }],
    ['for the sandbox', { offersMore: [SANDBOX] }, { type: 'sandbox' }, { type: 'session', rule: SANDBOX }],
    ['for its words', { offersMore: [PREFIX] }, { type: 'prefix' }, { type: 'session', rule: PREFIX }],
    [
      'for later sessions here',
      { offersMore: [PREFIX] },
      { type: 'keep_directory' },
      { type: 'session', rule: PREFIX, keep: 'directory' },
    ],
    [
      'for later sessions everywhere',
      { offersMore: [PREFIX] },
      { type: 'keep_everywhere' },
      { type: 'session', rule: PREFIX, keep: 'everywhere' },
    ],
    ['with another command', { editable: true }, { type: 'edit', text: 'ls' }, { type: 'edit', command: 'ls' }],
    ['no', {}, { type: 'deny' }, { type: 'deny' }],
    ['no, with blanks', {}, { type: 'deny', feedback: ' ' }, { type: 'deny' }],
    ['to a plan', PLAN, { type: 'plan_ask' }, { type: 'once', mode: 'ask' }],
    ['to a plan, with edits', PLAN, { type: 'plan_accept_edits' }, { type: 'once', mode: 'accept-edits' }],
    ['with another plan', PLAN, { type: 'edit', text: 'That.' }, { type: 'change', arguments: { plan: 'That.' } }],
  ])('is a decision: %s', async (_name, request, answer, decision) => {
    const { questions, shown } = asking();
    const decided = questions.approver.decide({ ...REQUEST, ...request }, new AbortController().signal);
    expect(questions.answer({ id: 'q1', digest: 'sha256:1', answer })).toBeUndefined();
    expect(await decided).toEqual(decision);
    expect(shown.map(({ type }) => type)).toEqual(['question', 'question_closed']);
  });

  it.each<[string, Partial<ApprovalRequest>, WebAnswer]>([
    ['to an unknown question', {}, { id: 'q2', digest: 'sha256:1', answer: { type: 'once' } }],
    ['to a plan of another digest', {}, { id: 'q1', digest: 'sha256:2', answer: { type: 'once' } }],
    ['without a digest', {}, { id: 'q1', digest: '', answer: { type: 'once' } }],
    ['for a session that is not offered', {}, { id: 'q1', digest: 'sha256:1', answer: { type: 'session' } }],
    [
      'for a directory that is not offered',
      { offers },
      { id: 'q1', digest: 'sha256:1', answer: { type: 'directory' } },
    ],
    ['to all, if only one is asked', {}, { id: 'q1', digest: 'sha256:1', answer: { type: 'all' } }],
    [
      'with another command, if none may be given',
      {},
      { id: 'q1', digest: 'sha256:1', answer: { type: 'edit', text: 'ls' } },
    ],
    ['once, to a plan', PLAN, { id: 'q1', digest: 'sha256:1', answer: { type: 'once' } }],
    ['of a plan, to a call', {}, { id: 'q1', digest: 'sha256:1', answer: { type: 'plan_ask' } }],
  ])('has no effect: %s', async (_name, request, answer) => {
    const { questions } = asking();
    const stop = new AbortController();
    const decided = questions.approver.decide({ ...REQUEST, ...request }, stop.signal);
    expect(questions.answer(answer)).toMatch(/\.$/);
    stop.abort();
    await expect(decided).rejects.toThrow('stopped');
  });

  it('is accepted once', async () => {
    const { questions } = asking();
    const decided = questions.approver.decide(REQUEST, new AbortController().signal);
    const answer: WebAnswer = { id: 'q1', digest: 'sha256:1', answer: { type: 'deny' } };
    expect(questions.answer(answer)).toBeUndefined();
    expect(questions.answer({ ...answer, answer: { type: 'once' } })).toContain('has been answered');
    expect(await decided).toEqual({ type: 'deny' });
  });

  it('is not accepted after the run has stopped', async () => {
    const { questions, shown } = asking();
    const stop = new AbortController();
    const decided = questions.approver.decide(REQUEST, stop.signal);
    stop.abort();
    await expect(decided).rejects.toThrow('stopped');
    expect(questions.answer({ id: 'q1', digest: 'sha256:1', answer: { type: 'once' } })).toContain('has ended');
    expect(shown.at(-1)).toEqual({ type: 'question_closed', id: 'q1' });
  });
});

describe('a question', () => {
  const ask = (request: ApprovalRequest, keepsApprovals = false) => {
    const { questions, shown } = asking(keepsApprovals);
    const stop = new AbortController();
    questions.approver.decide(request, stop.signal).catch(() => {});
    stop.abort();
    const [question] = shown;
    if (question?.type !== 'question') throw new Error('no question');
    return question;
  };

  it('offers the answers that have an effect, each with its key', () => {
    const { answers } = ask({ ...REQUEST, offers, offersDirectory, pending: [REQUEST] }, true);
    expect(answers.map(({ key, label }) => `${key} ${label}`)).toEqual([
      'y Yes, once, to number 1 only',
      'b Yes, once, to all 2',
      'a Yes, and for the rest of this session and later ones: exactly this command',
      'w Yes, and for the rest of this session and later ones: every change of files in /w',
    ]);
    expect(ask(REQUEST).answers.map(({ label }) => label)).toEqual(['Yes, once']);
  });

  it('does not repeat a long command in the label of an answer', () => {
    const command = 'echo '.repeat(100);
    const { answers } = ask({ ...REQUEST, effect: { ...REQUEST.effect, command }, offers: { ...offers, command } });
    expect(answers[1]?.label).toBe('Yes, and for the rest of this session: exactly this command');
  });

  it('marks a command that destroys data', () => {
    const command = 'git push --force';
    expect(ask({ ...REQUEST, effect: { ...REQUEST.effect, command } }).destroys).toMatch(/^\w+/u);
    expect(ask(REQUEST).destroys).toBeUndefined();
  });

  it('shows characters that would hide a part of the command', () => {
    const { request } = ask({ ...REQUEST, effect: { ...REQUEST.effect, command: 'echo \u202Egnihton\u0007' } });
    expect(request.effect.command).toBe('echo \\u{202e}gnihton\\u{7}');
  });
});
