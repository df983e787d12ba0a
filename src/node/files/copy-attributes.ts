import { once } from 'node:events';
import { existsSync } from 'node:fs';

/** The program is never searched for in `PATH`, which may contain a directory of the project. */
const PROGRAMS = ['/usr/bin/cp', '/bin/cp'];

/** The time limit of a copy, in milliseconds. */
const TIMEOUT_MS = 5_000;

/** The numbers of the two files in the program, after its standard streams. */
const [FROM, TO] = [3, 4];

/**
 * Creates a function that copies the access control list and the extended attributes of an open file to another one. No
 * call of Node.js does this, nor tells whether a file has any. It gets descriptors, so that no path can lead elsewhere,
 * and does nothing where the program is missing or does not know the options.
 */
export function createCopyAttributes(): (from: number, to: number) => Promise<void> {
  let program: string | undefined;
  return async (from, to) => {
    program ??= PROGRAMS.find((file) => existsSync(file));
    if (program === undefined) return;
    const { spawn } = await import('node:child_process');
    const args = ['--attributes-only', '--preserve=all', `/proc/self/fd/${FROM}`, `/proc/self/fd/${TO}`];
    const child = spawn(program, args, {
      cwd: '/',
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', from, to],
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
    });
    await once(child, 'exit').catch(() => undefined);
  };
}
