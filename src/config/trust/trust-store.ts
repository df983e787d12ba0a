import { FileSystemError, UsageError } from '../../agent/errors.ts';
import type { FileSystem } from '../../agent/ports/file-system.ts';
import type { TrustedProject } from '../../policy/trust/trust.ts';
import { conforms } from '../../schema/conforms.ts';
import { jsonOr } from '../../text/json/json.ts';
import { type ConfigPlaces, configDirectory, pathOf } from '../places.ts';
import { TRUST_FILE } from './trust-file.data.ts';

/** The projects that the user trusts, by real path. */
export type TrustedProjects = ReadonlyMap<string, TrustedProject>;

/** The trusted projects, and the reason why none counts, for the user. */
export interface ReadTrust {
  readonly projects: TrustedProjects;
  /** The times at which the user said no to the question about a project, by real path. */
  readonly declined?: ReadonlyMap<string, string>;
  readonly problem?: string;
}

/** More than the parts of thousands of projects need. */
const MAX_BYTES = 8 * 1024 * 1024;

const OWNER_ONLY = 0o600;
const GROUP_AND_OTHERS_MAY_WRITE = 0o022;

/** The file with the trusted projects, in the user's configuration directory. */
export function trustFile(places: ConfigPlaces): string {
  return pathOf(places.platform).join(configDirectory(places), 'trust.json');
}

/** Reads the trusted projects. A file that is damaged, or that others may change, trusts nothing. Never throws. */
export async function readTrust(fileSystem: Pick<FileSystem, 'readFile'>, places: ConfigPlaces): Promise<ReadTrust> {
  const file = trustFile(places);
  const nothing = (reason: string): ReadTrust => ({
    projects: new Map(),
    problem: `No project is trusted: ${file} ${reason}.`,
  });
  try {
    const { bytes, size, mode, protection } = await fileSystem.readFile(file, MAX_BYTES);
    if (protection === 'other_owner') return nothing('belongs to another user');
    if (places.platform !== 'windows' && (mode & GROUP_AND_OTHERS_MAY_WRITE) !== 0) {
      return nothing('can be changed by other users; use chmod 600');
    }
    const content = size > MAX_BYTES ? undefined : jsonOr(undefined, new TextDecoder().decode(bytes));
    if (!conforms(content, TRUST_FILE)) return nothing('is damaged; remove it and trust your projects again');
    const projects = Object.entries(content.projects).map(
      ([project, { trusted_at: trustedAt, parts }]) =>
        [project, { trustedAt, parts: new Map(Object.entries(parts)) }] as const,
    );
    const { declined } = content;
    return {
      projects: new Map(projects),
      ...(declined !== undefined && { declined: new Map(Object.entries(declined)) }),
    };
  } catch (error) {
    if (!(error instanceof FileSystemError)) throw error;
    if (error.code === 'not_found' || error.code === 'not_a_directory') return { projects: new Map() };
    return nothing(`cannot be read: ${error.reason}`);
  }
}

/**
 * The nearest directory above `directory`, or itself, that the user has once trusted; `undefined` if there is none, or if
 * the root of a repository is nearer. Never throws.
 */
export async function findStoredProject(
  directory: string,
  fileSystem: Pick<FileSystem, 'readFile' | 'realPath' | 'stat'>,
  places: ConfigPlaces,
): Promise<string | undefined> {
  const { projects } = await readTrust(fileSystem, places);
  const { dirname, join } = pathOf(places.platform);
  const start = await fileSystem.realPath(directory).catch(() => directory);
  for (let each = start; ; each = dirname(each)) {
    if (projects.has(each)) return each;
    const isRoot = await fileSystem.stat(join(each, '.git')).then(
      () => true,
      () => false,
    );
    if (isRoot || each === dirname(each)) return undefined;
  }
}

/** Replaces the answers about projects. Only the user may read the file. Throws `UsageError` if it cannot be written. */
export async function writeTrust(
  fileSystem: Pick<FileSystem, 'createDirectory' | 'realPath' | 'replaceFile'>,
  places: ConfigPlaces,
  projects: TrustedProjects,
  declined: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  const content = {
    version: 1,
    projects: Object.fromEntries(
      [...projects].map(([project, { trustedAt, parts }]) => [
        project,
        { trusted_at: trustedAt, parts: Object.fromEntries(parts) },
      ]),
    ),
    ...(declined.size > 0 && { declined: Object.fromEntries(declined) }),
  };
  const bytes = new TextEncoder().encode(`${JSON.stringify(content, null, 2)}\n`);
  const directory = configDirectory(places);
  try {
    await fileSystem.createDirectory(directory);
    await fileSystem.replaceFile(await fileSystem.realPath(directory), 'trust.json', bytes, OWNER_ONLY);
  } catch (error) {
    throw notWritten(error, places);
  }
}

/** The error for the user if `error` says that the file cannot be written; any other error unchanged. */
export function notWritten(error: unknown, places: ConfigPlaces): unknown {
  if (!(error instanceof FileSystemError)) return error;
  return new UsageError(`${trustFile(places)} cannot be written: ${error.reason}. Nothing was changed.`);
}
