import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { isProcessRunning } from '../processes/process-state.ts';
import type { RunProbe } from './escape-modes.ts';
import type { Probe, ProbeEffects, ProbeTargets, SURVIVORS } from './escape-probes.ts';
import { createScratch, prepare } from './escape-workspace.ts';

/** Time for a group of attempts. */
const GROUP_MS = 30_000;

/** The result of one attempt. */
export interface Attempt {
  readonly name: string;
  readonly escaped: boolean;
  readonly output: string;
}

/** Creates the directory of an attempt outside the workspace, with a file that only its owner may use. */
function createOutside(scratch: string, index: number): string {
  const directory = path.join(scratch, `outside-${index}`);
  mkdirSync(directory);
  writeFileSync(path.join(directory, 'file'), 'text\n', { mode: 0o600 });
  return directory;
}

/** Makes the attempts of a group in one command, each in a separate shell. */
export async function runGroup(group: readonly Probe[], run: RunProbe): Promise<readonly Attempt[]> {
  const scratch = createScratch();
  const places = prepare(scratch);
  const answer = (socket: net.Socket): void => void socket.on('error', () => {}).end('ESCAPED\n');
  const outsideSocket = path.join(scratch, 'server.sock');
  const workspaceSocket = path.join(places.workspace, 'server.sock');
  const abstractSocket = `ybs-escape-${process.pid}-${path.basename(scratch)}`;
  const tcp = await listen(answer, { host: '127.0.0.1', port: 0 });
  // Sockets that come and go disturb the start of other sandboxes.
  const usesSockets = group.some(({ name }) => name.includes('socket'));
  const more = [`${workspaceSocket}.relative`, `${workspaceSocket}.linked`];
  const paths = usesSockets ? [outsideSocket, workspaceSocket, ...more, `\0${abstractSocket}`] : [];
  const servers = [tcp, ...(await Promise.all(paths.map((each) => listen(answer, { path: each }))))];
  const udp = createSocket('udp4');
  let datagrams = 0;
  udp.on('message', () => {
    datagrams += 1;
  });
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
  const sleepers: ChildProcess[] = [];
  try {
    const address = tcp.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    const shared = {
      ...{ ...places, outsideSocket, workspaceSocket, abstractSocket },
      ...{ tcpPort: address.port, udpPort: udp.address().port },
    };
    const attempts = group.map((probe, index) => {
      let sleeper: ChildProcess | undefined;
      const targets: ProbeTargets = {
        ...shared,
        outside: createOutside(scratch, index),
        // Started for the attempts that ask for it.
        get pid() {
          sleeper ??= spawn('sleep', ['600'], { stdio: 'ignore' });
          sleepers.push(sleeper);
          return sleeper.pid ?? 0;
        },
      };
      return { probe, targets, runs: () => sleeper?.pid !== undefined && isProcessRunning(sleeper.pid) };
    });
    const commands = attempts.map(({ probe, targets }) => `(\n${probe.command(targets)}\n)\nprintf '\\n<end>\\n'`);
    const script = ['exec 2>&1', ...commands].join('\n');
    const output = await run(script, shared, AbortSignal.timeout(GROUP_MS));
    const parts = output.split(/\r?\n<end>\r?\n/);
    if (parts.length !== group.length + 1) throw new Error(`${group[0]?.name}: the command ended early: ${output}`);
    await setTimeout(20);
    return attempts.map(({ probe: { name, effect }, targets, runs }, index) => {
      const effects: ProbeEffects = {
        read: (file) => (existsSync(file) ? readFileSync(file, 'utf8') : ''),
        exists: existsSync,
        mode: (file) => statSync(file).mode,
        datagrams,
        pidRuns: runs(),
      };
      const part = parts[index] ?? '';
      return { name, output: part, escaped: part.includes('ESCAPED') || effect?.(effects, targets) === true };
    });
  } finally {
    for (const sleeper of sleepers) sleeper.kill('SIGKILL');
    udp.close();
    for (const server of servers) server.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function listen(answer: (socket: net.Socket) => void, where: net.ListenOptions): Promise<net.Server> {
  const server = net.createServer(answer);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(where, resolve));
  return server;
}

/** The processes that ran before all attempts, and need not be checked again. */
const older = new Set(readdirSync('/proc'));

/** The running processes of `sleep`, by their argument. */
function findSleeping(): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const pid of readdirSync('/proc').filter((name) => !older.has(name))) {
    try {
      const [program, mark = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      if (program === 'sleep' && isProcessRunning(Number(pid))) found.set(mark, Number(pid));
    } catch {
      // It is not a process, or has ended.
    }
  }
  return found;
}

/** The arguments with which a process is left; the processes are killed, so that the machine keeps none. */
async function killSurvivors(wanted: readonly string[], polls: number): Promise<ReadonlySet<string>> {
  const left = (): readonly (readonly [string, number])[] =>
    [...findSleeping()].filter(([mark]) => wanted.includes(mark));
  for (let tries = 0; tries < polls && left().length > 0; tries += 1) await setTimeout(25);
  const found = left();
  for (const [, pid] of found) process.kill(pid, 'SIGKILL');
  return new Set(found.map(([mark]) => mark));
}

let marks = 0;

/**
 * Stops a command as soon as all processes that it leaves behind run, and checks `polls` times whether they have ended.
 */
export async function runSurvivors(
  label: string,
  shapes: typeof SURVIVORS,
  run: RunProbe,
  polls: number,
): Promise<readonly Attempt[]> {
  const scratch = createScratch();
  // `sleep` takes a number, and no other process has this one.
  const nextMark = (): string => {
    marks += 1;
    return `600.${process.pid}${String(marks).padStart(3, '0')}`;
  };
  const started = shapes.map(([name, command]) => ({ name: `${label}: a process ${name}`, mark: nextMark(), command }));
  const wanted = started.map(({ mark }) => mark);
  const script = [...started.map(({ command, mark }) => command(mark)), 'sleep 60'].join('\n');
  const stop = new AbortController();
  try {
    let ended: string | undefined;
    const running = run(script, prepare(scratch), stop.signal).then((output) => {
      ended = output;
    });
    const runAll = (): boolean => {
      const sleeping = findSleeping();
      return wanted.every((mark) => sleeping.has(mark));
    };
    while (ended === undefined && !runAll()) await setTimeout(20);
    if (ended !== undefined) throw new Error(`${label}: the command ended early: ${ended}`);
    stop.abort();
    await running;
    const left = await killSurvivors(wanted, polls);
    return started.map(({ name, mark }) => ({ name, escaped: left.has(mark), output: `${left.size} left` }));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
