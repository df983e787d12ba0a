import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, watch } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { recoverStory } from '../../../mock-llm-server/record/story-directory.ts';
import { loadScenarioFiles, nodeScenarioFiles } from '../../../mock-llm-server/scenario/loading/load.ts';
import { parsePromptLock } from '../../../mock-llm-server/scenario/lock/parse-lock.ts';
import { mockLlmFetch, startMockLlm } from '../../../mock-llm-server/testing.ts';
import { mockServerEntry } from '../processes/entry.ts';
import { binEnvironment } from '../processes/run-bin.ts';
import { type KillReport, randomNumbers } from './story-kills.ts';

const AnswerSchema = z.object({ choices: z.tuple([z.object({ message: z.object({ content: z.string() }) })]) });

/** State that kills of recorders left behind. */
export interface RecorderKillReport extends KillReport {
  /** Kills in the middle of a write: they left files that had not been moved to their paths yet. */
  readonly torn: number;
}

/** A module that makes renames unsafe, so that the kill test must find incomplete stories. */
export const TEAR_RENAMES = path.join(import.meta.dirname, 'tear-renames.cjs');

/** Requests of the client, one after the other, and the answers of the model. */
const TURNS = ['oak', 'elm', 'ash', 'fir', 'yew', 'bay', 'box', 'fig'].map((tree) => ({
  prompt: `Describe the ${tree}`,
  answer: `The ${tree} is a tree. `.repeat(400).trim(),
}));

/** A kill some time after the first request, after the start of the first or of a later write, or after SIGTERM. */
const MOMENTS = ['shutdown', 'replacing', 'writing', 'recording'] as const;

/**
 * Kills recorders of streamed answers, started from the built command, each at a random point: while it records, while it
 * writes its story, and while it shuts down. Checks that each story is absent or complete: it is valid and
 * replays the answers. `preload` is a module that the command loads before all others.
 */
export async function killRecorders(kills: number, seed: number, preload?: string): Promise<RecorderKillReport> {
  const random = randomNumbers(seed);
  const report = { absent: 0, whole: 0, torn: 0, problems: [] as string[] };
  const scenarios = TURNS.map(({ prompt, answer }, index) => ({
    name: `tree-${index}`,
    trigger: prompt,
    steps: [{ response: { content: answer } }],
  }));
  await using upstream = await startMockLlm({ scenarios });
  for (let kill = 0; kill < kills; kill++) {
    const home = mkdtempSync(path.join(os.tmpdir(), 'recorder-kills-'));
    const directory = path.join(home, 'story');
    const moment = MOMENTS[kill % MOMENTS.length] ?? 'shutdown';
    const args = [mockServerEntry, 'record', '--upstream', upstream.url, '--out', directory, '--port', '0'];
    const child = spawn(process.execPath, preload === undefined ? args : ['--require', preload, ...args], {
      env: binEnvironment(),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await killAt(moment, child, home, random.next().value);
    if (hasLeftovers(home) || (existsSync(directory) && hasLeftovers(directory))) report.torn++;
    await recoverStory(directory);
    if (existsSync(directory)) {
      const problem = await problemOf(directory);
      if (problem === undefined) report.whole++;
      else report.problems.push(`kill ${kill} (${moment}): ${problem}`);
    } else {
      report.absent++;
    }
    rmSync(home, { recursive: true, force: true });
  }
  return report;
}

/** Lets a client talk to a recorder, and kills that with SIGKILL at a moment; `chance` in [0, 1) is how late in it. */
async function killAt(
  moment: (typeof MOMENTS)[number],
  child: ChildProcess,
  home: string,
  chance: number,
): Promise<void> {
  const closed = once(child, 'close');
  const url = await urlOf(child);
  const kill = async (spanMs: number) => {
    await sleep(chance * spanMs);
    child.kill('SIGKILL');
  };
  switch (moment) {
    case 'recording':
      await Promise.all([ask(url, TURNS), kill(600)]);
      break;
    case 'writing':
      await Promise.all([ask(url, TURNS), changeIn(home).then(() => kill(40))]);
      break;
    case 'replacing': {
      const began = changeIn(home);
      await ask(url, TURNS.slice(0, 2));
      await began;
      while (!existsSync(path.join(home, 'story'))) await sleep(1);
      const changed = changeIn(path.join(home, 'story'));
      await Promise.all([ask(url, TURNS.slice(2)), changed.then(() => kill(15))]);
      break;
    }
    case 'shutdown':
      await ask(url, TURNS.slice(0, 1 + Math.floor(chance * TURNS.length)));
      child.kill('SIGTERM');
      await kill(200);
      break;
    default:
      moment satisfies never;
  }
  await closed;
}

/** Resolves at the first change in a directory. */
async function changeIn(directory: string): Promise<void> {
  const watcher = watch(directory);
  await once(watcher, 'change');
  watcher.close();
}

async function urlOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('the recorder has no output');
  for await (const line of createInterface({ input: stdout })) return JSON.parse(line).url;
  throw new Error('the recorder did not start');
}

/** Requests streamed answers until the recorder has ended. */
async function ask(url: string, turns: typeof TURNS): Promise<void> {
  for (const { prompt } of turns) {
    const body = requestOf(prompt, true);
    const text = await fetch(`${url}/v1/chat/completions`, body)
      .then(
        (response) => response.text(),
        () => undefined,
      )
      .catch(() => undefined);
    if (text === undefined) return;
  }
}

function requestOf(prompt: string, stream: boolean): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', stream, messages: [{ role: 'user', content: prompt }] }),
  };
}

function hasLeftovers(directory: string): boolean {
  return readdirSync(directory).some((name) => name.startsWith('.'));
}

/** The first reason why a story is not complete. */
async function problemOf(directory: string): Promise<string | undefined> {
  try {
    const file = path.join(directory, 'scenario.json');
    const [loaded] = await loadScenarioFiles([file], nodeScenarioFiles);
    const count = loaded?.content.scenarios.length ?? 0;
    const recording = readFileSync(path.join(directory, 'recording.jsonl'), 'utf8');
    const lines = recording.split('\n');
    if (lines.pop() !== '') return 'the last line of the recording is cut';
    for (const line of lines) JSON.parse(line);
    const lockFile = path.join(directory, 'prompt.lock.json');
    const lock = parsePromptLock(readFileSync(lockFile, 'utf8'), lockFile);
    if (count === 0 || lines.length < count || lock.steps.length < count) {
      return `${count} scenarios, ${lines.length} lines, ${lock.steps.length} steps in the lock`;
    }
    const replay = mockLlmFetch({ scenarios: file });
    for (const { prompt, answer } of TURNS.slice(0, count)) {
      const response = await replay('http://mock/v1/chat/completions', requestOf(prompt, false));
      const { choices } = AnswerSchema.parse(await response.json());
      if (choices[0].message.content !== answer) return `the replay answers ${prompt} differently`;
    }
    return undefined;
  } catch (error) {
    return String(error);
  }
}
