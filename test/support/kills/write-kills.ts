import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createNodeFileSystem } from '../../../src/node/files/node-file-system.ts';
import { temporaryDirectory } from '../processes/temporary-directory.ts';
import { randomNumbers } from './story-kills.ts';

/** The way in which a process writes files; `in_place` is not safe and must be detected. */
export type FileWriteMode = 'replace' | 'in_place';

/** State that killed writers left behind. */
export interface WriteKillReport {
  /** Processes that were killed; the others ended first. */
  readonly killed: number;
  /** Kills that left a temporary file. */
  readonly leftovers: number;
  /**
   * One line for each file that is not complete, has a different mode, or has temporary files in its directory after a
   * later write.
   */
  readonly problems: readonly string[];
}

const MODE = 0o640;
const WHOLE = /^(.)\1{199999}$/;

/** Starts writers that end themselves before each operation of a write in turn, or before `operations` of it. */
export async function killWritersAtOperations(
  mode: FileWriteMode,
  operations: readonly number[] = Array.from({ length: 40 }, (_, index) => index + 1),
): Promise<WriteKillReport> {
  const report = { killed: 0, leftovers: 0, problems: [] as string[] };
  for (const operation of operations) {
    const { directory, ended } = startWriter(mode, 1, operation);
    const isKilled = (await ended) === 'SIGKILL';
    await inspect(directory, `operation ${operation}`, isKilled, report);
    if (!isKilled) break;
  }
  return report;
}

/** Kills writers at random points within `spanMs` of their work. */
export async function killWriters(
  mode: FileWriteMode,
  kills: number,
  seed: number,
  spanMs = 120,
): Promise<WriteKillReport> {
  const random = randomNumbers(seed);
  const report = { killed: 0, leftovers: 0, problems: [] as string[] };
  for (let kill = 0; kill < kills; kill++) {
    const { directory, child, ended } = startWriter(mode, 1_000_000, 0);
    await once(child.stdout, 'data');
    await sleep(random.next().value * spanMs);
    child.kill('SIGKILL');
    await inspect(directory, `kill ${kill}`, (await ended) === 'SIGKILL', report);
  }
  return report;
}

function startWriter(mode: FileWriteMode, versions: number, killAt: number) {
  const directory = fs.realpathSync(temporaryDirectory());
  fs.writeFileSync(path.join(directory, 'a'), 'z'.repeat(200_000));
  fs.chmodSync(path.join(directory, 'a'), MODE);
  const program = path.join(import.meta.dirname, 'replace-files.ts');
  const args = [program, mode, directory, String(versions), String(killAt)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.resume();
  return { directory, child, ended: once(child, 'close').then(([, signal]: unknown[]) => signal) };
}

async function inspect(
  directory: string,
  name: string,
  isKilled: boolean,
  report: { killed: number; leftovers: number; problems: string[] },
): Promise<void> {
  const file = path.join(directory, 'a');
  if (isKilled) report.killed++;
  const names = fs.readdirSync(directory);
  if (names.length > 1) report.leftovers++;
  const content = fs.readFileSync(file, 'utf8');
  if (!WHOLE.test(content)) report.problems.push(`${name}: ${content.length} bytes, not of one version`);
  const mode = fs.statSync(file).mode & 0o777;
  if (mode !== MODE) report.problems.push(`${name}: mode ${mode.toString(8)}`);
  await createNodeFileSystem().replaceFile(directory, 'b', new Uint8Array());
  const left = fs.readdirSync(directory).filter((each) => !['a', 'b'].includes(each));
  if (left.length > 0) report.problems.push(`${name}: ${left.join(' ')} after a later write`);
  fs.rmSync(directory, { recursive: true });
}
