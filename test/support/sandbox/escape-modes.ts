import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import type { ConfinedCommand } from '../../../src/node/sandbox/sandbox.ts';
import { BASH, confine, plainEnvironment, runInSandbox, type SandboxedPlaces } from './sandboxed-run.ts';

/** The confinement of an attempt: without a limit, in the sandbox of ybs, or in the one with which it is compared. */
export type ProbeMode = 'plain' | 'sandbox' | 'peer';

/** Runs a command line in the workspace until `stop` aborts, and returns what it printed. */
export type RunProbe = (command: string, places: SandboxedPlaces, stop: AbortSignal) => Promise<string>;

/** Runs a command without any limit, and kills only its first process when it is stopped. */
const runPlainly: RunProbe = async (command, { home, workspace }, stop) => {
  const child = spawn(BASH.program, [...BASH.args, command], {
    cwd: workspace,
    env: { PATH: process.env['PATH'], HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  return outputOf(child, stop);
};

/** The output of a process, which is killed when it is stopped. */
async function outputOf(child: ChildProcess, stop: AbortSignal): Promise<string> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const kill = (): void => void child.kill('SIGKILL');
  stop.addEventListener('abort', kill, { once: true });
  await new Promise((resolve) => child.once('exit', resolve));
  await setTimeout(20);
  child.stdout?.destroy();
  child.stderr?.destroy();
  return output;
}

/** Runs a command as `run_shell` does, in the sandbox of ybs. */
const runSandboxed: RunProbe = async (command, targets, stop) =>
  (await runInSandbox({ command }, targets, stop)).output;

const HARNESS = path.join(import.meta.dirname, 'escape-harness.ts');
const PEER = path.join(import.meta.dirname, 'escape-peer.ts');

function startPeer(command: string, home: string, workspace: string): ChildProcess {
  return spawn(process.execPath, [PEER, command, home, workspace], { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Runs a command in the sandbox that ours is compared with, as a process that ends it when it is stopped. */
const runInPeer: RunProbe = async (command, { home, workspace }, stop) => {
  const child = startPeer(command, home, workspace);
  stop.addEventListener('abort', () => void child.kill('SIGTERM'), { once: true });
  return outputOf(child, new AbortController().signal);
};

/** Runs a command at a terminal, in the sandbox of ybs or without a limit. */
export function runAtTerminal(mode: ProbeMode): RunProbe {
  return async (command, targets, stop) => {
    const open = { program: BASH.program, args: [...BASH.args, command], workingDirectory: targets.workspace };
    const confinable = { ...open, environment: plainEnvironment(targets.home), network: false };
    const limits = { readOnly: false, localSockets: false };
    const peer = { program: process.execPath, args: [PEER, command, targets.home, targets.workspace] };
    const { program, args, filter }: Pick<ConfinedCommand, 'program' | 'args' | 'filter'> =
      mode === 'sandbox' ? await confine({ ...confinable, ...limits }, targets) : mode === 'peer' ? peer : open;
    const quoted = [program, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
    // The terminal's shell opens the descriptors where the sandbox reads its filter, and that it may start.
    const file = path.join(targets.home, 'filter');
    if (filter !== undefined) writeFileSync(file, filter);
    const line = filter === undefined ? quoted : `${quoted} 3<<<go 4<'${file}'`;
    const child = spawn('script', ['-qec', line, '/dev/null'], {
      cwd: targets.workspace,
      env: { ...process.env, HOME: targets.home, SHELL: BASH.program },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return outputOf(child, stop);
  };
}

/** Starts `escape-harness.ts` as an agent that runs a command, and kills it when it is stopped. */
export function runInAgent(mode: ProbeMode): RunProbe {
  return async (command, { home, workspace }, stop) => {
    if (mode === 'peer') return outputOf(startPeer(command, home, workspace), stop);
    const args = [HARNESS, mode, 'agent', command, home, workspace];
    return outputOf(spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'], env: process.env }), stop);
  };
}

/** The functions that run a command line, by mode. */
export const RUNS: Readonly<Record<ProbeMode, RunProbe>> = {
  plain: runPlainly,
  sandbox: runSandboxed,
  peer: runInPeer,
};
