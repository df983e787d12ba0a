import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import type { PutBack } from '../../agent/ports/shell.ts';
import { attempt, whileWritable } from './real-files.ts';

/**
 * Repositories in directories whose names are not UTF-8, which no path of ybs can name: the state of what git obeys in
 * each, by its path in hexadecimal digits.
 */
export type UnnamedRepositories = ReadonlyMap<string, string>;

/** The maximum number of directories that are searched. */
const MAX_DIRECTORIES = 10_000;

/** The parts of a directory of git that decide which programs run. */
const PARTS = ['config', 'config.worktree', 'commondir', 'hooks', 'modules', 'worktrees'];

/** True for a name that was read as text although it is none. */
export function isUnnamed(name: string): boolean {
  return name.includes('\uFFFD');
}

/** Finds the repositories below such directories in `parents`. Follows no link. Never throws. */
export function findUnnamed(parents: Iterable<string>): UnnamedRepositories {
  const found = new Map<string, string>();
  const queue = [...parents].flatMap((parent) => {
    const directory = Buffer.from(parent);
    return entriesOf(directory).flatMap(({ name, file, isDirectory }) =>
      isUnnamed(name) && isDirectory ? [file] : [],
    );
  });
  for (const directory of queue) {
    const entries = entriesOf(directory);
    const names = entries.map(({ name }) => name);
    // Git takes a directory with these two for a repository.
    const isBare = names.includes('HEAD') && (names.includes('objects') || names.includes('commondir'));
    if (isBare) found.set(join(directory, 'HEAD').toString('hex'), stateOf(directory));
    for (const { name, file, isDirectory } of entries) {
      if (name.toLowerCase() === '.git') found.set(file.toString('hex'), stateOf(file));
      else if (isDirectory && queue.length < MAX_DIRECTORIES) queue.push(file);
    }
  }
  return found;
}

/** Moves each repository that a command has made, or whose state it has changed, into a directory of ybs. Never throws. */
export function moveUnnamed(
  before: UnnamedRepositories,
  after: UnnamedRepositories,
  removed: string,
): readonly PutBack[] {
  return [...after].flatMap(([place, state], index) => {
    if (before.get(place) === state) return [];
    const file = Buffer.from(place, 'hex');
    const reason = 'it is a repository in a directory whose name is not UTF-8';
    try {
      mkdirSync(removed, { recursive: true, mode: 0o700 });
      const target = path.join(removed, `${Date.now()}-unnamed-${index}`);
      const parent = file.subarray(0, file.lastIndexOf('/'));
      whileWritable(parent, () => whileWritable(file, () => renameSync(file, target)));
      return [{ file: file.toString(), reason }];
    } catch (error) {
      return [{ file: file.toString(), reason: `${reason}, and it could not be moved: ${String(error)}` }];
    }
  });
}

function entriesOf(directory: Buffer) {
  // It may be gone, or cannot be read.
  const entries = attempt(() => readdirSync(directory, { withFileTypes: true, encoding: 'buffer' })) ?? [];
  return entries.map((entry) => ({
    name: entry.name.toString(),
    file: join(directory, entry.name),
    isDirectory: entry.isDirectory(),
  }));
}

function join(directory: Buffer, name: Buffer | string): Buffer {
  return Buffer.concat([directory, Buffer.from('/'), Buffer.from(name)]);
}

/** The digest of what git obeys in a repository: its settings, and the times of its hooks. */
function stateOf(repository: Buffer): string {
  const hash = createHash('sha256');
  for (const file of [repository, ...PARTS.map((part) => join(repository, part))]) {
    try {
      const stat = lstatSync(file);
      if (stat.isFile()) hash.update(readFileSync(file));
      else if (file !== repository) hash.update(String(stat.ctimeMs));
    } catch {
      // It does not exist.
    }
    hash.update('\0');
  }
  return hash.digest('hex');
}
