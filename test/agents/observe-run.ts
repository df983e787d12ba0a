import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import type { AgentRun } from './agent-run.ts';
import { type ObservedRun, ObservedRunSchema } from './check-run.ts';

/** An observed run, or the reason why there is none. */
export type Observation =
  | { readonly type: 'observed'; readonly run: ObservedRun }
  | { readonly type: 'failed'; readonly reason: string };

/** Plays a story with an agent in new directories, in a network namespace that `prefix` starts. */
export async function observeRun(
  run: Pick<AgentRun, 'name'>,
  story: string,
  command: string,
  [file, ...prefix]: readonly [string, ...string[]],
): Promise<Observation> {
  const temporary = mkdtempSync(path.join(os.tmpdir(), 'mock-llm-server-agent-'));
  try {
    const runner = path.join(import.meta.dirname, 'run-in-namespace.ts');
    const script = [process.execPath, runner, run.name, story, command, temporary];
    const { failed, stdout, stderr } = await execa(file, [...prefix, ...script], { stdin: 'ignore', reject: false });
    if (failed) return { type: 'failed', reason: stderr.trim() };
    return { type: 'observed', run: ObservedRunSchema.parse(JSON.parse(stdout)) };
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
