// Runs one agent against a mock server of its own and prints what was seen of it as JSON. Started in a network namespace:
// node run-in-namespace.ts NAME COMMAND SCRATCH-DIRECTORY
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import * as z from 'zod';
import { AGENT_RUNS, type AgentRun, fillRun, PROMPT } from './agent-runs.ts';
import type { SeenRun } from './judge-run.ts';

const root = path.join(import.meta.dirname, '../..');
const AGENT_MS = 90_000;
const ListeningSchema = z.object({ event: z.literal('listening'), url: z.string() });

const [name = '', command = '', scratch = ''] = process.argv.slice(2);
const run = runNamed(name);
const interfaces = Object.keys(os.networkInterfaces());
if (interfaces.join() !== 'lo') throw new Error(`There is more than a loopback interface: ${interfaces.join(', ')}.`);

const serverArgs = [path.join(root, 'dist/mock-llm-server.js'), '--port', '0', '--no-watch'];
const server = execa(process.execPath, [...serverArgs, '--scenarios', path.join(import.meta.dirname, 'hello.json')], {
  stdin: 'ignore',
  reject: false,
  killDescendants: true,
});
try {
  const seen = await runAgent(await listening());
  server.kill('SIGTERM');
  const { stderr } = await server;
  const result: SeenRun = { ...seen, log: stderr };
  console.log(JSON.stringify(result));
} finally {
  server.kill('SIGTERM');
}

function runNamed(wanted: string): AgentRun {
  const found = AGENT_RUNS.find((candidate) => candidate.name === wanted);
  if (found === undefined) throw new Error(`There is no agent ${wanted}.`);
  return found;
}

async function listening(): Promise<string> {
  for await (const line of createInterface({ input: server.stdout })) {
    return ListeningSchema.parse(JSON.parse(line)).url;
  }
  const { stderr } = await server;
  throw new Error(`The mock server did not start: ${stderr}`);
}

async function runAgent(base: string): Promise<Omit<SeenRun, 'log'>> {
  const home = path.join(scratch, 'home');
  const workspace = path.join(scratch, 'workspace');
  await Promise.all([home, workspace].map((directory) => mkdir(directory, { recursive: true })));
  const filled = fillRun(run, { base, prompt: PROMPT });
  for (const [file, content] of Object.entries(filled.files)) {
    await mkdir(path.dirname(path.join(home, file)), { recursive: true });
    await writeFile(path.join(home, file), content);
  }
  const started = performance.now();
  const { exitCode, stdout, stderr } = await execa(command, filled.args, {
    cwd: workspace,
    env: {
      PATH: [path.dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
      HOME: home,
      ...filled.environment,
    },
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
    timeout: AGENT_MS,
    killDescendants: true,
  });
  const seconds = (performance.now() - started) / 1000;
  const written = await readFile(path.join(workspace, 'hello.txt'), 'utf8').catch(() => null);
  return { exitCode: exitCode ?? null, seconds, stdout, stderr, written };
}
