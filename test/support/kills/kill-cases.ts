import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { Shell, ShellExit } from '../../../src/agent/ports/shell.ts';
import { createNodeShell } from '../../../src/node/shell/node-shell.ts';
import { chooseShellProgram } from '../../../src/node/shell/shell-program.ts';
import { isProcessRunning, waitUntil } from '../processes/process-state.ts';

/**
 * A command that prints the ids of its processes, the way it ends, and the expected outcome. Each command runs longer
 * than a test may, so that a shell that waits for its processes fails the test.
 */
export interface KillCase {
  readonly name: string;
  readonly command: string;
  readonly timeoutMs?: number;
  /** The action to take as soon as all `pids` are known; without it, the command ends by itself or at its timeout. */
  readonly stop?: 'abort' | 'leave';
  readonly pids: number;
  readonly exit: Partial<ShellExit>;
  /** True for a process that can no longer be traced; the case ends it itself. */
  readonly survivor?: true;
}

const IGNORING_TREE = `trap '' TERM; sh -c "trap '' TERM; echo \\$\\$; sleep 600" & echo $$; wait`;

/** All ways in which a command's processes can outlive it, on Linux and macOS; `setsid` is a Linux program. */
export const KILL_CASES: readonly KillCase[] = [
  {
    name: 'a background child that holds the pipe',
    command: 'sleep 600 & echo $!',
    pids: 1,
    exit: { cause: 'exited', exitCode: 0, leftProcesses: true },
  },
  {
    name: 'a background child that holds no pipe',
    command: 'sleep 600 >/dev/null 2>&1 & echo $!',
    pids: 1,
    exit: { cause: 'exited', exitCode: 0, leftProcesses: true },
  },
  {
    name: 'a background child that ignores TERM',
    command: `sh -c "trap '' TERM; echo \\$\\$; sleep 600" & sleep 0.2`,
    pids: 1,
    exit: { cause: 'exited', exitCode: 0, leftProcesses: true },
  },
  {
    name: 'a tree at a timeout',
    command: 'sleep 600 & echo $!; sleep 600 & echo $!; wait',
    timeoutMs: 300,
    pids: 2,
    exit: { cause: 'timed_out', signal: 'SIGTERM' },
  },
  {
    name: 'a tree that ignores TERM at an abort',
    command: IGNORING_TREE,
    stop: 'abort',
    pids: 2,
    exit: { cause: 'aborted', signal: 'SIGKILL' },
  },
  {
    name: 'a tree that ignores TERM when the reader leaves',
    command: IGNORING_TREE,
    stop: 'leave',
    pids: 2,
    exit: {},
  },
  {
    name: 'a child that left the group and the session, at an abort',
    command: 'setsid sh -c "echo \\$\\$; sleep 600" & wait',
    stop: 'abort',
    pids: 1,
    exit: { cause: 'aborted' },
  },
  {
    name: 'an escaped child that holds the pipe after the command has ended',
    command: 'setsid sh -c "echo \\$\\$; exec sleep 600" & sleep 0.3',
    pids: 1,
    exit: { cause: 'exited', exitCode: 0, leftProcesses: true },
    survivor: true,
  },
];

/** Runs a case on a shell, by default the real one of this machine. Rejects when the outcome is not the expected one. */
export async function runKillCase(killCase: KillCase, shell: Shell = realShell(), polls?: number): Promise<void> {
  const { command, timeoutMs = 600_000, stop, pids: count, exit: expected, survivor } = killCase;
  const controller = new AbortController();
  const environment = { PATH: '/usr/local/bin:/usr/bin:/bin' };
  const request = { command, workingDirectory: tmpdir(), environment, timeoutMs };
  let output = '';
  let exit: ShellExit | undefined;
  let stopped = false;
  for await (const event of shell.run(request, controller.signal)) {
    if (event.type === 'exit') exit = event;
    else output += event.text;
    if (stop === undefined || stopped || pidsIn(output).length < count) continue;
    stopped = true;
    if (stop === 'leave') break;
    controller.abort();
  }
  const pids = pidsIn(output);
  if (pids.length !== count) throw new Error(`expected ${count} process ids, the command printed ${output}`);
  for (const [key, value] of Object.entries(expected)) {
    const actual = exit && Object.entries(exit).find(([name]) => name === key)?.[1];
    if (actual !== value) throw new Error(`expected ${key} ${value} in ${JSON.stringify(exit)}`);
  }
  for (const pid of pids) {
    try {
      if (survivor !== true) await waitUntil(() => !isProcessRunning(pid), `process ${pid} to be gone`, polls);
    } finally {
      if (isProcessRunning(pid)) process.kill(pid, 'SIGKILL');
    }
  }
}

function realShell(): Shell {
  return createNodeShell({
    program: chooseShellProgram({ platform: 'posix', environment: {}, exists: existsSync }),
  });
}

function pidsIn(output: string): readonly number[] {
  return output.match(/^\d+$/gm)?.map(Number) ?? [];
}
