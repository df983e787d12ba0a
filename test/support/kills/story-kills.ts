import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { recoverStory } from '../../../mock-llm-server/record/story-directory.ts';

/** The way in which a process writes stories; `in_place` is not safe and must be detected. */
export type WriteMode = 'extend' | 'replace' | 'in_place';

const ScenarioSchema = z.object({ scenarios: z.tuple([z.looseObject({ version: z.number() })]) });
const LockSchema = z.looseObject({ steps: z.array(z.unknown()) });

/** State that kills at random points left behind. */
export interface KillReport {
  /** Kills before the first version of the story existed. */
  readonly absent: number;
  readonly whole: number;
  /** One line for each story that is not complete. */
  readonly problems: readonly string[];
}

/** Numbers in [0, 1) that look random, the same in every run. */
export function* randomNumbers(seed: number): Generator<number, never, void> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

/** Kills processes that write stories, each at a random point within `spanMs`, and checks the state that they left. */
export async function killStoryWriters(mode: WriteMode, kills: number, seed: number, spanMs = 60): Promise<KillReport> {
  const random = randomNumbers(seed);
  const report = { absent: 0, whole: 0, problems: [] as string[] };
  for (let kill = 0; kill < kills; kill++) {
    const home = mkdtempSync(path.join(os.tmpdir(), 'story-kills-'));
    const directory = path.join(home, 'story');
    const program = path.join(import.meta.dirname, 'write-stories.ts');
    const child = spawn(process.execPath, [program, mode, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
    const closed = once(child, 'close');
    await once(child.stdout, 'data');
    await sleep(random.next().value * spanMs);
    child.kill('SIGKILL');
    await closed;
    await recoverStory(directory);
    if (existsSync(directory)) {
      const problem = problemOf(directory, mode);
      if (problem === undefined) report.whole++;
      else report.problems.push(`kill ${kill}: ${problem}`);
    } else {
      report.absent++;
    }
    rmSync(home, { recursive: true, force: true });
  }
  return report;
}

/**
 * Other files may be newer than the scenario file, which is replaced last; in a story that is replaced as a whole, all
 * files are of one version.
 */
function problemOf(directory: string, mode: WriteMode): string | undefined {
  try {
    const read = (name: string) => readFileSync(path.join(directory, name), 'utf8');
    const { version } = ScenarioSchema.parse(JSON.parse(read('scenario.json'))).scenarios[0];
    const steps = LockSchema.parse(JSON.parse(read('prompt.lock.json'))).steps.length;
    const text = read('recording.jsonl');
    const lines = text.slice(0, -1).split('\n');
    for (const line of lines) JSON.parse(line);
    const versions = `scenario ${version}, lock ${steps}, recording ${lines.length}`;
    if (!text.endsWith('\n')) return 'the last line of the recording is cut';
    if (mode === 'replace' && !(version === steps && version === lines.length)) return versions;
    return steps < version || lines.length < version ? versions : undefined;
  } catch (error) {
    return String(error);
  }
}
