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

it('kills a command that ignores TERM 500 ms after an abort', async () => {
  const { command, signals, abort } = stubbornCommand(60_000);
  await vi.advanceTimersByTimeAsync(1_000);
  abort();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(signals.slice(0, 2)).toEqual(['SIGTERM at 1000', 'SIGKILL at 1500']);
  expect(await command.next()).toMatchObject({ type: 'exit', cause: 'aborted' });
});

it('kills a command that ignores TERM 2 s after its timeout', async () => {
  const { command, signals } = stubbornCommand(100);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(signals.slice(0, 2)).toEqual(['SIGTERM at 100', 'SIGKILL at 2100']);
  expect(await command.next()).toMatchObject({ type: 'exit', cause: 'timed_out' });
});

it('shortens the time to KILL if an abort follows a timeout, and repeats no TERM', async () => {
  const { command, signals, abort } = stubbornCommand(100);
  await vi.advanceTimersByTimeAsync(300);
  abort();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(signals.slice(0, 2)).toEqual(['SIGTERM at 100', 'SIGKILL at 800']);
  expect(await command.next()).toMatchObject({ type: 'exit', cause: 'timed_out' });
});

it('does not lengthen the time to KILL if an abort comes shortly before it', async () => {
  const { signals, abort } = stubbornCommand(100);
  await vi.advanceTimersByTimeAsync(1_900);
  abort();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(signals.slice(0, 2)).toEqual(['SIGTERM at 100', 'SIGKILL at 2100']);
});
