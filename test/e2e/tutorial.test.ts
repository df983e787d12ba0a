import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, it } from 'vitest';
import * as z from 'zod';
import { mockServerEntry } from '../support/entry.ts';
import { readSteps, withoutDetails } from '../support/page-steps.ts';
import { binEnvironment, runBin } from '../support/run-bin.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const page = await readFile(path.join(import.meta.dirname, '../../docs/scenarios.md'), 'utf8');
const ListeningSchema = z.object({ url: z.string() });

let server: ChildProcess | undefined;
afterEach(() => stopServer());

it('every command of the tutorial prints the output that the page shows', async () => {
  const directory = temporaryDirectory();
  let url = '';
  const steps = readSteps(page);
  expect(steps.filter(({ type }) => type === 'file')).toHaveLength(6);
  expect(steps.filter(({ type }) => type === 'command')).toHaveLength(9);
  for (const step of steps) {
    if (step.type === 'file') await save(path.join(directory, step.name), step.content);
    else if (step.words[1] === 'mock-llm-server') url = await startServer(directory, step.words.slice(2));
    else {
      const args = step.words.slice(2).map((word) => word.replace('http://127.0.0.1:8000', url));
      const { stdout, stderr } = await runBin(args, { directory });
      expect(withoutDetails(stdout), stderr).toBe(withoutDetails(step.output ?? ''));
    }
  }
});

async function save(file: string, content: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
}

/** Starts the server on a free port instead of the one in the page. */
async function startServer(directory: string, words: readonly string[]): Promise<string> {
  await stopServer();
  const args = words.map((word) => (word === '8000' ? '0' : word));
  const child = spawn(process.execPath, [mockServerEntry, ...args], {
    cwd: directory,
    env: binEnvironment(),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  server = child;
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return ListeningSchema.parse(JSON.parse(String(line))).url;
}

async function stopServer(): Promise<void> {
  const child = server;
  server = undefined;
  if (child === undefined) return;
  const ended = once(child, 'close');
  child.kill('SIGKILL');
  await ended;
}
