import { existsSync } from 'node:fs';
import { cp, lstat, mkdir, readdir, readFile, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { UsageError } from '../../agent/errors.ts';
import { contains } from '../../policy/paths/path-policy.ts';
import type { RebasePorts } from '../../stories/drift/rebase.ts';
import type { StoryFiles } from '../../stories/load-story.ts';
import type { StoryDisk } from '../../stories/play/play-story.ts';
import type { CommandPlayPorts } from '../../stories/play/play-with-command.ts';
import type { Fingerprint } from '../../stories/watch-stories.ts';
import { errorCode } from '../../text/error-code.ts';
import { createWorkspace, keepWorkspace, removeLeftBeside, removeWorkspace } from './story-workspaces.ts';

/**
 * A path beside a directory that is replaced. Hidden, so that the remains of a killed process are not taken for a story.
 * A recorder restores a story that it finds at `old`.
 */
function besideOf(directory: string, state: string): string {
  const { dir, base } = path.parse(path.resolve(directory));
  return path.join(dir, `.${base}.recording-${state}`);
}

/** Restores a directory whose replacement was killed between its two renames. */
async function recover(directory: string): Promise<void> {
  const old = besideOf(directory, 'old');
  if (existsSync(directory)) await rm(old, { recursive: true, force: true });
  else await rename(old, directory).catch(ignoreMissing);
}

function ignoreMissing(error: unknown): void {
  if (errorCode(error) !== 'ENOENT') throw error;
}

/**
 * The path without links of a file or directory to write, which may be missing. Rejects if a link of the current directory
 * leads out of it, because a repository can contain one.
 */
export async function targetOf(file: string): Promise<string> {
  const way = process.platform === 'win32' ? 'windows' : 'posix';
  const absolute = path.resolve(file);
  let { root: at } = path.parse(absolute);
  for (const name of path.relative(at, absolute).split(path.sep)) {
    const next = path.join(at, name);
    const isLink = (await lstat(next).catch(() => undefined))?.isSymbolicLink() === true;
    const target = isLink ? await realpath(next).catch(() => undefined) : next;
    if (target === undefined)
      throw new UsageError(`${next} is a link to a file that does not exist. Create that file, or delete the link.`);
    if (isLink && contains(process.cwd(), at, way) && !contains(process.cwd(), target, way))
      throw new UsageError(`${next} is a link that leads out of this directory. Delete the link, or name ${target}.`);
    at = target;
  }
  return at;
}

/** File access for stories. Workspaces are created in the system's temporary directory. */
export const nodeStoryDisk: StoryDisk & StoryFiles & CommandPlayPorts['disk'] & Fingerprint & RebasePorts['disk'] = {
  resolve: path.resolve,
  readFile: (file) => readFile(file, 'utf8'),
  async writeFile(file, content) {
    const target = await targetOf(file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, content);
  },
  async replaceFile(file, content) {
    const target = await targetOf(file);
    const prefix = `${target}.new-`;
    await removeLeftBeside(path.dirname(target), path.basename(prefix));
    const fresh = prefix + process.pid;
    try {
      await writeFile(fresh, content);
      await rename(fresh, target);
    } finally {
      await rm(fresh, { force: true });
    }
  },
  async kindOf(file) {
    const found = await stat(file).catch(() => undefined);
    if (found === undefined) return 'missing';
    return found.isDirectory() ? 'directory' : 'file';
  },
  createWorkspace,
  async readTree(directory) {
    const tree = new Map<string, Uint8Array>();
    for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
      if (entry.isDirectory()) continue;
      const file = path.join(entry.parentPath, entry.name);
      const name = path.relative(directory, file).replaceAll(path.sep, '/');
      const link = entry.isSymbolicLink() ? Buffer.from(`link to ${await readlink(file)}`) : undefined;
      tree.set(name, link ?? (await readFile(file)));
    }
    return tree;
  },
  remove: removeWorkspace,
  keep: keepWorkspace,
  async replace(written, source) {
    const directory = await targetOf(written);
    await recover(directory);
    const [prefix, old] = [besideOf(directory, 'new-'), besideOf(directory, 'old')];
    await removeLeftBeside(path.dirname(prefix), path.basename(prefix));
    const fresh = prefix + process.pid;
    try {
      await cp(source, fresh, { recursive: true, verbatimSymlinks: true });
      await rename(directory, old).catch(ignoreMissing);
      await rename(fresh, directory).catch(async (error: unknown) => {
        await rename(old, directory).catch(ignoreMissing);
        throw error;
      });
    } finally {
      await Promise.all([fresh, old].map((leftover) => rm(leftover, { recursive: true, force: true })));
    }
  },
  recover,
  async fingerprint(paths) {
    const states = await Promise.all(paths.map((file) => stateOf(file)));
    return states.flat().join('\n');
  },
};

/** Directories whose changes no story can see, and which may hold very many files. */
const UNWATCHED = new Set(['node_modules', '.git']);

/** A line for every file at or below a path: its name, its size and its time. Empty for a path that does not exist. */
async function stateOf(file: string): Promise<readonly string[]> {
  const found = await lstat(file).catch(() => undefined);
  if (found === undefined) return [];
  if (!found.isDirectory()) return [`${file} ${found.size} ${found.mtimeMs}`];
  const names = await readdir(file).catch(() => []);
  const kept = names.filter((name) => !UNWATCHED.has(name)).sort();
  return [`${file}/`, ...(await Promise.all(kept.map((name) => stateOf(path.join(file, name))))).flat()];
}
