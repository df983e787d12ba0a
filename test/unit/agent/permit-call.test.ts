import { describe, expect, it } from 'vitest';
import type { ApprovalDecision, PermissionDecision, PermissionRule } from '../../../src/agent/ports/approver.ts';
import type { Decide } from '../../../src/agent/run-input.ts';
import { eventsOf, outcomeOf, runHarness } from '../../support/agent/agent-harness.ts';
import { scriptedCall as call } from '../../support/fakes/scripted-model.ts';
import { scriptedTools } from '../../support/fakes/scripted-tools.ts';

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
  const RAN = 'result of x';
  const NEEDS = "Denied: this call needs the user's approval (commands are asked about every time)";
  const REST = 'Not executed. Go on without it and say at the end what was left undone.';
  it.each<[string, PermissionDecision, readonly ApprovalDecision[], string, PermissionRule?]>([
    ['a rule allows it', { type: 'allow', rule: 'r' }, [], RAN],
    [
      'a rule denies it',
      { type: 'deny', rule: 'safety.blocked_commands: sudo', reason: 'sudo is on the block list.' },
      [],
      'Denied by the rule "safety.blocked_commands: sudo": sudo is on the block list. Not executed. Do not try the same call again.',
    ],
    ['the user says yes once', ask(), [{ type: 'once' }], RAN],
    ['the user says yes once, which adds no rule', ask({ offers: EDITS }), [{ type: 'once' }], RAN],
    ['the user says yes for the session', ask({ offers: DIRECTORY }), [{ type: 'session' }], RAN, DIRECTORY],
    ['the user says yes for the session without an offer, which adds no rule', ask(), [{ type: 'session' }], RAN],
    [
      'the user says no',
      ask({ offers: DIRECTORY }),
      [{ type: 'deny' }],
      'Denied by the user. Not executed. Do not try the same call again: go on without it, or ask what to do instead.',
    ],
    [
      'the user says no in a sentence',
      ask(),
      [{ type: 'deny', feedback: 'use npm' }],
      'Denied by the user, who says: use npm\nNot executed. Do what the user says.',
    ],
    [
      'there is no terminal to ask on',
      ask(),
      [{ type: 'unavailable' }],
      `${NEEDS} and there is no terminal to ask on. ${REST}`,
    ],
    [
      'the host has closed its input',
      ask(),
      [{ type: 'unavailable', host: true }],
      `${NEEDS} and the host has closed its input. ${REST}`,
    ],
  ])('%s', async (_name, permission, approvals, content, added) => {
    const run = await runOneCall(permission, ...approvals);
    expect(run.ran).toEqual(content === RAN ? ['x'] : []);
    expect(eventsOf(run, 'tool_result')[0]).toMatchObject({ outcome: content === RAN ? 'ok' : 'denied', content });
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
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    };
    expect(run.questions).toEqual([request]);
    expect(eventsOf(run, 'approval_request')).toEqual([{ type: 'approval_request', request }]);
  });

  it('involves no offered rule if the decision has none', async () => {
    const run = await runOneCall(ask(), { type: 'session' });
    const reason = 'commands are asked about every time';
    const digest = expect.any(String);
    const request = { callId: 'a', toolName: 'run', effect: { summary: 'run x', paths: [] }, reason, digest };
    expect(eventsOf(run, 'approval_request')).toStrictEqual([{ type: 'approval_request', request }]);
    const decision = { type: 'approval_decision', callId: 'a', decision: { type: 'session' } };
    expect(eventsOf(run, 'approval_decision')).toStrictEqual([decision]);
  });

  it.each([
    ['without a reason', { type: 'deny' }, 'denied'],
    ['with a reason', { type: 'deny', feedback: 'use npm' }, 'denied: use npm'],
    ['because there is no terminal', { type: 'unavailable' }, 'denied, no terminal to ask on'],
    [
      'because the host has closed its input',
      { type: 'unavailable', host: true },
      'denied, the host has closed its input',
    ],
  ] as const)('that is denied %s has a short summary for the user', async (_name, decision, summary) => {
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
    // The second call is planned ahead for the first question, and the first one is planned again after its answer.
    expect(seen).toEqual([0, 0, 1, 1]);
    expect(tools.ran).toEqual(['x', 'y']);
    expect(outcomeOf(run).outcome).toBe('done');
  });

  it('fails only the call when the approver throws', async () => {
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
    ['after the second denial', { answers: ['a', 'b'].map(turn) }, 2],
  ])('ends as denied %s', async (_name, script, questions) => {
    const approvals = Array.from({ length: questions }, () => ({ type: 'unavailable' }) as const);
    const run = await runHarness({ ...refusal, ...script, approvals });
    expect(outcomeOf(run)).toEqual({
      type: 'run_end',
      outcome: 'denied',
      message:
        'A call needed approval and there was no terminal to ask on: commands are asked about every time Allow it with --permission-mode, or run ybs in a terminal.',
    });
  });

  it('is still reported as failed when it fails', async () => {
    const answers = [turn('a'), { end: 'stop' as const }];
    const run = await runHarness({ ...refusal, answers, approvals: [{ type: 'unavailable' }] });
    expect(outcomeOf(run).outcome).toBe('failed');
  });

  it('is still reported as aborted when the user stops it', async () => {
    const run = await runHarness({
      ...refusal,
      answers: [turn('a')],
      approvals: [{ type: 'unavailable' }],
      onEvent: (event, stop) => {
        if (event.type === 'tool_result') stop();
      },
    });
    expect(outcomeOf(run)).toEqual({ type: 'run_end', outcome: 'aborted', message: 'Stopped.' });
  });
});

/** Runs calls of a tool with a command. `version` changes its plan. */
function runCalls(
  labels: readonly string[],
  approvals: readonly ApprovalDecision[],
  options: { readonly version?: (label: string) => number; readonly decide?: Decide } = {},
) {
  const ran: string[] = [];
  const tool = {
    definition: { name: 'run', description: '', parameters: { type: 'object' }, effect: 'execute' as const },
    async plan(args: unknown) {
      const label = String(Object.values(args ?? {})[0]);
      const version = options.version?.(label) ?? 0;
      return {
        effect: { summary: `run ${label}`, paths: [], command: label, before: `v${version}` },
        async *run() {
          ran.push(label);
          return { content: `result of ${label}`, isError: false, summary: 'done' };
        },
      };
    },
    withCommand: (_args: unknown, command: string) => ({ label: command }),
  };
  const edit = {
    ...tool,
    definition: { ...tool.definition, name: 'edit', effect: 'write' as const },
    async plan(args: unknown) {
      const { effect, run } = await tool.plan(args);
      if (effect.command === 'edit later') throw new Error('no plan');
      const paths = [{ requested: 'x.sh', realPath: '/w/x.sh', access: 'write' as const }];
      if (effect.command === 'edit nothing') paths.pop();
      return { effect: { summary: effect.command, paths }, run };
    },
  };
  const find = (name: string) => (name === 'edit' ? edit : tool);
  const tools = { definitions: [tool.definition], find, nearest: () => undefined };
  const nameOf = (label: string) => (label.startsWith('edit') ? 'edit' : 'run');
  const calls = labels.map((label, index) => call(`c${index}`, nameOf(label), { label }));
  const decide = options.decide ?? (() => ask());
  return runHarness({ answers: [{ calls }, { text: 'Done.' }], tools, decide, approvals }).then((run) => ({
    ...run,
    ran,
  }));
}

describe('several questions of one answer', () => {
  it('are shown with the first one, each with its own digest, and a yes to all runs them', async () => {
    const run = await runCalls(['x', 'y', 'z'], [{ type: 'once', all: true }]);
    expect(run.ran).toEqual(['x', 'y', 'z']);
    expect(run.questions).toHaveLength(1);
    const [question] = run.questions;
    expect(question?.pending?.map(({ callId, effect }) => [callId, effect.command])).toEqual([
      ['c1', 'y'],
      ['c2', 'z'],
    ]);
    expect(new Set([question?.digest, ...(question?.pending ?? []).map(({ digest }) => digest)]).size).toBe(3);
    expect(eventsOf(run, 'approval_decision').map(({ callId, decision }) => [callId, decision])).toEqual(
      ['c0', 'c1', 'c2'].map((id) => [id, { type: 'once', all: true }]),
    );
  });

  it('are asked one by one when only the first is answered', async () => {
    const run = await runCalls(['x', 'y'], [{ type: 'once' }, { type: 'deny' }]);
    expect(run.ran).toEqual(['x']);
    expect(run.questions.map(({ callId, pending }) => [callId, pending?.length])).toEqual([
      ['c0', 1],
      ['c1', undefined],
    ]);
  });

  it('are reported as denied if the rules deny what the user has just allowed', async () => {
    let decisions = 0;
    const decide: Decide = () => (decisions++ === 0 ? ask() : { type: 'deny', rule: 'r', reason: 'Blocked.' });
    const run = await runCalls(['x'], [{ type: 'once' }], { decide });
    expect(run.ran).toEqual([]);
    expect(eventsOf(run, 'tool_call').map(({ permission }) => permission?.type)).toEqual(['ask', 'deny']);
  });

  it('are asked again when their plan has changed since the yes to all', async () => {
    let plans = 0;
    const version = (label: string): number => (label === 'y' && plans++ > 0 ? 1 : 0);
    const run = await runCalls(['x', 'y', 'z'], [{ type: 'once', all: true }, { type: 'deny' }], { version });
    expect(run.ran).toEqual(['x', 'z']);
    expect(run.questions.map(({ callId, pending }) => [callId, pending])).toEqual([
      ['c0', expect.any(Array)],
      ['c1', undefined],
    ]);
  });

  const mayEdit: Decide = ({ effect }) => (effect.summary === 'edit unasked' ? { type: 'allow', rule: 'r' } : ask());
  it.each([
    [['edit a', 'x'], [], ['x']],
    [['x', 'edit a', 'y', 'edit b'], ['edit a', 'edit b'], ['y']],
    [['x', 'edit unasked', 'y'], [], ['y']],
    [['x', 'edit later', 'y'], [], ['y']],
    [['x', 'edit nothing', 'y'], ['edit nothing', 'run y'], []],
    [['x', 'y', 'edit a'], ['run y', 'edit a'], []],
  ])('%j: the first is asked with %j, and a command after a write alone', async (labels, first, alone) => {
    const answers = [{ type: 'once', all: true } as const, ...alone.map(() => ({ type: 'once' }) as const)];
    const run = await runCalls(labels, answers, { decide: mayEdit });
    const [question, ...others] = run.questions;
    expect((question?.pending ?? []).map(({ effect }) => effect.summary)).toEqual(first);
    expect(others.map(({ effect, pending }) => [effect.command, pending])).toEqual(
      alone.map((command) => [command, undefined]),
    );
    expect(run.ran).toEqual(labels.filter((label) => label !== 'edit later'));
  });

  it('are at most 20 besides the first', async () => {
    const labels = Array.from({ length: 22 }, (_, index) => `x${index}`);
    const run = await runCalls(labels, [{ type: 'once', all: true }, { type: 'once' }]);
    expect(run.questions.map(({ pending }) => pending?.length)).toEqual([20, undefined]);
    expect(run.ran).toEqual(labels);
  });

  it('do not count calls that need no question or cannot be planned', async () => {
    const decide: Decide = ({ effect }) => (effect.command === 'y' ? { type: 'allow', rule: 'r' } : ask());
    const version = (label: string): number => {
      if (label === 'z') throw new Error('no plan');
      return 0;
    };
    const run = await runCalls(['x', 'y', 'z'], [{ type: 'once' }], { version, decide });
    expect(run.questions[0]).not.toHaveProperty('pending');
    expect(run.ran).toEqual(['x', 'y']);
  });
});

describe('a plan that changes between the question and the answer', () => {
  it('is asked about again, with its reason, and reported again', async () => {
    let plans = 0;
    const version = (): number => (plans++ === 0 ? 0 : 1);
    const run = await runCalls(['x'], [{ type: 'once' }, { type: 'once' }], { version });
    expect(run.ran).toEqual(['x']);
    expect(run.questions.map(({ reason, effect }) => [reason, effect.before])).toEqual([
      ['commands are asked about every time', 'v0'],
      ['It has changed since you answered. commands are asked about every time', 'v1'],
    ]);
    expect(eventsOf(run, 'tool_call').map(({ effect }) => effect?.before)).toEqual(['v0', 'v1']);
  });

  it('is asked about again when only its sandbox has changed', async () => {
    const sandboxes = [{ type: 'on', program: 'bwrap' } as const, { type: 'off', reason: 'It broke.' } as const];
    let decisions = 0;
    const decide: Decide = () => {
      const sandbox = sandboxes[Math.min(decisions++, 1)];
      return { ...ask(), ...(sandbox !== undefined && { sandbox }) };
    };
    const run = await runCalls(['x'], [{ type: 'once' }, { type: 'once' }], { decide });
    expect(run.questions.map(({ sandbox }) => sandbox)).toEqual(sandboxes);
    expect(run.ran).toEqual(['x']);
  });

  it('fails the call when it cannot be made again', async () => {
    let plans = 0;
    const version = (): number => {
      plans += 1;
      if (plans > 1) throw new Error('the file is gone');
      return 0;
    };
    const run = await runCalls(['x'], [{ type: 'once' }], { version });
    expect(run.ran).toEqual([]);
    expect(eventsOf(run, 'tool_call')).toHaveLength(1);
    expect(eventsOf(run, 'tool_result')[0]).toMatchObject({
      outcome: 'failed',
      content: expect.stringContaining('the file is gone'),
    });
  });
});

describe('a command that the user edits', () => {
  it('is asked about again, and the result begins with what ran', async () => {
    const run = await runCalls(['x'], [{ type: 'edit', command: 'y' }, { type: 'once' }]);
    expect(run.ran).toEqual(['y']);
    expect(run.questions.map(({ effect, editable, reason }) => [effect.command, editable, reason])).toEqual([
      ['x', true, 'commands are asked about every time'],
      ['y', true, 'commands are asked about every time'],
    ]);
    expect(eventsOf(run, 'tool_call').map(({ effect }) => effect?.command)).toEqual(['x', 'y']);
    expect(eventsOf(run, 'tool_result')[0]?.content).toBe(
      'The user edited the command. This ran instead: y\nresult of y',
    );
  });

  it('is shown to the model without its secrets', async () => {
    const edit = { type: 'edit', command: 'y', shown: '[redacted:key]' } as const;
    const run = await runCalls(['x'], [edit, { type: 'once' }]);
    expect(eventsOf(run, 'tool_result')[0]?.content).toContain('This ran instead: [redacted:key]\n');
  });

  it('runs without another question if the rules allow it', async () => {
    const decide: Decide = ({ effect }) => (effect.command === 'y' ? { type: 'allow', rule: 'r' } : ask());
    const run = await runCalls(['x'], [{ type: 'edit', command: 'y' }], { decide });
    expect(run.ran).toEqual(['y']);
  });

  it('does not run if the rules deny it', async () => {
    const decide: Decide = ({ effect }) =>
      effect.command === 'y' ? { type: 'deny', rule: 'r', reason: 'Blocked.' } : ask();
    const run = await runCalls(['x'], [{ type: 'edit', command: 'y' }], { decide });
    expect(run.ran).toEqual([]);
    expect(eventsOf(run, 'tool_result')[0]?.content).toMatch(/^The user edited the command. It became: y\nDenied by/);
  });

  it('fails the call of a tool without a command', async () => {
    const run = await runOneCall(ask(), { type: 'edit', command: 'y' });
    expect(run.ran).toEqual([]);
    expect(run.questions[0]).not.toHaveProperty('editable');
    expect(eventsOf(run, 'tool_result')).toMatchObject([
      { code: 'invalid_arguments', content: expect.stringContaining('run has no command that can be edited.') },
    ]);
  });
});

describe('a call whose arguments a host changes', () => {
  it('is planned, checked and asked about again, and its result begins with the new arguments', async () => {
    const change = { type: 'change', arguments: { command: 'y' } } as const;
    const run = await runCalls(['x'], [change, { type: 'once' }]);
    expect(run.ran).toEqual(['y']);
    expect(run.questions.map(({ effect }) => effect.command)).toEqual(['x', 'y']);
    expect(eventsOf(run, 'tool_result')[0]?.content).toBe(
      'The user edited the arguments. It ran with: {"command":"y"}\nresult of y',
    );
  });

  it('does not run if the rules deny it, and is shown without secrets', async () => {
    const decide: Decide = ({ effect }) =>
      effect.command === 'y' ? { type: 'deny', rule: 'r', reason: 'Blocked.' } : ask();
    const change = { type: 'change', arguments: { command: 'y' }, shown: '[redacted:key]' } as const;
    const run = await runCalls(['x'], [change], { decide });
    expect(run.ran).toEqual([]);
    expect(eventsOf(run, 'tool_result')[0]?.content).toMatch(
      /^The user edited the arguments\. They became: \[redacted:key\]\nDenied by/,
    );
  });
});

describe('a yes for the session', () => {
  const PREFIX = { type: 'command_prefix', words: ['npm', 'test'] } as const;

  it.each([
    ['the rule', {}, EDITS],
    ['the directory', { rule: DIRECTORY }, DIRECTORY],
    ['a rule that it names', { rule: PREFIX, keep: 'everywhere' as const }, PREFIX],
  ])('adds %s', async (_name, answer, rule) => {
    const offered = { offers: EDITS, offersDirectory: DIRECTORY, offersMore: [PREFIX] };
    const run = await runOneCall(ask(offered), { type: 'session', ...answer });
    expect(run.ran).toEqual(['x']);
    expect(run.state.rules).toEqual([rule]);
  });
});

describe('a question that nobody answers in time', () => {
  it('denies the call, and the run ends as denied', async () => {
    const run = await runOneCall(ask(), { type: 'unavailable', afterSeconds: 300 });
    expect(run.ran).toEqual([]);
    expect(eventsOf(run, 'tool_result')[0]).toMatchObject({
      outcome: 'denied',
      summary: 'denied, timed out after 300 seconds without an answer',
      content:
        "Denied: this call needs the user's approval (commands are asked about every time) and the question timed out after 300 seconds without an answer. Not executed. Go on without it and say at the end what was left undone.",
    });
    expect(outcomeOf(run)).toMatchObject({
      outcome: 'denied',
      message:
        'A call needed approval and nobody answered within 300 seconds. Say "go on" to be asked again, or raise safety.approval_timeout_seconds.',
    });
  });
});

describe('a call that is denied twice', () => {
  const again = (args: Record<string, string>) => ({ calls: [call('b', 'run', args)] });
  const first = { calls: [call('a', 'run', { label: 'x', note: 'n' })] };
  const deny = { type: 'deny' } as const;

  it.each([
    ['by the user', () => ask(), [deny, deny]],
    ['by a rule', () => ({ type: 'deny', rule: 'r', reason: 'No.' }) as const, []],
  ] as const)('%s ends the run', async (_name, decide, approvals) => {
    const tools = scriptedTools({ run: { effect: 'execute' } });
    const run = await runHarness({ answers: [first, again({ note: 'n', label: 'x' })], tools, decide, approvals });
    expect(outcomeOf(run)).toEqual({
      type: 'run_end',
      outcome: 'denied',
      message: 'Stopped: the same call was denied twice. Say what to do instead.',
    });
  });

  it('does not end the run if the second call differs or is allowed', async () => {
    const tools = scriptedTools({ run: { effect: 'execute' } });
    const answers = [
      first,
      again({ label: 'y' }),
      { calls: [call('c', 'run', { label: 'x', note: 'n' })] },
      { text: 'Done.' },
    ];
    const run = await runHarness({ answers, tools, decide: () => ask(), approvals: [deny, deny, { type: 'once' }] });
    expect(outcomeOf(run).outcome).toBe('done');
  });
});
