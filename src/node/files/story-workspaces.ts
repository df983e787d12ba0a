import { cp, lstat, mkdir, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { systemProcesses } from '../processes.ts';
import { newId } from '../system.ts';

/** Start of the names of workspaces in the temporary directory. */
const PREFIX = 'ybs-story-';
/** A file beside each workspace in use. It has this ending and names the process that uses it. */
const OWNER = '.owner';

/**
 * Creates a directory in the temporary directory with a copy of `source`, or an empty one; returns its real path. The
 * first one of a process removes those that other processes have left because they were killed.
 */
export async function createWorkspace(source: string | undefined): Promise<string> {
  const temporary = await realpath(os.tmpdir());
  await cleanOnce(temporary);
  const directory = path.join(temporary, `${PREFIX}${newId()}`);
  await writeFile(directory + OWNER, JSON.stringify(await systemProcesses.self()), { flag: 'wx', mode: 0o600 });
  try {
    await mkdir(directory, { mode: 0o700 });
    if (source !== undefined) await cp(source, directory, { recursive: true, verbatimSymlinks: true });
    return directory;
  } catch (error) {
    await removeWorkspace(directory);
    throw error;
  }
}

/** Removes a workspace, or any other directory. */
export async function removeWorkspace(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await keepWorkspace(directory);
}

/** Keeps a workspace after the end of this process. */
export async function keepWorkspace(directory: string): Promise<void> {
  if (path.basename(directory).startsWith(PREFIX)) await rm(directory + OWNER, { force: true });
}

/** Temporary directories that this process has cleaned. */
const cleaned = new Map<string, Promise<void>>();

function cleanOnce(temporary: string): Promise<void> {
  const known = cleaned.get(temporary);
  if (known !== undefined) return known;
  const cleaning = removeLeftWorkspaces(temporary);
  cleaned.set(temporary, cleaning);
  return cleaning;
}

/** Removes the workspaces of this user whose processes have ended. */
async function removeLeftWorkspaces(temporary: string): Promise<void> {
  const names = await readdir(temporary).catch(() => []);
  const owners = names.filter((name) => name.startsWith(PREFIX) && name.endsWith(OWNER));
  for (const name of owners) {
    const file = path.join(temporary, name);
    // What cannot be read or removed stays, because a start must not fail for the remains of another.
    if (await hasEnded(file).catch(() => false)) await removeWorkspace(file.slice(0, -OWNER.length)).catch(() => {});
  }
}

/** True if the process that an owner file names ran on this machine and has ended. Files of other users are ignored. */
async function hasEnded(file: string): Promise<boolean> {
  const { uid } = await lstat(file);
  if (process.getuid !== undefined && uid !== process.getuid()) return false;
  const owner: unknown = JSON.parse(await readFile(file, 'utf8'));
  if (typeof owner !== 'object' || owner === null) return false;
  const { pid, started, host } = { pid: 0, started: '', host: '', ...owner };
  return host === os.hostname() && Number(pid) > 0 && (await systemProcesses.startOf(Number(pid))) !== started;
}

/** Removes the files and directories that processes have left beside a file: `prefix` followed by a process id. */
export async function removeLeftBeside(directory: string, prefix: string): Promise<void> {
  for (const name of await readdir(directory).catch(() => [])) {
    const pid = name.startsWith(prefix) ? name.slice(prefix.length) : '';
    if (!/^\d+$/.test(pid) || (await systemProcesses.startOf(Number(pid))) !== undefined) continue;
    await rm(path.join(directory, name), { recursive: true, force: true });
  }
}
