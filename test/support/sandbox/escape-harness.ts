import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { isProcessRunning } from '../process-state.ts';
import {
  killedAgents,
  type Probe,
  type ProbeEffects,
  type ProbeTargets,
  probesFor,
  SURVIVORS,
} from './escape-probes.ts';
import { BASH, confine, plainEnvironment, runInSandbox } from './sandboxed-run.ts';

// Runs the attempts of `escape-probes.ts` as the user that starts it, and prints a line of JSON for each.

/** Runs a command line in the workspace until `stop` aborts, and returns what it printed. */
type RunProbe = (
  command: string,
  targets: Pick<ProbeTargets, 'home' | 'workspace'>,
  stop: AbortSignal,
) => Promise<string>;

/** Time for an attempt. */
const PROBE_MS = 30_000;

/** The result of one attempt. */
export interface ProbeResult {
  readonly name: string;
  readonly escaped: boolean;
  readonly output: string;
}

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

/** Runs a command as `run_shell` does, in our sandbox. */
const runSandboxed: RunProbe = async (command, targets, stop) =>
  (await runInSandbox({ command }, targets, stop)).output;

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

/** Runs a command at a terminal, in our sandbox or without a limit. */
function runAtTerminal(mode: string): RunProbe {
  return async (command, targets, stop) => {
    const open = { program: BASH.program, args: [...BASH.args, command], workingDirectory: targets.workspace };
    const confinable = { ...open, environment: plainEnvironment(targets.home), network: false, readOnly: false };
    const peer = { program: process.execPath, args: [PEER, command, targets.home, targets.workspace] };
    const { program, args } = mode === 'sandbox' ? await confine(confinable, targets) : mode === 'peer' ? peer : open;
    const quoted = [program, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
    const child = spawn('script', ['-qec', quoted, '/dev/null'], {
      cwd: targets.workspace,
      env: { ...process.env, HOME: targets.home, SHELL: BASH.program },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return outputOf(child, stop);
  };
}

/** A directory that the sandbox does not hide, unlike /tmp. */
function createScratch(): string {
  const base = process.geteuid?.() === 0 ? '/var/lib' : (process.env['PROBE_BASE'] ?? os.userInfo().homedir);
  return mkdtempSync(path.join(realpathSync(base), 'ybs-escape-'));
}

/** The `.git` of a new repository, which plain git makes once. */
let emptyRepository: string | undefined;

function createEmptyRepository(): string {
  const directory = createScratch();
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  const env = { PATH: process.env['PATH'], HOME: directory };
  execFileSync('git', ['init', '-q', '--template=', '.'], { cwd: directory, env });
  return path.join(directory, '.git');
}

function prepare(scratch: string): Pick<ProbeTargets, 'home' | 'workspace' | 'outside'> {
  const files = {
    'home/.ssh/id_rsa': 'ESCAPED',
    'home/.netrc': 'ESCAPED',
    'home/.config/token': 'ESCAPED',
    'home/.bashrc': '',
    'outside/file': 'text\n',
    'w/.env': 'ESCAPED=1\n',
    'w/keys/server.pem': 'ESCAPED',
    'w/settings.txt': 'ESCAPED',
    'w/.envrc': 'export KEY=ESCAPED',
    'w/.ybs.json': '{}',
    'w/tools/lint': 'lint',
    'w/scripts/checks/pre-commit': 'true',
    'w/.github/workflows/ci.yml': 'on: push',
    'w/.vscode/tasks.json': '{}',
    'w/main.txt': 'text\n',
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(scratch, name)), { recursive: true });
    writeFileSync(path.join(scratch, name), text);
  }
  chmodSync(path.join(scratch, 'outside/file'), 0o600);
  symlinkSync('settings.txt', path.join(scratch, 'w/.env.local'));
  const workspace = path.join(scratch, 'w');
  emptyRepository ??= createEmptyRepository();
  cpSync(emptyRepository, path.join(workspace, '.git'), { recursive: true });
  mkdirSync(path.join(workspace, '.git/hooks'), { recursive: true });
  appendFileSync(path.join(workspace, '.git/config'), '[core]\n\thooksPath = scripts/checks\n');
  return { home: path.join(scratch, 'home'), workspace, outside: path.join(scratch, 'outside') };
}

async function runProbe({ name, command, effect }: Probe, run: RunProbe): Promise<ProbeResult> {
  const scratch = createScratch();
  const places = prepare(scratch);
  const answer = (socket: net.Socket): void => void socket.on('error', () => {}).end('ESCAPED\n');
  const outsideSocket = path.join(places.outside, 'server.sock');
  const workspaceSocket = path.join(places.workspace, 'server.sock');
  const abstractSocket = `ybs-escape-${process.pid}-${path.basename(scratch)}`;
  const tcp = await listen(answer, { host: '127.0.0.1', port: 0 });
  // Sockets that come and go disturb the start of other sandboxes.
  const paths = name.includes('socket') ? [outsideSocket, workspaceSocket, `\0${abstractSocket}`] : [];
  const servers = [tcp, ...(await Promise.all(paths.map((each) => listen(answer, { path: each }))))];
  const udp = createSocket('udp4');
  let datagrams = 0;
  udp.on('message', () => {
    datagrams += 1;
  });
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
  let sleeper: ChildProcess | undefined;
  try {
    const address = tcp.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    const targets: ProbeTargets = {
      ...places,
      ...{ outsideSocket, workspaceSocket, abstractSocket },
      ...{ tcpPort: address.port, udpPort: udp.address().port },
      // Started for the attempts that ask for it.
      get pid() {
        sleeper ??= spawn('sleep', ['600'], { stdio: 'ignore' });
        return sleeper.pid ?? 0;
      },
    };
    const output = await run(command(targets), targets, AbortSignal.timeout(PROBE_MS));
    await setTimeout(20);
    const effects: ProbeEffects = {
      read: (file) => (existsSync(file) ? readFileSync(file, 'utf8') : ''),
      exists: existsSync,
      mode: (file) => statSync(file).mode,
      datagrams,
      pidRuns: sleeper?.pid !== undefined && isProcessRunning(sleeper.pid),
    };
    return { name, output, escaped: output.includes('ESCAPED') || effect?.(effects, targets) === true };
  } finally {
    sleeper?.kill('SIGKILL');
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

/** The processes that ran before all attempts, and need not be looked at again and again. */
const older = new Set(readdirSync('/proc'));

/** The processes with this argument. */
function findMarked(mark: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => !older.has(name))
    .map(Number)
    .filter((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        return words[0] === 'sleep' && words[1] === mark && isProcessRunning(pid);
      } catch {
        return false;
      }
    });
}

/** The number of processes that are left, which are killed, so that the machine keeps none. */
async function countSurvivors(mark: string): Promise<number> {
  // The kernel ends the processes of a sandbox after its first one.
  for (let tries = 0; tries < 40 && findMarked(mark).length > 0; tries += 1) await setTimeout(25);
  const found = findMarked(mark);
  for (const pid of found) process.kill(pid, 'SIGKILL');
  return found.length;
}

let marks = 0;

/** Stops a command as soon as the process that it leaves behind runs, and looks for that process. */
async function runSurvivor([name, command]: (typeof SURVIVORS)[number], run: RunProbe): Promise<ProbeResult> {
  const scratch = createScratch();
  marks += 1;
  // `sleep` takes a number, and no other process has this one.
  const mark = `600.${process.pid}${String(marks).padStart(3, '0')}`;
  const stop = new AbortController();
  try {
    let ended: string | undefined;
    const running = run(command(mark), prepare(scratch), stop.signal).then((output) => {
      ended = output;
    });
    while (ended === undefined && findMarked(mark).length === 0) await setTimeout(20);
    if (ended !== undefined) throw new Error(`${name} ended early: ${ended}`);
    stop.abort();
    await running;
    const found = await countSurvivors(mark);
    return { name, escaped: found > 0, output: `${found} left` };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Starts this file as an agent that runs a command, and kills it when it is stopped. */
function runInAgent(mode: string): RunProbe {
  return async (command, { home, workspace }, stop) => {
    if (mode === 'peer') return outputOf(startPeer(command, home, workspace), stop);
    const args = [import.meta.filename, mode, 'agent', command, home, workspace];
    return outputOf(spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'], env: process.env }), stop);
  };
}

async function main([mode = '', task = '', command = '', home = '', workspace = '']: readonly string[]): Promise<void> {
  const run = mode === 'sandbox' ? runSandboxed : mode === 'peer' ? runInPeer : runPlainly;
  if (task === 'agent') {
    await run(command, { home, workspace }, new AbortController().signal);
    return;
  }
  process.env['PROBE_SECRET'] = 'ESCAPED';
  const isRoot = process.geteuid?.() === 0;
  const isLong = process.env['YBS_TEST_LONG'] === '1';
  const works = [
    ...probesFor(isRoot, isLong).map((probe) => ({
      name: probe.name,
      run: () => runProbe(probe, probe.hasTerminal === true ? runAtTerminal(mode) : run),
    })),
    ...SURVIVORS.map((shape) => ({
      name: `stopped: a process ${shape[0]}`,
      run: () => runSurvivor([`stopped: a process ${shape[0]}`, shape[1]], run),
    })),
    ...killedAgents(isLong).map((shape) => ({
      name: `killed agent: a process ${shape[0]}`,
      run: () => runSurvivor([`killed agent: a process ${shape[0]}`, shape[1]], runInAgent(mode)),
    })),
  ].filter(({ name }) => name.includes(task));
  const worker = async (): Promise<void> => {
    for (let work = works.shift(); work !== undefined; work = works.shift()) {
      process.stdout.write(`${JSON.stringify(await work.run())}\n`);
    }
  };
  // A fork bomb would disturb the others.
  const bombs = works.splice(0).flatMap((work) => {
    if (work.name.includes('fork bomb')) return [work];
    works.push(work);
    return [];
  });
  await Promise.all(Array.from({ length: 4 }, worker));
  works.push(...bombs);
  await worker();
}

if (process.argv[1] === import.meta.filename) await main(process.argv.slice(2));
