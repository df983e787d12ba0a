import { expect, it } from 'vitest';
import { readApprovalAnswer } from '../../../src/cli/chat/approval.ts';
import type { ApprovalDecision } from '../../../src/ports/approver.ts';

const NO: ApprovalDecision = { type: 'deny' };

const ANSWERS: readonly (readonly [line: string, offersRule: boolean, decision: ApprovalDecision])[] = [
  ['y', true, { type: 'once' }],
  ['Y', false, { type: 'once' }],
  [' yes ', false, { type: 'once' }],
  ['a', true, { type: 'session' }],
  ['always', true, { type: 'session' }],
  ['a', false, NO],
  ['always', false, NO],
  ['n', true, NO],
  ['No', true, NO],
  ['', true, NO],
  ['   ', true, NO],
  ['yy', true, { type: 'deny', feedback: 'yy' }],
  ['yes please', true, { type: 'deny', feedback: 'yes please' }],
  ['y\ny', true, { type: 'deny', feedback: 'y\ny' }],
  ['use npm instead', true, { type: 'deny', feedback: 'use npm instead' }],
  ['да', true, { type: 'deny', feedback: 'да' }],
];

it.each(ANSWERS)('%j (a rule is offered: %j) means %j', (line, offersRule, decision) => {
  expect(readApprovalAnswer(line, offersRule)).toEqual(decision);
});
