import { describe, expect, it } from 'vitest';
import { collect } from '../../support/contracts/shell.ts';
import { createManualClock } from '../../support/fakes/manual-clock.ts';
import { createScriptedShell } from '../../support/fakes/scripted-shell.ts';

const never = new AbortController().signal;
const request = { command: 'ls', workingDirectory: '/work', environment: {}, timeoutMs: 1_000 };

describe('the scripted shell', () => {
  it.each([
    [[], '"ls" was run: the script is over'],
    [[{ command: 'pwd' }], '"ls" was run: expected command "pwd", got "ls"'],
    [[{ command: 'ls', workingDirectory: '/' }], '"ls" was run: expected workingDirectory "/", got "/work"'],
    [[{ command: 'ls', timeoutMs: 5 }], '"ls" was run: expected timeoutMs 5, got 1000'],
  ])('with the script %j names the unexpected command', async (script, problem) => {
    const shell = createScriptedShell(createManualClock(), ...script);
    await expect(collect(shell.run(request, never))).rejects.toThrow(problem);
    expect(() => shell.assertExhausted()).toThrow(problem);
  });

  it('names a command that was never run', () => {
    const shell = createScriptedShell(createManualClock());
    shell.enqueue({ command: 'ls' });
    expect(() => shell.assertExhausted()).toThrow('"ls" was never run');
  });

  it('runs for as long as the script waits', async () => {
    const clock = createManualClock();
    const shell = createScriptedShell(clock, { command: 'ls', steps: [{ wait: 999 }, { stdout: 'a' }] });
    const running = collect(shell.run(request, never));
    await clock.advance(999);
    expect(await running).toMatchObject({ stdout: 'a', exit: { cause: 'exited', exitCode: 0, durationMs: 999 } });
    shell.assertExhausted();
  });

  it('is stopped by the timeout', async () => {
    const clock = createManualClock();
    const shell = createScriptedShell(clock, { command: 'ls', steps: [{ wait: 1_000 }, { stdout: 'a' }] });
    const running = collect(shell.run(request, never));
    await clock.advance(1_000);
    expect(await running).toMatchObject({ stdout: '', exit: { cause: 'timed_out', durationMs: 1_000 } });
  });

  it('is killed 2 s after the timeout, or 500 ms after an abort, if it ignores TERM', async () => {
    const clock = createManualClock();
    const stubborn = { command: 'ls', end: 'never', ignoresTerm: true } as const;
    const shell = createScriptedShell(clock, stubborn, stubborn);
    const timedOut = collect(shell.run(request, never));
    await clock.advance(9_000);
    expect((await timedOut).exit).toMatchObject({ cause: 'timed_out', signal: 'SIGKILL', durationMs: 3_000 });
    const controller = new AbortController();
    const aborted = collect(shell.run(request, controller.signal));
    controller.abort();
    await clock.advance(9_000);
    expect((await aborted).exit).toMatchObject({ cause: 'aborted', signal: 'SIGKILL', durationMs: 500 });
  });
});
