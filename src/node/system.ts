import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../agent/ports/clock.ts';
import type { ComputeDigest } from '../agent/ports/digest.ts';
import { contains } from '../policy/paths/path-policy.ts';
import { trustedSearchPath } from '../policy/search-path.ts';
import type { JobControl } from '../terminal/editor/terminal-ports.ts';
import { errorCode } from '../text/error-code.ts';
import { realFile } from './sandbox/real-files.ts';

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

/** Directories whose files a command may write: those in which this process works, and others that the user allows. */
export type Projects = Set<string>;

/**
 * The environment of programs that ybs starts outside of the sandbox: a command can write files of `projects`, or without
 * one of the current directory, that a variable names, such as a program in `.venv/bin` or a module in `PYTHONPATH`. `PATH` is kept
 * without such directories, and no other variable that names one. Start the programs in another directory, too.
 */
export function trustedEnvironment(
  projects: ReadonlySet<string>,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Readonly<Record<string, string>> {
  const way = process.platform === 'win32' ? 'windows' : 'posix';
  const all = projects.size > 0 ? [...projects] : [process.cwd()];
  // A project that contains the home directory has all that is the user's own.
  const named = all.filter((project) => !contains(project, os.homedir(), way));
  // The name by which the user has entered the directory can lead through a link.
  const { PWD } = environment;
  if (PWD !== undefined && all.includes(realFile(PWD) ?? '') && !contains(PWD, os.homedir(), way)) named.push(PWD);
  const kept = Object.entries(environment).flatMap(([name, value]): readonly (readonly [string, string])[] => {
    // Windows ignores the case of names, and writes `Path`.
    const key = way === 'windows' ? name.toUpperCase() : name;
    if (value === undefined || key === 'NODE_OPTIONS') return [];
    if (key === 'PATH') return [[key, all.reduce((left, project) => ownSearchPath(left, way, project), value)]];
    const texts = [
      value,
      ...value.split(path.delimiter).map((entry) => (path.isAbsolute(entry) && realFile(entry)) || ''),
    ];
    return named.some((project) => texts.some((each) => hasPath(each, project))) ? [] : [[name, value]];
  });
  return Object.fromEntries(kept);
}

/** A value of `PATH` without the directories of a project, also without those to which a link leads. */
function ownSearchPath(value: string, way: 'posix' | 'windows', project: string): string {
  const isOwn = (entry: string): boolean => trustedSearchPath(realFile(entry) ?? entry, way, project) !== '';
  return trustedSearchPath(value, way, project).split(path.delimiter).filter(isOwn).join(path.delimiter);
}

/** True if a value contains a path, as a whole or as the start of another one. */
function hasPath(value: string, place: string): boolean {
  const parts = value.split(place);
  // `/home/app` is no path of `/app`, but `-L/app/lib` has one.
  const isWithin = (before = ''): boolean => /\/(?!\.{1,2}$)[\w.-]+$/.test(before);
  return parts.some((rest, index) => index > 0 && !/^[\w.-]/.test(rest) && !isWithin(parts[index - 1]));
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
