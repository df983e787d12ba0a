import { describe, expect, it } from 'vitest';
import { stopGraceMs } from '../../../src/agent/execute-call.ts';
import type { AgentEvent } from '../../../src/agent/ports/events.ts';
import type { PlannedEffect, ToolResult } from '../../../src/agent/ports/tool.ts';
import { repairHistory } from '../../../src/agent/repair-history.ts';
import type { Decide } from '../../../src/agent/run-input.ts';
import { allowAll, eventsOf, type HarnessScript, outcomeOf, runHarness } from '../../support/agent/agent-harness.ts';
import type { createManualClock } from '../../support/fakes/manual-clock.ts';
import { scriptedCall as call } from '../../support/fakes/scripted-model.ts';
import { result, scriptedTools } from '../../support/fakes/scripted-tools.ts';

const ask = { type: 'ask', rule: 'test', reason: 'why' } as const;

/** A run with text, two reads in parallel, a question, and a command with output. */
function script(): HarnessScript {
  return {
    answers: [
      { text: ['Look', 'ing.'], calls: [call('a', 'read', { label: 'a' }), call('b', 'read', { label: 'b' })] },
      {
        calls: [call('c', 'run', { label: 'c' }), call('d', 'run', { label: 'd' })],
        usage: { inputTokens: 1, outputTokens: 1 },
      },
      { text: 'Done.' },
    ],
    tools: scriptedTools({
      read: {},
      run: {
        effect: 'execute',
        async *run() {
          yield { stream: 'stdout', text: 'working' };
          return result('worked');
        },
      },
    }),
    decide: ({ definition }) => (definition.effect === 'read' ? { type: 'allow', rule: 'test' } : ask),
    approvals: [{ type: 'once' }, { type: 'once' }],
  };
}

describe('stopping a run', () => {
  it('after any event ends it as aborted, with a history that needs no repair', async () => {
    const { events } = await runHarness(script());
    expect(outcomeOf(await runHarness(script())).outcome).toBe('done');
    const answeredAt = events.findLastIndex((event) => event.type === 'assistant_message');
    for (const [position, last] of events.entries()) {
      let seen = 0;
      const run = await runHarness({
        ...script(),
        onEvent: (_event, stop) => {
          if (seen === position) stop();
          seen += 1;
        },
      });
      expect(run.state.messages, `after ${last.type} ${position}`).toEqual(repairHistory(run.state.messages));
      if (position < answeredAt - 1) expect(outcomeOf(run).outcome, `after ${last.type} ${position}`).toBe('aborted');
      run.clock.assertIdle();
    }
  });

  it.each<[string, AgentEvent['type'], Partial<HarnessScript>, readonly string[]]>([
    ['while the model answers', 'text_delta', { answers: [{ text: 'I was', end: 'stall' }] }, []],
    [
      'while a question is open',
      'approval_request',
      { answers: [{ calls: [call('a', 'run', {}), call('b', 'run', {})] }], approvals: ['hang'] },
      ['not_run', 'not_run'],
    ],
    [
      'before the next call',
      'tool_result',
      {
        answers: [{ calls: [call('a', 'run', {}), call('b', 'run', {})] }],
        decide: () => ({ type: 'allow', rule: 'r' }),
      },
      ['ok', 'not_run'],
    ],
  ])('%s ends it as aborted', async (_name, at, more, outcomes) => {
    const tools = scriptedTools({ run: { effect: 'execute' } });
    const run = await runHarness({
      tools,
      answers: [],
      decide: () => ask,
      ...more,
      onEvent: (event, stop) => {
        if (event.type === at) stop();
      },
    });
    expect(eventsOf(run, 'tool_result').map((event) => event.outcome)).toEqual(outcomes);
    expect(outcomeOf(run)).toEqual({ type: 'run_end', outcome: 'aborted', message: 'Stopped.' });
    expect(run.state.messages).toEqual(repairHistory(run.state.messages));
  });

  it.each<[AgentEvent['type'], Decide]>([
    ['tool_call', allowAll],
    ['approval_decision', () => ask],
  ])('at %s, before the call starts, prevents the call', async (at, decide) => {
    let started = 0;
    const tools = scriptedTools({
      run: {
        effect: 'execute',
        async *run() {
          started += 1;
          return result('worked');
        },
      },
    });
    const run = await runHarness({
      tools,
      answers: [{ calls: [call('a', 'run', {})] }],
      decide,
      approvals: [{ type: 'once' }],
      onEvent: (event, stop) => {
        if (event.type === at) stop();
      },
    });
    expect(started).toBe(0);
    expect(eventsOf(run, 'tool_result')[0]).toMatchObject({ outcome: 'not_run', code: 'not_started' });
  });

  it.each([2, 1])(
    'at the last call of a turn starts no further turn, with a limit of %i turns',
    async (maxIterations) => {
      const run = await runHarness({
        tools: scriptedTools({ run: {} }),
        answers: [{ calls: [call('a', 'run', {})] }, { text: 'Done.' }],
        maxIterations,
        onEvent: (event, stop) => {
          if (event.type === 'tool_result') stop();
        },
      });
      expect(run.events.slice(-4).map(({ type }) => type)).toEqual([
        ...['tool_result', 'turn_end', 'user_message', 'run_end'],
      ]);
      expect(run.state.messages.at(-1)?.content).toContain('the user stopped the run before you answered');
      expect(outcomeOf(run).outcome).toBe('aborted');
    },
  );

  it('keeps the text received so far, marked as partial', async () => {
    const run = await runHarness({
      answers: [{ text: 'I was', end: 'stall' }],
      onEvent: (event, stop) => {
        if (event.type === 'text_delta') stop();
      },
    });
    expect(run.state.messages[1]).toEqual({ role: 'assistant', content: 'I was', toolCalls: [], partial: true });
  });

  it('while a call is planned does not wait for the plan', async () => {
    let stopNow = (): void => {};
    const tools = scriptedTools({
      run: {
        plan: () => {
          stopNow();
          return new Promise<never>(() => {});
        },
      },
    });
    const run = await runHarness({
      tools,
      answers: [{ calls: [call('a', 'run', {})] }],
      onEvent: (_event, stop) => {
        stopNow = stop;
      },
    });
    expect(eventsOf(run, 'tool_result')[0]).toMatchObject({
      outcome: 'not_run',
      code: 'not_started',
      content: 'Not executed: the user stopped the run before this call started.',
      summary: 'not executed, stopped',
    });
  });

  it.each<[string, Partial<ToolResult>, string]>([
    ['does not say that it was stopped', {}, 'the user stopped the run before you answered'],
    ['reports a command that was stopped', { exit: { cause: 'aborted' } }, 'killed after 3 lines'],
  ])('lets a tool report how it ended: one that %s', async (_name, parts, last) => {
    const tools = scriptedTools({
      run: {
        effect: 'execute',
        async *run(_args, { signal }) {
          yield { stream: 'stdout', text: 'working' };
          return { ...result(signal.aborted ? 'killed after 3 lines' : 'finished'), ...parts };
        },
      },
    });
    const run = await runHarness({
      tools,
      answers: [{ calls: [call('a', 'run', {})] }],
      onEvent: (event, stop) => {
        if (event.type === 'tool_output') stop();
      },
    });
    expect(eventsOf(run, 'tool_result')[0]).toMatchObject({ outcome: 'interrupted', content: 'killed after 3 lines' });
    expect(run.state.messages.at(-1)?.content).toContain(last);
  });

  it('waits at most 1.5 seconds for a tool that ignores the stop', async () => {
    const tools = scriptedTools({
      run: {
        effect: 'execute',
        async *run() {
          yield { stream: 'stdout', text: 'working' };
          return new Promise<never>(() => {});
        },
      },
    });
    const waited: number[] = [];
    const run = await runHarness({
      tools,
      answers: [{ calls: [call('a', 'run', {})] }],
      onEvent: (event, stop, clock) => {
        if (event.type !== 'tool_output') return;
        stop();
        waited.push(...clock.pending);
        void clock.advance(1_499).then(() => {
          waited.push(...clock.pending);
          return clock.advance(1);
        });
      },
    });
    expect(waited).toEqual([1_500, 1]);
    expect(eventsOf(run, 'tool_result')[0]).toMatchObject({
      outcome: 'interrupted',
      code: 'interrupted',
      content:
        'Interrupted: the user stopped the run while this call was running. It may have had effects: check before you repeat it.',
      summary: 'interrupted, effects possible',
    });
    run.clock.assertIdle();
  });

  it('ignores the error that a tool throws after the stop', async () => {
    const tools = scriptedTools({
      run: {
        effect: 'execute',
        run: () => ({
          next: () => new Promise<never>(() => {}),
          return: () => Promise.reject(new Error('too late')),
          throw: () => Promise.reject(new Error('not used')),
          [Symbol.asyncIterator]() {
            return this;
          },
          [Symbol.asyncDispose]: () => Promise.reject(new Error('not used')),
        }),
      },
    });
    const run = await runHarness({
      tools,
      answers: [{ calls: [call('a', 'run', {})] }],
      onEvent: (event, stop, clock) => {
        if (event.type !== 'tool_call') return;
        void clock.untilSleeping().then(() => clock.advance(1_500));
        setImmediate(stop);
      },
    });
    expect(eventsOf(run, 'tool_result')[0]?.outcome).toBe('interrupted');
  });

  it('before the first event leaves a valid history', async () => {
    const run = await runHarness({ ...script(), onEvent: (_event, stop) => stop() });
    expect(run.state.messages).toEqual([{ role: 'user', content: 'go' }]);
  });
});

it.each<readonly [string, PlannedEffect, number]>([
  ['a read', effectOn('read'), 0],
  ['a write', effectOn('write'), 1_500],
  ['a command', { ...effectOn('read'), command: 'ls' }, 1_500],
  ['a read and a write', { summary: '', paths: [...effectOn('read').paths, ...effectOn('write').paths] }, 1_500],
  ['a call without paths', { summary: '', paths: [] }, 1_500],
])('the grace period of a stopped call depends on its effect: %s', (_name, effect, expected) => {
  expect(stopGraceMs(effect)).toBe(expected);
});

function effectOn(access: 'read' | 'write'): PlannedEffect {
  return { summary: '', paths: [{ requested: 'a', realPath: '/a', access }] };
}

describe('the pause between the steps of long work', () => {
  /** A run with a tool that plans 1,000 steps, and the number of the steps it made. */
  async function stepsOf(onStep: (step: number, stop: () => void) => void): Promise<readonly [number, string]> {
    let steps = 0;
    let stopRun = (): void => {};
    const tools = scriptedTools({
      edit: {
        async plan(_args, context) {
          for (; steps < 1_000; onStep(steps, stopRun)) {
            steps += 1;
            await context.pause();
          }
        },
      },
    });
    const run = await runHarness({
      answers: [{ calls: [call('a', 'edit', {})] }, { text: 'Done.' }],
      tools,
      onEvent: (event, stop, clock) => {
        stopRun = stop;
        // Time passes while the tool pauses.
        if (event.type === 'turn_start') void advanceOften(clock);
      },
    });
    return [steps, outcomeOf(run).outcome];
  }

  async function advanceOften(clock: ReturnType<typeof createManualClock>): Promise<void> {
    for (let step = 0; step < 1_000; step += 1) {
      await clock.advance(0);
    }
  }

  it('lets the work continue', async () => {
    expect(await stepsOf(() => {})).toEqual([1_000, 'done']);
  });

  it('ends the work as soon as the run is stopped', async () => {
    expect(await stepsOf((step, stop) => step === 5 && stop())).toEqual([6, 'aborted']);
  });
});
