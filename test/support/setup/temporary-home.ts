import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';

/** Compiled sources of earlier runs, which many processes start with. Node checks that they are current. */
export const COMPILED = path.join(import.meta.dirname, '../../../node_modules/.cache/compiled');

/** More files than some runs need. Each temporary script adds one, and Node removes none. */
const MAX_COMPILED = 10_000;

/** The file system in memory of Linux. A disk takes many times the processor time for the small files of the tests. */
const IN_MEMORY = '/dev/shm';

/** Far more than the files of a run. The file system in memory of a container may have little. */
const NEEDED_BYTES = 2 ** 30;

/** True if the file system in memory exists, has room and runs programs, as tests write some. */
function hasMemory(): boolean {
  try {
    const options = /^\S+ \/dev\/shm tmpfs (\S+)/m.exec(readFileSync('/proc/self/mounts', 'utf8'))?.[1]?.split(',');
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return options?.includes('rw') === true && !options.includes('noexec') && bavail * bsize >= NEEDED_BYTES;
  } catch {
    return false;
  }
}

/**
 * Gives the whole run and all its processes an empty home, so that the developer's configuration does not affect
 * tests, and where possible a directory of temporary files in memory. Set before the workers start, because
 * `os.homedir()` in a thread reads the environment of the process.
 */
export default function provideTemporaryHome({ vitest }: TestProject): () => void {
  if (globSync('*/*', { cwd: COMPILED }).length > MAX_COMPILED) rmSync(COMPILED, { recursive: true, force: true });
  const inMemory = hasMemory();
  const temporary = mkdtempSync(path.join(inMemory ? IN_MEMORY : os.tmpdir(), 'ybs-'));
  // As `/tmp`, so that tests can run as another user.
  chmodSync(temporary, 0o1777);
  const home = path.join(temporary, 'home');
  mkdirSync(home);
  Object.assign(process.env, {
    ...(inMemory && { TMPDIR: temporary }),
    HOME: home,
    USERPROFILE: home,
    XDG_CONFIG_HOME: path.join(home, '.config'),
    XDG_CACHE_HOME: path.join(home, '.cache'),
    XDG_DATA_HOME: path.join(home, '.local/share'),
    XDG_STATE_HOME: path.join(home, '.local/state'),
    // A `node --test` in a story runs its test files in one process, which takes a third of the processor time.
    ...(process.allowedNodeEnvironmentFlags.has('--test-isolation') && { NODE_OPTIONS: '--test-isolation=none' }),
    // Compiled code from a cache would make V8's coverage imprecise.
    ...(vitest.config.coverage.enabled ? { NODE_DISABLE_COMPILE_CACHE: '1' } : { NODE_COMPILE_CACHE: COMPILED }),
  });
  return () => rmSync(temporary, { recursive: true, force: true });
}
