import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { blockScenarios, pictureScenario } from './blocks.ts';
import { sendRequest } from './load-client.ts';
import { aimockFixtures, scenarioFile, workloadOf } from './workloads.ts';

const root = path.join(import.meta.dirname, '../../..');

/** A server of the bench: its name and the arguments of Node that start it on a port. */
export interface Candidate {
  readonly name: string;
  args(port: number): readonly string[];
}

/** A server that answers. */
export interface Running {
  readonly port: number;
  /** Milliseconds from the start of the process to its first answer: wall time, and CPU time of all threads. */
  readonly startUp: { readonly wall: number; readonly cpu: number | undefined };
  /** CPU time of all threads so far, in microseconds; undefined on systems without /proc. */
  cpuTime(): number | undefined;
  /** Peak resident memory in MB; undefined on systems without /proc. */
  peakMemory(): number | undefined;
  stop(): Promise<void>;
}

/** The candidates. Writes their files to `directory`, except `answers.json`, which the bare server reads at its start. */
export function candidates(directory: string) {
  const file = (name: string, content: object): string => {
    const target = path.join(directory, name);
    writeFileSync(target, JSON.stringify(content));
    return target;
  };
  const playing = (content: string, scenarios: object, ...options: readonly string[]): Candidate => {
    const target = file(`${content}.json`, scenarios);
    const bin = path.join(root, 'dist/mock-llm-server.js');
    const name = ['mock-llm-server', content, ...options].join(' ');
    return { name, args: (port) => [bin, '--port', String(port), '--scenarios', target, ...options] };
  };
  const own = (count: number, ...options: readonly string[]) =>
    playing(`${count} scenarios`, scenarioFile(count), ...options);
  const fixtures = file('aimock.json', aimockFixtures());
  const aimock = path.join(root, 'node_modules/@copilotkit/aimock/dist/cli.js');
  const bare = path.join(import.meta.dirname, 'bare-server.js');
  const answers = path.join(directory, 'answers.json');
  return {
    bare: { name: 'bare node:http', args: (port: number) => [bare, String(port), answers] },
    own: own(10),
    unchecked: own(10, '--lint', 'off'),
    thousand: own(1_000),
    tenThousand: own(10_000),
    blocks: playing('blocks', scenarioFile(3, blockScenarios())),
    pictures: playing('pictures', scenarioFile(10, [pictureScenario()])),
    aimock: {
      name: 'aimock',
      args: (port: number) => [aimock, '-p', String(port), '-f', fixtures, '-c', '12', '--log-level', 'silent'],
    },
  } as const satisfies Record<string, Candidate>;
}

/** Starts a candidate and waits for its first answer. */
export async function start({ name, args }: Candidate): Promise<Running> {
  const port = await freePort();
  const started = performance.now();
  const child = spawn(process.execPath, args(port), { stdio: ['ignore', 'ignore', 'ignore'] });
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`);
    if (performance.now() - started > 30_000) throw new Error(`${name} does not answer`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  const wall = performance.now() - started;
  const cpu = cpuTime(child);
  return {
    port,
    startUp: { wall, cpu: cpu === undefined ? undefined : cpu / 1000 },
    cpuTime: () => cpuTime(child),
    peakMemory: () => peakMemory(child),
    stop: () => stop(child),
  };
}

function answers(port: number): Promise<boolean> {
  return sendRequest(port, workloadOf('openai-chat').requests.plain).then(
    () => true,
    () => false,
  );
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  // Node writes its compile cache only when the process ends by itself.
  child.kill('SIGTERM');
  await ended;
}

/** `schedstat` has nanoseconds, `stat` only hundredths of a second. A thread that ends meanwhile counts no more. */
function cpuTime({ pid }: ChildProcess): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const times = readdirSync(`/proc/${pid}/task`).map((task) => {
    try {
      return Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]);
    } catch {
      return 0;
    }
  });
  return times.reduce((sum, time) => sum + time, 0) / 1000;
}

function peakMemory({ pid }: ChildProcess): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}
