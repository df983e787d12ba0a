import { describe, expect, it } from 'vitest';
import type { Decide } from '../../../src/core/run-input.ts';
import type { ApprovalDecision, PermissionDecision, PermissionRule } from '../../../src/ports/approver.ts';
import { eventsOf, outcomeOf, runHarness } from '../../support/agent-harness.ts';
import { scriptedCall as call } from '../../support/scripted-model.ts';
import { scriptedTools } from '../../support/scripted-tools.ts';

const EDITS: PermissionRule = { type: 'edit_read_files' };
const DIRECTORY: PermissionRule = { type: 'write_directory', directory: '/work' };

const ask = (extra: Partial<PermissionDecision> = {}): PermissionDecision => ({
  type: 'ask',
  rule: 'run_shell: ask',
  reason: 'commands are asked about every time',
  ...extra,
});

/** A run with one call, this decision of the rules, and these answers of the user. */
function runOneCall(permission: PermissionDecision, ...approvals: readonly (ApprovalDecision | 'hang')[]) {
  const tools = scriptedTools({ run: { effect: 'execute' } });
  const answers = [{ calls: [call('a', 'run', { label: 'x' })] }, { text: 'Done.' }];
  return runHarness({ answers, tools, decide: () => permission, approvals }).then((run) => ({
    ...run,
    ran: tools.ran,
  }));
}

describe('permission for a call', () => {
  it.each([
    ['a rule allows it', { type: 'allow', rule: 'r' }, [], ['x'], 'ok', 'result of x', undefined],
    [
      'a rule denies it',
      { type: 'deny', rule: 'safety.blocked_commands: sudo', reason: 'sudo is on the block list.' },
      [],
      [],
      'denied',
      'Denied by the rule "safety.blocked_commands: sudo": sudo is on the block list. Not executed. Do not try the same call again.',
      undefined,
    ],
    ['the user says yes once', ask(), [{ type: 'once' }], ['x'], 'ok', 'result of x', undefined],
    [
      'the user says yes once, which adds no rule',
      ask({ offers: EDITS }),
      [{ type: 'once' }],
      ['x'],
      'ok',
      'result of x',
      undefined,
    ],
    [
      'the user says yes for the session',
      ask({ offers: DIRECTORY }),
      [{ type: 'session' }],
      ['x'],
      'ok',
      'result of x',
      DIRECTORY,
    ],
    [
      'the user says yes for the session without an offer, which adds no rule',
      ask(),
      [{ type: 'session' }],
      ['x'],
      'ok',
      'result of x',
      undefined,
    ],
    [
      'the user says no',
      ask({ offers: DIRECTORY }),
      [{ type: 'deny' }],
      [],
      'denied',
      'Denied by the user. Not executed. Do not try the same call again: go on without it, or ask what to do instead.',
      undefined,
    ],
    [
      'the user says no in a sentence',
      ask(),
      [{ type: 'deny', feedback: 'use npm' }],
      [],
      'denied',
      'Denied by the user, who says: use npm\nNot executed. Do what the user says.',
      undefined,
    ],
    [
      'there is no terminal to ask on',
      ask(),
      [{ type: 'unavailable' }],
      [],
      'denied',
      "Denied: this call needs the user's approval (commands are asked about every time) and there is no terminal to ask on. Not executed. Go on without it and say at the end what was left undone.",
      undefined,
    ],
  ] as const)('%s', async (_name, permission, approvals, ran, outcome, content, added) => {
    const run = await runOneCall(permission, ...approvals);
    expect(run.ran).toEqual(ran);
    expect(eventsOf(run, 'tool_result')[0]).toMatchObject({ outcome, content });
    expect(eventsOf(run, 'tool_call')[0]?.permission).toEqual(permission);
    expect(eventsOf(run, 'approval_decision')).toHaveLength(approvals.length);
    expect(run.state.rules).toEqual(added === undefined ? [] : [added]);
  });

  it('asks with the plan, the reason and the offered rule', async () => {
    const run = await runOneCall(ask({ offers: DIRECTORY }), { type: 'once' });
    const request = {
      callId: 'a',
      toolName: 'run',
      effect: { summary: 'run x', paths: [] },
      reason: 'commands are asked about every time',
      offers: DIRECTORY,
    };
    expect(run.questions).toEqual([request]);
    expect(eventsOf(run, 'approval_request')).toEqual([{ type: 'approval_request', request }]);
  });

  it('has no offer in its question and no rule in its answer if there is none', async () => {
    const run = await runOneCall(ask(), { type: 'session' });
    const reason = 'commands are asked about every time';
    const request = { callId: 'a', toolName: 'run', effect: { summary: 'run x', paths: [] }, reason };
    expect(eventsOf(run, 'approval_request')).toStrictEqual([{ type: 'approval_request', request }]);
    const decision = { type: 'approval_decision', callId: 'a', decision: { type: 'session' } };
    expect(eventsOf(run, 'approval_decision')).toStrictEqual([decision]);
  });

  it.each([
    ['without a reason', { type: 'deny' }, 'denied'],
    ['with a reason', { type: 'deny', feedback: 'use npm' }, 'denied: use npm'],
    ['because there is no terminal', { type: 'unavailable' }, 'denied, no terminal to ask on'],
  ] as const)('that is denied %s is summed up for people', async (_name, decision, summary) => {
    const run = await runOneCall(ask(), decision);
    expect(eventsOf(run, 'tool_result')[0]?.summary).toBe(summary);
  });

  it('is decided with the rules that earlier approvals added, in the same answer of the model', async () => {
    const seen: number[] = [];
    const decide: Decide = (_call, rules) => {
      seen.push(rules.length);
      return rules.length === 0 ? ask({ offers: DIRECTORY }) : { type: 'allow', rule: 'session' };
    };
    const calls = [call('a', 'run', { label: 'x' }), call('b', 'run', { label: 'y' })];
    const tools = scriptedTools({ run: { effect: 'execute' } });
    const run = await runHarness({
      answers: [{ calls }, { text: 'Done.' }],
      tools,
      decide,
      approvals: [{ type: 'session' }],
    });
    expect(seen).toEqual([0, 1]);
    expect(tools.ran).toEqual(['x', 'y']);
    expect(outcomeOf(run).outcome).toBe('done');
  });

  it('fails the call, not the run, when the approver throws', async () => {
    const tools = scriptedTools({ run: { effect: 'execute' } });
    const run = await runHarness({
      answers: [{ calls: [call('a', 'run', {})] }, { text: 'Done.' }],
      tools,
      decide: () => ask(),
      approvals: [],
    });
    expect(tools.ran).toEqual([]);
    expect(eventsOf(run, 'tool_result')[0]?.content).toContain('run failed unexpectedly: unexpected question');
  });

  it('fails the call when the rules throw', async () => {
    const decide: Decide = () => {
      throw new Error('no rules');
    };
    const tools = scriptedTools({ run: { effect: 'execute' } });
    const run = await runHarness({ answers: [{ calls: [call('a', 'run', {})] }, { text: 'Done.' }], tools, decide });
    expect(tools.ran).toEqual([]);
    expect(eventsOf(run, 'tool_result')[0]?.outcome).toBe('failed');
  });
});

describe('a run in which approval was unavailable', () => {
  const refusal = { tools: scriptedTools({ run: {} }), decide: () => ask() };
  const turn = (id: string) => ({ calls: [call(id, 'run', { label: 'x' })] });

  it.each([
    ['instead of done', { answers: [turn('a'), { text: 'Done.' }] }, 1],
    ['instead of limit', { answers: [turn('a')], maxIterations: 1 }, 1],
    ['instead of a cut answer', { answers: [turn('a'), { text: 'I', end: 'length' as const }] }, 1],
    ['instead of stuck', { answers: ['a', 'b', 'c', 'd'].map(turn) }, 4],
  ])('ends as denied %s', async (_name, script, questions) => {
    const approvals = Array.from({ length: questions }, () => ({ type: 'unavailable' }) as const);
    const run = await runHarness({ ...refusal, ...script, approvals });
    expect(outcomeOf(run)).toEqual({
      type: 'run_end',
      outcome: 'denied',
      message:
        'A call needed approval and there was no terminal to ask on. Allow it with --permission-mode, or run ybs in a terminal.',
    });
  });

  it('is still reported as failed when it fails', async () => {
    const answers = [turn('a'), { end: 'stop' as const }];
    const run = await runHarness({ ...refusal, answers, approvals: [{ type: 'unavailable' }] });
    expect(outcomeOf(run).outcome).toBe('failed');
  });
});
