import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, lstat, mkdir, open, readdir, realpath, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/** Files by their paths in a directory, with `/`. */
export type StoryContent = ReadonlyMap<string, string | Uint8Array>;

/**
 * Start of the names of directories that are not finished. The id of their process follows. A killed process leaves
 * them; nothing reads them, and the next write to the same place removes them.
 */
const UNFINISHED = '.recording-';

/**
 * Rejects with an error for the user if a story certainly cannot be written to a directory, before anything is recorded.
 * Creates nothing.
 */
export async function checkStoryPlace(directory: string): Promise<void> {
  let place = path.resolve(directory);
  try {
    await refuseLinkOut(directory);
    while (!(await exists(place))) place = path.dirname(place);
    await access(place, constants.W_OK);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`No story can be written to ${directory} (${reason}). Choose another --out.`);
  }
}

/** Rejects if a link of the current directory leads out of it to this file, because a repository can contain one. */
export async function refuseLinkOut(file: string): Promise<void> {
  const isInside = (base: string, place: string): boolean =>
    !/^\.\.(?:[\\/]|$)|^\/|^\w:/.test(path.relative(base, place));
  let place = path.resolve(file);
  if (!isInside(process.cwd(), place)) return;
  while (!(await lstat(place).catch(() => undefined))) place = path.dirname(place);
  const target = await realpath(place).catch(() => undefined);
  if (target !== undefined && isInside(await realpath(process.cwd()), target)) return;
  throw new Error(`a link leads out of this directory to ${target ?? `what ${place} names`}; delete the link`);
}

/**
 * Writes the files of a story whole or not at all: a process that is killed at any time leaves the directory as it was,
 * absent, or complete. A directory that exists keeps its other files; the scenario file is replaced last, so that it
 * never names something that is not there.
 */
export async function writeStory(directory: string, content: StoryContent): Promise<void> {
  const parent = path.dirname(path.resolve(directory));
  await mkdir(parent, { recursive: true });
  await recoverStory(directory);
  if (await exists(directory)) {
    await replaceFiles(directory, content);
    return;
  }
  const fresh = await makeRoom(parent);
  try {
    await writeFiles(fresh, content);
    await rename(fresh, directory);
    await syncDirectory(parent);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Replaces a story by another: its directory has only the new files afterwards. No system can exchange two directories
 * at once: a kill between the two renames leaves the old story aside, from where `recoverStory` brings it back.
 */
export async function replaceStory(directory: string, content: StoryContent): Promise<void> {
  const parent = path.dirname(path.resolve(directory));
  await mkdir(parent, { recursive: true });
  await recoverStory(directory);
  const fresh = await makeRoom(parent);
  const old = asideOf(directory);
  try {
    await writeFiles(fresh, content);
    const existed = await exists(directory);
    if (existed) await rename(directory, old);
    try {
      await rename(fresh, directory);
    } catch (error) {
      if (existed) await rename(old, directory);
      throw error;
    }
    await syncDirectory(parent);
  } finally {
    await Promise.all([fresh, old].map((leftover) => rm(leftover, { recursive: true, force: true })));
  }
}

/** Brings back a story whose replacement was killed. Does nothing if there is none. */
export async function recoverStory(directory: string): Promise<void> {
  const old = asideOf(directory);
  if (!(await exists(old))) return;
  if (await exists(directory)) await rm(old, { recursive: true, force: true });
  else await rename(old, directory);
}

/** The place of a story while it is replaced. */
function asideOf(directory: string): string {
  const { dir, base } = path.parse(path.resolve(directory));
  return path.join(dir, `.${base}${UNFINISHED}old`);
}

/** Creates an empty directory with the permissions of any new one, and removes those that killed processes have left. */
async function makeRoom(parent: string): Promise<string> {
  for (const name of await readdir(parent)) {
    const [, pid] = LEFT.exec(name) ?? [];
    if (pid === undefined || isRunning(Number(pid))) continue;
    await rm(path.join(parent, name), { recursive: true, force: true });
  }
  const room = path.join(parent, `${UNFINISHED}${process.pid}-${randomUUID()}`);
  await mkdir(room);
  return room;
}

/** The name of an unfinished directory, with the id of its process. */
const LEFT = /^\.recording-(\d+)-[\w-]{36}$/;

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

async function replaceFiles(directory: string, content: StoryContent): Promise<void> {
  const room = await makeRoom(directory);
  try {
    await writeFiles(room, content);
    const names = [...content.keys()].sort((one, other) => Number(isScenario(one)) - Number(isScenario(other)));
    for (const name of names) {
      const target = path.join(directory, name);
      await refuseLinkOut(path.dirname(target));
      await mkdir(path.dirname(target), { recursive: true });
      await rename(path.join(room, name), target);
    }
    await syncDirectory(directory);
  } finally {
    await rm(room, { recursive: true, force: true });
  }
}

function isScenario(name: string): boolean {
  return name === 'scenario.json';
}

async function writeFiles(directory: string, content: StoryContent): Promise<void> {
  for (const [name, data] of content) {
    const file = path.join(directory, name);
    await mkdir(path.dirname(file), { recursive: true });
    const handle = await open(file, 'wx');
    try {
      await handle.writeFile(data);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
}

/** Makes a rename in a directory durable, on systems that can. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

async function exists(directory: string): Promise<boolean> {
  return readdir(directory).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
      throw error;
    },
  );
}
