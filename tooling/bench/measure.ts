import { existsSync, readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Milliseconds. */
export interface Cost {
  readonly wall: number;
  readonly cpu: number;
}

/** The middle value, or the mean of the two middle values; NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const half = Math.floor(sorted.length / 2);
  const [low = Number.NaN, high = Number.NaN] =
    sorted.length % 2 === 1 ? [sorted[half], sorted[half]] : sorted.slice(half - 1);
  return (low + high) / 2;
}

/** The median and, in parentheses, the range: `2.10 (1.95–2.40)`. */
export function medianWithRange(values: readonly number[], digits: number): string {
  const [middle, least, most] = [median(values), Math.min(...values), Math.max(...values)];
  return `${middle.toFixed(digits)} (${least.toFixed(digits)}–${most.toFixed(digits)})`;
}

/** The medians with ranges of some figures in a list. */
export function columns<Key extends string>(
  list: readonly Readonly<Record<Key, number>>[],
  keys: readonly Key[],
  digits: number,
): readonly string[] {
  return keys.map((key) =>
    medianWithRange(
      list.map((figures) => figures[key]),
      digits,
    ),
  );
}

/**
 * Measures candidates in turns, so that other load of the machine affects them alike. Returns the results of each by its
 * name. The first round fills caches and warms up compilers; it does not count.
 */
export async function interleave<Measured>(
  rounds: number,
  candidates: Readonly<Record<string, () => Promise<Measured>>>,
): Promise<(name: string) => readonly Measured[]> {
  const results = new Map<string, Measured[]>(Object.keys(candidates).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, measure] of Object.entries(candidates)) {
      const measured = await measure();
      if (round > 0) results.get(name)?.push(measured);
    }
  }
  return (name) => results.get(name) ?? [];
}

/** A line on the circumstances of figures: `Node 26.10.0, medians (range) of 9 rounds, milliseconds; load 0.4`. */
export function conditions(rounds: string): string {
  return `Node ${process.versions.node}, medians (range) of ${rounds}, milliseconds; load ${os.loadavg()[0]?.toFixed(1)}`;
}

/** Milliseconds of processor time of the threads of a process so far, as Linux counts it for its scheduler. */
export function cpuOf({ pid }: { readonly pid?: number | undefined }): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const times = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return times.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e6;
}

/** Milliseconds of processor time of this process and of those that it started and that have ended, on Linux. */
export function cpuTime(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + (Number(fields[13]) + Number(fields[14])) * 10;
}

/** The files that a build needs, relative to its directory. */
const PARTS = ['ybs.js', '../package.json', '../scenarios'];

/** The absolute path of a build, that of this project by default. Throws an error that names what it lacks. */
export function requireBuild(directory = path.join(import.meta.dirname, '../../dist')): string {
  const build = path.resolve(directory);
  const missing = PARTS.map((part) => path.join(build, part)).find((part) => !existsSync(part));
  if (missing === undefined) return build;
  throw new Error(`${missing} is missing. Give the dist directory of a clone in which npm run build has run.`);
}
