import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../agent/ports/clock.ts';
import type { ComputeDigest } from '../agent/ports/digest.ts';
import { trustedSearchPath } from '../policy/search-path.ts';
import type { JobControl } from '../terminal/editor/terminal-ports.ts';
import { errorCode } from '../text/error-code.ts';

/** The system's clock. A pending `sleep` keeps the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    try {
      await wait(ms, undefined, { signal });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  },
};

/** The processor time that this process has used, in milliseconds. */
export function ownProcessorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** SHA-256 in hexadecimal, computed by Node.js, whose cryptography is loaded with the first digest. */
export const computeDigest: ComputeDigest = (bytes) =>
  process.getBuiltinModule('node:crypto').createHash('sha256').update(bytes).digest('hex');

/** A random UUID. The global `crypto` would load all of Web Crypto, which nothing here needs. */
export const newId = (): string => process.getBuiltinModule('node:crypto').randomUUID({ disableEntropyCache: true });

/**
 * The environment of programs and threads that ybs starts outside of the sandbox: a command can write files of the project
 * that `PATH` or `NODE_OPTIONS` names, such as a program in `.venv/bin`. Start them in another directory, too.
 */
export function trustedEnvironment(): Readonly<Record<string, string>> {
  const way = process.platform === 'win32' ? 'windows' : 'posix';
  const kept = Object.entries(process.env).flatMap(([name, value]): readonly (readonly [string, string])[] => {
    // Windows ignores the case of names, and writes `Path`.
    const key = way === 'windows' ? name.toUpperCase() : name;
    if (value === undefined || key === 'NODE_OPTIONS') return [];
    return [[name, key === 'PATH' ? trustedSearchPath(value, way, process.cwd()) : value]];
  });
  return Object.fromEntries(kept);
}

/** True if a process with this id exists, of this or of another user; a negative id is that of a process group. */
export function processExists(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}

/** The job control of this process's shell. The job includes a program that started ybs, such as npm. */
export const processJobControl: JobControl = {
  stop: () => {
    process.kill(0, 'SIGTSTP');
  },
  onContinue(listener) {
    process.on('SIGCONT', listener);
    return () => process.off('SIGCONT', listener);
  },
};
