import { unlessFileError } from '../../agent/errors.ts';
import type { ComputeDigest, Digest } from '../../agent/ports/digest.ts';
import type { FileSystem } from '../../agent/ports/file-system.ts';
import { findRepositorySettings } from '../../policy/trust/repository-settings.ts';
import type { PartKind } from '../../policy/trust/trust.ts';
import { type ConfigPlaces, pathOf, SKILL_DIRECTORIES, SKILL_FILE } from '../places.ts';

/** A part of a project whose content has not been read yet. */
export interface FoundPart {
  /** Path relative to the workspace, with `/`. */
  readonly path: string;
  /** Absolute path. */
  readonly file: string;
  readonly kind: PartKind;
  /** The digest of its content; `undefined` if it cannot be read. */
  digest(): Promise<Digest | undefined>;
  /** The settings of a repository that may start programs. */
  readonly settings?: readonly string[];
  /** The reason why it cannot be read, as far as the search knows it. */
  readonly problem?: string;
}

export interface PartPlaces extends Pick<ConfigPlaces, 'platform'> {
  /** Real path. */
  readonly workspace: string;
  /** The project has a configuration of its own. */
  readonly hasConfiguration: boolean;
  /** The project chooses a profile in the file of Eidolon. */
  readonly hasEidolon?: boolean | undefined;
  /** Directories inside the workspace whose files become tools, as absolute paths. */
  readonly toolDirectories: readonly string[];
  /** Programs inside the workspace that its configuration names, as absolute paths. */
  readonly programs: readonly string[];
}

export interface PartPorts {
  readonly fileSystem: Pick<FileSystem, 'list' | 'readFile' | 'realPath' | 'stat'>;
  readonly digest: ComputeDigest;
}

/** The maximum size of one part, in bytes. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The maximum number of entries of one directory. One with more is a single part that cannot be read. */
const MAX_ENTRIES = 500;

/** The maximum number of entries below one directory. */
const MAX_PARTS = 2_000;

/** The levels of directories below `.ybs`. */
const MAX_DEPTH = 16;

/** The directories of Eidolon that have agents and commands. */
const EIDOLON_DIRECTORIES = ['agents', 'commands'] as const;

/** The parts of a project in the order of their paths, and whether it lies in a repository. */
export interface FoundParts {
  readonly parts: readonly FoundPart[];
  readonly isRepository: boolean;
}

/** Finds the parts of a project. Reads directories and the settings of git, and no other file. */
export async function findParts(places: PartPlaces, ports: PartPorts): Promise<FoundParts> {
  const { workspace, platform, hasConfiguration, hasEidolon, toolDirectories, programs } = places;
  const { join } = pathOf(platform);
  const at = (file: string, kind: PartKind): FoundPart => partAt(file, kind, places, ports);
  const servers = join(workspace, '.mcp.json');
  const [hasServers, extensions, eidolon, skills, git, ...tools] = await Promise.all([
    isFile(servers, ports),
    listParts(join(workspace, '.ybs'), 'extension', MAX_DEPTH, places, ports),
    Promise.all(
      EIDOLON_DIRECTORIES.map((name) =>
        listParts(join(workspace, '.eidolon', name), 'extension', MAX_DEPTH - 1, places, ports),
      ),
    ),
    Promise.all(SKILL_DIRECTORIES.map((directory) => skillParts(join(workspace, directory), places, ports))),
    gitParts(places, ports),
    ...toolDirectories.map((directory) => listParts(directory, 'tool', 1, places, ports)),
  ]);
  const found = [
    ...(hasConfiguration ? [at(join(workspace, '.ybs.json'), 'configuration')] : []),
    ...(hasEidolon === true ? [at(join(workspace, '.eidolon', 'config.json'), 'configuration')] : []),
    ...(hasServers ? [at(servers, 'servers')] : []),
    ...programs.map((file) => at(file, 'tool')),
    ...[...tools.flat(), ...extensions, ...eidolon.flat(), ...skills.flat(), ...(git ?? [])],
  ];
  // A file that is found twice is of the kind that comes first.
  const byPath = new Map(found.toReversed().map((part) => [part.path, part]));
  const parts = [...byPath.values()].sort((left, right) => (left.path < right.path ? -1 : 1));
  return { parts, isRepository: git !== undefined };
}

/** The files below a directory of agents or commands of the user, found in the same way; their paths are relative to it. */
export async function listExtensionFiles(
  directory: string,
  platform: ConfigPlaces['platform'],
  ports: PartPorts,
): Promise<readonly Pick<FoundPart, 'path' | 'file'>[]> {
  return listParts(directory, 'extension', MAX_DEPTH - 1, { workspace: directory, platform }, ports);
}

/** The directory that the paths of parts are relative to. */
type PathPlaces = Pick<PartPlaces, 'workspace' | 'platform'>;

function partAt(file: string, kind: PartKind, { workspace, platform }: PathPlaces, ports: PartPorts): FoundPart {
  const { relative, sep } = pathOf(platform);
  const path = relative(workspace, file).split(sep).join('/');
  return { path, file, kind, digest: () => digestOf(file, ports) };
}

/** The digest of a file; `undefined` if it cannot be read or is too large. */
async function digestOf(file: string, { fileSystem, digest }: PartPorts): Promise<Digest | undefined> {
  const read = await unlessFileError(fileSystem.readFile(file, MAX_BYTES));
  return read === undefined || read.size > MAX_BYTES ? undefined : digest(read.bytes);
}

async function listParts(
  directory: string,
  kind: PartKind,
  depth: number,
  places: PathPlaces,
  ports: PartPorts,
  budget = { left: MAX_PARTS },
): Promise<readonly FoundPart[]> {
  const entries = await unlessFileError(ports.fileSystem.list(directory, MAX_ENTRIES + 1));
  if (entries === undefined) return [];
  budget.left -= entries.length;
  if (entries.length > MAX_ENTRIES || budget.left < 0)
    return [unreadable(partAt(directory, kind, places, ports), TOO_MANY)];
  const parts = entries.map(async (entry): Promise<readonly FoundPart[]> => {
    const file = pathOf(places.platform).join(directory, entry.name);
    if (entry.kind === 'link') return (await isFile(file, ports)) ? [partAt(file, kind, places, ports)] : [];
    if (entry.kind === 'file') return [partAt(file, kind, places, ports)];
    if (entry.kind !== 'directory' || kind === 'tool') return [];
    return depth > 1
      ? listParts(file, kind, depth - 1, places, ports, budget)
      : [unreadable(partAt(file, kind, places, ports), TOO_DEEP)];
  });
  return (await Promise.all(parts)).flat();
}

/** The files that describe skills in a directory of skills; the model gets a part of them with each request. */
async function skillParts(directory: string, places: PathPlaces, ports: PartPorts): Promise<readonly FoundPart[]> {
  const { join } = pathOf(places.platform);
  const entries = await unlessFileError(ports.fileSystem.list(directory, MAX_ENTRIES));
  const files = (entries ?? []).map(async ({ name, kind }): Promise<readonly FoundPart[]> => {
    const file = join(directory, name, SKILL_FILE);
    return kind !== 'file' && (await isFile(file, ports)) ? [partAt(file, 'extension', places, ports)] : [];
  });
  return (await Promise.all(files)).flat();
}

const UNKNOWN_SETTINGS = 'has settings of git that cannot be read, or too many of them';
const TOO_MANY = `has more than ${MAX_ENTRIES} entries, or the directories together more than ${MAX_PARTS}`;
const TOO_DEEP = `is more than ${MAX_DEPTH} directories deep`;

function unreadable(part: FoundPart, problem: string): FoundPart {
  return { ...part, problem, digest: async () => undefined };
}

/**
 * The settings of the repository of the workspace that may start programs, or nothing if it has none; `undefined` without a
 * repository.
 */
async function gitParts(places: PartPlaces, ports: PartPorts): Promise<readonly FoundPart[] | undefined> {
  const found = await findRepositorySettings(places.workspace, places.platform, ports.fileSystem);
  if (found === undefined) return undefined;
  if (found.files === undefined) return [unreadable(partAt(found.entry, 'git', places, ports), UNKNOWN_SETTINGS)];
  return found.files.flatMap(({ file, settings, isKnown }) => {
    const part = partAt(file, 'git', places, ports);
    if (!isKnown) return [unreadable(part, UNKNOWN_SETTINGS)];
    const digest = async () => ports.digest(new TextEncoder().encode(settings.join('\n')));
    return settings.length === 0 ? [] : [{ ...part, settings, digest }];
  });
}

/** True for a link to a file. Any other one has no effect, and is a new part when it leads to a file one day. */
async function isFile(path: string, { fileSystem }: PartPorts): Promise<boolean> {
  return (await unlessFileError(fileSystem.stat(path)))?.kind === 'file';
}
