import { mkdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import * as z from 'zod';
import { fillAgent } from '../../src/stories/agents/agent-setup.ts';
import { ripgrepDirectory } from './agent-cache.ts';
import type { AgentRun } from './agent-run.ts';

const dist = path.join(import.meta.dirname, '../../dist');
/** The built `ybs`. */
export const YBS = path.join(dist, 'ybs.js');
/** On a busy machine, the first start of some agents alone takes a minute. */
const AGENT_MS = 180_000;
const ListeningSchema = z.object({ event: z.literal('listening'), url: z.string() });

/** Throws unless this process has no network but the loopback interface. */
export function checkIsolation(): void {
  const interfaces = Object.keys(os.networkInterfaces()).join(', ');
  if (interfaces !== 'lo') throw new Error(`expected only a loopback interface, found ${interfaces}`);
}

/** The entry with this name. Throws if there is none. */
export function findByName<Named extends { readonly name: string }>(all: readonly Named[], wanted: string): Named {
  const found = all.find((candidate) => candidate.name === wanted);
  if (found === undefined) throw new Error(`unknown name ${wanted}`);
  return found;
}

/** The built mock server in a process of its own. */
export interface ServerProcess {
  readonly url: string;
  /** Ends the process with SIGTERM and resolves when it has ended; a second call changes nothing. */
  stop(): Promise<{ readonly exitCode: number | undefined; readonly stderr: string }>;
}

/** Starts `mock-llm-server` with these arguments on a free port. Rejects if it does not listen. */
export async function startServer(args: readonly string[]): Promise<ServerProcess> {
  const server = execa(process.execPath, [path.join(dist, 'mock-llm-server.js'), ...args, '--port', '0'], {
    stdin: 'ignore',
    reject: false,
    killDescendants: true,
  });
  for await (const line of createInterface({ input: server.stdout })) {
    const { url } = ListeningSchema.parse(JSON.parse(line));
    return {
      url,
      async stop() {
        server.kill('SIGTERM');
        const { exitCode, stderr } = await server;
        return { exitCode, stderr };
      },
    };
  }
  const { stderr } = await server;
  throw new Error(`the mock server did not start: ${stderr}`);
}

/** Runs an agent once with a prompt, with the mock model at `base`. Its configuration is written into `home`. */
export async function startAgent(
  run: AgentRun,
  command: string,
  { base, home, workspace, prompt }: Record<'base' | 'home' | 'workspace' | 'prompt', string>,
) {
  await Promise.all([home, workspace].map((directory) => mkdir(directory, { recursive: true })));
  const setup = fillAgent(run, { base, home, prompt });
  await writeFiles(home, setup.files);
  const tools = run.agent.needsRipgrep === true ? [ripgrepDirectory(command)] : [];
  const options = {
    cwd: workspace,
    env: {
      PATH: [path.dirname(process.execPath), ...tools, '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
      HOME: home,
      ...setup.environment,
    },
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
    timeout: AGENT_MS,
    killDescendants: true,
  } as const;
  const started = performance.now();
  const [last = [], ...before] = setup.commands.toReversed();
  for (const [, ...args] of before.toReversed()) await execa(command, args, { ...options, reject: true });
  const { exitCode, stdout, stderr } = await execa(command, last.slice(1), options);
  return { exitCode: exitCode ?? null, seconds: (performance.now() - started) / 1000, stdout, stderr };
}

/** Writes files by their paths in a directory. */
export async function writeFiles(directory: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(directory, { recursive: true });
  for (const [file, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(directory, file)), { recursive: true });
    await writeFile(path.join(directory, file), content);
  }
}
