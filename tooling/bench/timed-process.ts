import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { execa } from 'execa';

/** End of a process, and its cost in milliseconds: wall time, and CPU time of its whole process tree. */
export interface TimedProcess {
  readonly wall: number;
  readonly cpu: number;
  /** Null if a signal ended it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Directory and variables of a process, and the milliseconds after which it is killed. */
export interface TimedProcessOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeout?: number;
}

/**
 * Runs a command and measures it with `time` of bash, because Node does not tell the CPU time of a child that has ended.
 * `time` counts the descendants that their parents wait for.
 */
export async function runTimed(
  command: readonly string[],
  { cwd, env, timeout = 60_000 }: TimedProcessOptions,
): Promise<TimedProcess> {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'ybs-time-'));
  const times = path.join(directory, 'times');
  const script = 'TIMEFORMAT="%3R %3U %3S"; { time "$@" 2>&3; } 3>&2 2>"$0"';
  const limits = { timeout, killDescendants: true } as const;
  try {
    const ended = await execa('bash', ['-c', script, times, ...command], {
      ...{ cwd, env, ...limits },
      extendEnv: false,
      stdin: 'ignore',
      reject: false,
    });
    const [wall = Number.NaN, user = Number.NaN, system = Number.NaN] = readFileSync(times, 'utf8')
      .split(' ')
      .map((seconds) => Number(seconds) * 1000);
    const { exitCode = null, stdout, stderr } = ended;
    return { wall, cpu: user + system, exitCode, stdout, stderr };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
