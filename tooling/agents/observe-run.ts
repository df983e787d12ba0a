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
  prefix: readonly [string, ...string[]],
): Promise<Observation> {
  const { failed, stdout, stderr } = await runScript('run-in-namespace.ts', [run.name, story, command], prefix);
  if (failed) return { type: 'failed', reason: stderr.trim() };
  return { type: 'observed', run: ObservedRunSchema.parse(JSON.parse(stdout)) };
}

/** Outcome of recording an agent, replaying the recording, and recording it anew from the first drift. */
export type RecordingOutcome =
  | { readonly type: 'passed'; readonly seconds: number }
  | { readonly type: 'failed'; readonly reason: string };

/** Records an agent and records it anew from a drift, in a network namespace that `prefix` starts. */
export async function observeRecording(
  run: Pick<AgentRun, 'name'>,
  command: string,
  prefix: readonly [string, ...string[]],
): Promise<RecordingOutcome> {
  const { failed, stdout, stderr } = await runScript('record-in-namespace.ts', [run.name, command], prefix);
  return failed ? { type: 'failed', reason: stderr.trim() } : { type: 'passed', seconds: Number(stdout) };
}

/** Runs a script of this folder in a network namespace; its last argument is a new temporary directory. */
async function runScript(script: string, args: readonly string[], [file, ...prefix]: readonly [string, ...string[]]) {
  const temporary = mkdtempSync(path.join(os.tmpdir(), 'mock-llm-server-agent-'));
  try {
    const node = [process.execPath, path.join(import.meta.dirname, script), ...args, temporary];
    return await execa(file, [...prefix, ...node], { stdin: 'ignore', reject: false });
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
