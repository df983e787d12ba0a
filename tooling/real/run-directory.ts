import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';

const PREFIX = 'ybs-real-';

/**
 * Creates the directory for the files of a run, whose name has the id of this process, and removes those of runs that
 * were killed.
 */
export async function createRunDirectory(parent: string): Promise<string> {
  for (const name of await readdir(parent)) {
    const [, id] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? [];
    if (id === undefined || isRunning(Number(id))) continue;
    // That of another user cannot be removed.
    await rm(path.join(parent, name), { recursive: true, force: true }).catch(() => {});
  }
  return realpath(await mkdtemp(path.join(parent, `${PREFIX}${process.pid}-`)));
}

/** True for a process of any user. */
function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
