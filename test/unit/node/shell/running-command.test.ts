import { ChildProcess } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RunningCommand } from '../../../../src/node/shell/running-command.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A running command that ignores TERM. `signals` lists its signals with the milliseconds since its start. */
function stubbornCommand(timeoutMs: number) {
  const controller = new AbortController();
  const signals: string[] = [];
  const started = performance.now();
  const command = new RunningCommand(
    {
      child: new ChildProcess(),
      stdout: new PassThrough(),
      stderr: new PassThrough(),
      tree: { isAlive: () => true, signal: (name) => signals.push(`${name} at ${performance.now() - started}`) },
    },
    { timeoutMs, signal: controller.signal },
  );
  return { command, signals, abort: () => controller.abort() };
}

it.each<readonly [string, number, number | undefined, readonly [term: number, kill: number], string]>([
  ['500 ms after an abort', 60_000, 1_000, [1_000, 1_500], 'aborted'],
  ['2 s after its timeout', 100, undefined, [100, 2_100], 'timed_out'],
  ['earlier if an abort follows a timeout, without a second TERM', 100, 300, [100, 800], 'timed_out'],
  ['no later if an abort comes shortly before the KILL', 100, 1_900, [100, 2_100], 'timed_out'],
])('a command that ignores TERM is killed %s', async (_when, timeoutMs, abortAt, [term, kill], cause) => {
  const { command, signals, abort } = stubbornCommand(timeoutMs);
  await vi.advanceTimersByTimeAsync(abortAt ?? 0);
  if (abortAt !== undefined) abort();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(signals.slice(0, 2)).toEqual([`SIGTERM at ${term}`, `SIGKILL at ${kill}`]);
  expect(await command.next()).toMatchObject({ type: 'exit', cause });
});

it.each([
  ['an output that has ended is treated as closed, although its handle closes later', true, false],
  ['an output that is still open shows that a process was left', false, true],
])('%s', async (_name, outputEnds, leftProcesses) => {
  const child = new ChildProcess();
  // A pipe emits `close` when the event loop closes its handle, which may come after the timers of the end.
  const stdout = new PassThrough({ autoDestroy: false });
  const stderr = new PassThrough({ autoDestroy: false });
  const tree = { isAlive: () => false, signal: () => {} };
  const limits = { timeoutMs: 60_000, signal: new AbortController().signal };
  const command = new RunningCommand({ child, stdout, stderr, tree }, limits);
  if (outputEnds) {
    stdout.end();
    stderr.end();
  }
  child.emit('exit', 3, null);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await command.next()).toMatchObject({ type: 'exit', cause: 'exited', exitCode: 3, leftProcesses });
});
