import { expect, it } from 'vitest';
import type { ApprovalDecision, ApprovalRequest } from '../../../../src/agent/ports/approver.ts';
import { type ApprovalAnswer, readApprovalAnswer } from '../../../../src/terminal/chat/approval.ts';

const PLAIN: ApprovalRequest = { callId: 'c1', toolName: 'run', reason: 'r', effect: { summary: 's', paths: [] } };
const RULED: ApprovalRequest = {
  ...PLAIN,
  offers: { type: 'edit_read_files' },
  offersDirectory: { type: 'file_operations', directory: '/w' },
};
const SHELL: ApprovalRequest = { ...PLAIN, effect: { ...PLAIN.effect, command: 'ls -l' }, editable: true };
const BATCH: ApprovalRequest = { ...PLAIN, pending: [PLAIN] };
const unified = '+x\n'.repeat(200);
const LONG: ApprovalRequest = {
  ...PLAIN,
  effect: { ...PLAIN.effect, preview: { path: 'a', unified, added: 200, removed: 0 } },
};

const PLAN: ApprovalRequest = { ...PLAIN, effect: { ...PLAIN.effect, plan: '1. Add.' } };

const decision = (value: ApprovalDecision): ApprovalAnswer => ({ type: 'decision', decision: value });
const YES = decision({ type: 'once' });
const NO = decision({ type: 'deny' });
const no = (feedback: string): ApprovalAnswer => decision({ type: 'deny', feedback });
const notOffered = (key: string): ApprovalAnswer => ({ type: 'again', note: `${key} is not offered here.` });
const COMMAND: ApprovalAnswer = { type: 'again', note: 'Commands work after the answer.' };

it.each<[line: string, question: string, request: ApprovalRequest, answer: ApprovalAnswer]>([
  ['y', 'a plan', PLAN, decision({ type: 'once', mode: 'ask' })],
  ['yes', 'a plan', PLAN, decision({ type: 'once', mode: 'ask' })],
  ['A', 'a plan', PLAN, decision({ type: 'once', mode: 'accept-edits' })],
  ['e', 'a plan', PLAN, { type: 'edit', command: '1. Add.' }],
  ['', 'a plan', PLAN, NO],
  ['n', 'a plan', PLAN, NO],
  ['no', 'a plan', PLAN, NO],
  ['b', 'a plan', PLAN, no('b')],
  ['only the sum', 'a plan', PLAN, no('only the sum')],
  ['/help', 'a plan', PLAN, COMMAND],
  ['y', 'a question', RULED, YES],
  ['Y', 'a question', PLAIN, YES],
  [' yes ', 'a question', PLAIN, YES],
  ['a', 'a question that offers rules', RULED, decision({ type: 'session' })],
  ['always', 'a question that offers rules', RULED, decision({ type: 'session' })],
  ['f', 'a question that offers rules', RULED, decision({ type: 'session', scope: 'directory' })],
  ['a', 'a question without rules', PLAIN, notOffered('a')],
  ['always', 'a question without rules', PLAIN, notOffered('always')],
  ['F', 'a question without rules', PLAIN, notOffered('F')],
  ['e', 'a command', SHELL, { type: 'edit', command: 'ls -l' }],
  ['e', 'a question without a command', PLAIN, notOffered('e')],
  ['d', 'a long diff', LONG, { type: 'diff' }],
  ['d', 'a batch with a long diff', { ...PLAIN, pending: [LONG] }, { type: 'diff' }],
  ['d', 'a question without a diff', PLAIN, notOffered('d')],
  ['b', 'several questions', BATCH, decision({ type: 'once', all: true })],
  ['all', 'several questions', BATCH, decision({ type: 'once', all: true })],
  ['b', 'one question', PLAIN, notOffered('b')],
  ['n', 'a question', RULED, NO],
  ['No', 'a question', RULED, NO],
  ['', 'a question', RULED, NO],
  ['   ', 'a question', BATCH, NO],
  ['yy', 'a question', RULED, no('yy')],
  ['yes please', 'a question', RULED, no('yes please')],
  ['y\ny', 'a question', RULED, no('y\ny')],
  ['use npm instead', 'a question', RULED, no('use npm instead')],
  ['да', 'a question', RULED, no('да')],
  ['/permissions', 'a question', RULED, COMMAND],
  ['/Permissions run_shell denied', 'a question', RULED, COMMAND],
  ['/reload-tools', 'a question', RULED, COMMAND],
  ['/etc/hosts must stay as it is', 'a question', RULED, no('/etc/hosts must stay as it is')],
])('%j at %s', (line, _question, request, answer) => {
  expect(readApprovalAnswer(line, request)).toEqual(answer);
});
