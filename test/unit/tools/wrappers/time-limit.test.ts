import { describe, expect, it } from 'vitest';
import { raceAbort } from '../../../../src/agent/async/abort.ts';
import { ToolError } from '../../../../src/agent/errors.ts';
import type { Tool, ToolContext, ToolEffect } from '../../../../src/agent/ports/tool.ts';
import { withTimeLimit } from '../../../../src/tools/wrappers/time-limit.ts';
import { createManualClock } from '../../../support/fakes/manual-clock.ts';
import { result, scriptedTools, type ToolScript } from '../../../support/fakes/scripted-tools.ts';

const never = (): Promise<never> => new Promise(() => {});

/** Plans and runs a call of a tool with a limit of 30 s, while the clock advances by `ms` for each of the two. */
async function callFor(ms: number, script: ToolScript, stopped = false) {
  const clock = createManualClock();
  const stop = new AbortController();
  const tool: Tool | undefined = scriptedTools({ probe: script }).find('probe');
  if (tool === undefined) throw new Error('there is no tool');
  const context = {
    callId: 'a',
    signal: stop.signal,
    pause: () => raceAbort(new Promise<void>((resolve) => setImmediate(resolve)), stop.signal),
  };
  const wait = async <Result>(work: Promise<Result>): Promise<Result> => {
    work.catch(() => {});
    if (stopped) stop.abort();
    await clock.advance(ms);
    return work;
  };
  try {
    const planned = await wait(withTimeLimit(tool, 30, clock).plan({}, context));
    const events = planned.run();
    let step = await wait(events.next());
    while (step.done !== true) step = await wait(events.next());
    return step.value.content;
  } catch (error) {
    return error instanceof ToolError ? `${error.code}: ${error.message}` : String(error);
  } finally {
    clock.assertIdle();
  }
}

/** A script that waits for its signal in its run and then reports. */
const reporting = (effect: ToolEffect): ToolScript => ({
  effect,
  async *run(_args, { signal }: ToolContext) {
    yield { stream: 'stdout', text: 'started' };
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return result('stopped');
  },
});

describe('a call with a time limit', () => {
  it('ends as usual within its limit, which applies to the plan and the run separately', async () => {
    expect(await callFor(29_999, {})).toBe('result of a call');
  });

  it.each<[string, ToolScript]>([
    ['plan', { plan: never }],
    [
      'plan that pauses often',
      {
        plan: async (_args, context) => {
          for (;;) await context.pause();
        },
      },
    ],
    [
      'run',
      {
        run: async function* () {
          yield* [];
          return never();
        },
      },
    ],
    ['run that heeds its signal', reporting('read')],
  ])('fails when its %s takes longer', async (_name, script) => {
    expect(await callFor(30_000, script)).toBe(
      'timed_out: probe took longer than 30 s and was stopped. Ask for less at once, or tell the user that tools.builtin.probe.timeout_seconds is too short.',
    );
  });

  it('warns about possible effects', async () => {
    expect(await callFor(30_000, reporting('write'))).toContain('It may have had effects: check before you repeat it.');
  });

  it('fails with its own error if that comes first', async () => {
    const fail = () => Promise.reject(new ToolError('not_found', 'Gone.'));
    expect(await callFor(1, { plan: fail })).toBe('not_found: Gone.');
    expect(
      await callFor(1, {
        run: async function* () {
          yield* [];
          return fail();
        },
      }),
    ).toBe('not_found: Gone.');
  });

  it('reports how it ended when the user stops it', async () => {
    expect(await callFor(1, reporting('write'), true)).toBe('stopped');
  });
});
