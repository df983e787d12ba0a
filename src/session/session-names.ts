import path from 'node:path';
import { FileSystemError, unlessFileError } from '../agent/errors.ts';
import type { FileSystem } from '../agent/ports/file-system.ts';
import { countOf } from '../text/quantities.ts';

/** The end of the file name of a log. */
export const LOG_SUFFIX = '.jsonl';

const DAY_MS = 86_400_000;

/** A name for a new session: `session-20260118-143022-9f3a`, or with another first word. */
export function newSessionName(now: number, random: () => number, word: 'session' | 'saved' = 'session'): string {
  const [date = '', time = ''] = new Date(now).toISOString().split(/[T.]/);
  const suffix = Math.floor(random() * 0x10000).toString(16);
  return `${word}-${date.replaceAll('-', '')}-${time.replaceAll(':', '')}-${suffix.padStart(4, '0')}`;
}

/**
 * The time at which a session with an automatic name began, in milliseconds since 1970-01-01T00:00:00Z; `undefined` for
 * a name that the user has given, which no clean-up removes.
 */
export function startOfAutomaticName(name: string): number | undefined {
  const [, ...parts] = /^session-(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-[0-9a-f]{4}$/.exec(name) ?? [];
  const [year = 0, month = 0, ...rest] = parts.map(Number);
  return parts.length === 0 ? undefined : Date.UTC(year, month - 1, ...rest);
}

const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** The problem of a name for saving a session; `undefined` if there is none. */
export function findNameProblem(name: string): string | undefined {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/.test(name) || name.endsWith('.') || RESERVED.test(name)) {
    return `A session cannot be named ${JSON.stringify(name)}. Use up to 80 letters, digits, points, hyphens and underscores, and begin with a letter or a digit.`;
  }
  if (startOfAutomaticName(name) !== undefined)
    return `Choose another name: ${name} looks like that of another session.`;
  return undefined;
}

/** The name without the end of a file name, which the user may have typed. */
export function withoutSuffix(name: string): string {
  return name.endsWith(LOG_SUFFIX) ? name.slice(0, -LOG_SUFFIX.length) : name;
}

/** A time span for people: `just now`, `5 minutes ago`, `3 days ago`. */
export function describeAge(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${countOf(minutes, 'minute')} ago`;
  if (ms < DAY_MS) return `${countOf(Math.floor(minutes / 60), 'hour')} ago`;
  return `${countOf(Math.floor(ms / DAY_MS), 'day')} ago`;
}

/** The names of the sessions in a directory, which need not exist. */
export async function listNames(fileSystem: FileSystem, directory: string): Promise<readonly string[]> {
  if (!(await exists(fileSystem.stat(directory)))) return [];
  return (await fileSystem.list(directory)).flatMap(({ name, kind }) =>
    kind === 'file' && name.endsWith(LOG_SUFFIX) ? [withoutSuffix(name)] : [],
  );
}

/** True unless the status could not be read because the file does not exist. */
export async function exists(stat: Promise<unknown>): Promise<boolean> {
  return (
    (await unlessFileError(
      stat.then(() => true),
      'not_found',
    )) === true
  );
}

/**
 * Throws `FileSystemError` unless files can be created in a directory or, if it does not exist, in its nearest parent.
 * Creates a file of this unused `name`, and removes it.
 */
export async function requireWritable(fileSystem: FileSystem, directory: string, name: string): Promise<void> {
  let place = directory;
  while (place !== path.dirname(place) && !(await isThere(place, fileSystem))) place = path.dirname(place);
  try {
    const file = path.join(place, name);
    await fileSystem.createFile(file, new TextEncoder().encode(name));
    await fileSystem.removeFile(file);
  } catch (error) {
    throw error instanceof FileSystemError ? new FileSystemError(error.code, directory, { cause: error.cause }) : error;
  }
}

/** False also for a path below a file. */
async function isThere(place: string, fileSystem: FileSystem): Promise<boolean> {
  return (await unlessFileError(exists(fileSystem.stat(place)), 'not_a_directory')) === true;
}
