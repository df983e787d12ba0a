import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Work that has the same result whenever its inputs have the same contents. Paths are relative to `root`. */
export interface RepeatableWork {
  readonly root: string;
  /** The file that keeps the digests of the last success. */
  readonly record: string;
  /** Files and directories that the work reads. One that does not exist is an input, too. */
  readonly inputs: readonly string[];
  /** Files and directories that the work writes. */
  readonly outputs: readonly string[];
  /** Other things that the result depends on, such as the version of a program. */
  readonly versions: readonly string[];
  readonly run: () => Promise<void>;
}

/**
 * Runs the work unless its inputs and outputs have the contents that they had after its last success. Returns whether
 * it ran. An input that changes while the work runs makes the next call run it again.
 */
export async function runUnlessUnchanged({
  root,
  record,
  inputs,
  outputs,
  versions,
  run,
}: RepeatableWork): Promise<boolean> {
  const file = path.join(root, record);
  const before = await digestOf(root, inputs, versions);
  const recordOf = async () => `${before} ${await digestOf(root, outputs)}\n`;
  const recorded = await readFile(file, 'utf8').catch(() => undefined);
  if (recorded !== undefined && recorded === (await recordOf())) return false;
  await rm(file, { force: true });
  await run();
  await mkdir(path.dirname(file), { recursive: true });
  // Written elsewhere first, so that a process that is stopped leaves no half of a record.
  await writeFile(`${file}.${process.pid}`, await recordOf());
  await rename(`${file}.${process.pid}`, file);
  return true;
}

/** The digest of the names, contents and modes of files and of everything in directories. */
export async function digestOf(
  root: string,
  paths: readonly string[],
  versions: readonly string[] = [],
): Promise<string> {
  const hash = createHash('sha256');
  hash.update(JSON.stringify(versions));
  const add = async (name: string): Promise<void> => {
    const stats = await statsOf(path.join(root, name));
    hash.update(JSON.stringify([name, stats?.mode, stats?.isFile() === true ? stats.size : undefined]));
    if (stats?.isDirectory() === true) {
      for (const child of (await readdir(path.join(root, name))).sort()) await add(path.join(name, child));
    } else if (stats?.isFile() === true) hash.update(await readFile(path.join(root, name)));
  };
  for (const name of [...paths].sort()) await add(name);
  return hash.digest('hex');
}

async function statsOf(file: string): Promise<Stats | undefined> {
  try {
    return await lstat(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return;
    throw error;
  }
}
