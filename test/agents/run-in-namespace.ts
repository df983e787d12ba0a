// Runs one agent through one story against a separate mock server and prints the observed run as JSON. It must run in a
// network namespace: node run-in-namespace.ts NAME STORY COMMAND TEMPORARY-DIRECTORY
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import * as z from 'zod';
import { fillAgent } from '../../src/stories/agents/agent-setup.ts';
import { ripgrepDirectory } from './agent-cache.ts';
import { AGENT_RUNS } from './agent-runs.ts';
import { ObservedJournalSchema, type ObservedRun, ObservedVerdictSchema } from './check-run.ts';
import { FAULT_STORIES, RESULTS_FILE, STORIES } from './stories.ts';

const root = path.join(import.meta.dirname, '../..');
const AGENT_MS = 90_000;
const ListeningSchema = z.object({ event: z.literal('listening'), url: z.string() });

const [name = '', storyName = '', command = '', temporary = ''] = process.argv.slice(2);
const run = findByName(AGENT_RUNS, name);
const story = findByName([...STORIES, ...FAULT_STORIES], storyName);
const interfaces = Object.keys(os.networkInterfaces());
if (interfaces.join() !== 'lo') throw new Error(`expected only a loopback interface, found ${interfaces.join(', ')}`);

const serverArgs = [path.join(root, 'dist/mock-llm-server.js'), '--port', '0', '--no-watch'];
const server = execa(
  process.execPath,
  [...serverArgs, '--scenarios', path.join(import.meta.dirname, `${story.file ?? story.name}.json`)],
  {
    stdin: 'ignore',
    reject: false,
    killDescendants: true,
  },
);
try {
  const base = await readServerUrl();
  const observed = await runAgent(base);
  const { entries } = ObservedJournalSchema.parse(await (await fetch(new URL('/__mock/journal', base))).json());
  const verdict = ObservedVerdictSchema.parse(await (await fetch(new URL('/__mock/verify', base))).json());
  server.kill('SIGTERM');
  const { stderr } = await server;
  const result: ObservedRun = { ...observed, requests: entries, verdict, log: stderr };
  console.log(JSON.stringify(result));
} finally {
  server.kill('SIGTERM');
}

function findByName<Named extends { readonly name: string }>(all: readonly Named[], wanted: string): Named {
  const found = all.find((candidate) => candidate.name === wanted);
  if (found === undefined) throw new Error(`unknown name ${wanted}`);
  return found;
}

async function readServerUrl(): Promise<string> {
  for await (const line of createInterface({ input: server.stdout })) {
    return ListeningSchema.parse(JSON.parse(line)).url;
  }
  const { stderr } = await server;
  throw new Error(`the mock server did not start: ${stderr}`);
}

async function runAgent(base: string): Promise<Omit<ObservedRun, 'log' | 'requests' | 'verdict'>> {
  const home = path.join(temporary, 'home');
  const workspace = path.join(temporary, 'workspace');
  await Promise.all([home, workspace].map((directory) => mkdir(directory, { recursive: true })));
  const setup = fillAgent(run, { base, home, prompt: story.prompt });
  await writeFiles(home, setup.files);
  await writeFiles(workspace, story.workspace);
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
  const seconds = (performance.now() - started) / 1000;
  const files = [...Object.keys(story.expected.files), RESULTS_FILE].map(async (file) => {
    return [file, await readFile(path.join(workspace, file), 'utf8').catch(() => null)] as const;
  });
  return { exitCode: exitCode ?? null, seconds, stdout, stderr, files: Object.fromEntries(await Promise.all(files)) };
}

async function writeFiles(directory: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(directory, file)), { recursive: true });
    await writeFile(path.join(directory, file), content);
  }
}
