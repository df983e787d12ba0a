import { FileSystemError } from '../../core/errors.ts';
import type { ComputeDigest, Digest } from '../../ports/digest.ts';
import type { FileSystem } from '../../ports/file-system.ts';
import { type PartKind, programSettings } from '../../safety/trust.ts';
import { type ConfigPlaces, pathOf } from '../places.ts';

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
}

/** Where the parts of a project may be. */
export interface PartPlaces extends Pick<ConfigPlaces, 'platform'> {
  /** Real path. */
  readonly workspace: string;
  /** The project has a configuration of its own. */
  readonly hasConfiguration: boolean;
  /** Directories inside the workspace whose files become tools, as absolute paths. */
  readonly toolDirectories: readonly string[];
  /** Programs inside the workspace that its configuration names, as absolute paths. */
  readonly programs: readonly string[];
}

/** Ports for the parts of a project. */
export interface PartPorts {
  readonly fileSystem: Pick<FileSystem, 'list' | 'readFile' | 'realPath' | 'stat'>;
  readonly digest: ComputeDigest;
}

/** The maximum size of one part, in bytes. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The maximum number of entries of one directory. One with more is a single part that cannot be read. */
const MAX_ENTRIES = 500;

/** The levels of directories below `.ybs`. */
const MAX_DEPTH = 4;

/** The parts of a project in the order of their paths, and whether it lies in a repository. */
export interface FoundParts {
  readonly parts: readonly FoundPart[];
  readonly isRepository: boolean;
}

/** Finds the parts of a project. Reads directories and the settings of git, and no other file. */
export async function findParts(places: PartPlaces, ports: PartPorts): Promise<FoundParts> {
  const { workspace, platform, hasConfiguration, toolDirectories, programs } = places;
  const { join } = pathOf(platform);
  const at = (file: string, kind: PartKind): FoundPart => partAt(file, kind, places, ports);
  const [extensions, git, ...tools] = await Promise.all([
    listParts(join(workspace, '.ybs'), 'extension', MAX_DEPTH, places, ports),
    gitParts(places, ports),
    ...toolDirectories.map((directory) => listParts(directory, 'tool', 1, places, ports)),
  ]);
  const found = [
    ...(hasConfiguration ? [at(join(workspace, '.ybs.json'), 'configuration')] : []),
    ...programs.map((file) => at(file, 'tool')),
    ...[...tools.flat(), ...extensions, ...(git ?? [])],
  ];
  // A file that is found twice is of the kind that comes first.
  const byPath = new Map(found.toReversed().map((part) => [part.path, part]));
  const parts = [...byPath.values()].sort((left, right) => (left.path < right.path ? -1 : 1));
  return { parts, isRepository: git !== undefined };
}

function partAt(file: string, kind: PartKind, { workspace, platform }: PartPlaces, ports: PartPorts): FoundPart {
  const { relative, sep } = pathOf(platform);
  const path = relative(workspace, file).split(sep).join('/');
  return { path, file, kind, digest: () => digestOf(file, ports) };
}

/** The digest of a file; `undefined` if it cannot be read or is too large. */
export async function digestOf(file: string, { fileSystem, digest }: PartPorts): Promise<Digest | undefined> {
  const read = await orNothing(fileSystem.readFile(file, MAX_BYTES));
  return read === undefined || read.size > MAX_BYTES ? undefined : digest(read.bytes);
}

async function listParts(
  directory: string,
  kind: PartKind,
  depth: number,
  places: PartPlaces,
  ports: PartPorts,
): Promise<readonly FoundPart[]> {
  const entries = await orNothing(ports.fileSystem.list(directory, MAX_ENTRIES + 1));
  if (entries === undefined) return [];
  if (entries.length > MAX_ENTRIES) return [unreadable(partAt(directory, kind, places, ports))];
  const parts = entries.map(async (entry): Promise<readonly FoundPart[]> => {
    const file = pathOf(places.platform).join(directory, entry.name);
    if (entry.kind === 'link') return (await isFile(file, ports)) ? [partAt(file, kind, places, ports)] : [];
    if (entry.kind === 'file') return [partAt(file, kind, places, ports)];
    if (entry.kind !== 'directory' || kind === 'tool') return [];
    return depth > 1
      ? listParts(file, kind, depth - 1, places, ports)
      : [unreadable(partAt(file, kind, places, ports))];
  });
  return (await Promise.all(parts)).flat();
}

function unreadable(part: FoundPart): FoundPart {
  return { ...part, digest: async () => undefined };
}

/**
 * The settings of the repository of the workspace that may start programs, or nothing if it has none; `undefined` without a
 * repository. A `.git` that is a file and a `commondir` lead to settings elsewhere.
 */
async function gitParts(places: PartPlaces, ports: PartPorts): Promise<readonly FoundPart[] | undefined> {
  const { dirname, join } = pathOf(places.platform);
  for (let at = places.workspace; ; at = dirname(at)) {
    const entry = join(at, '.git');
    if (await exists(entry, ports)) {
      const directory = await namedDirectory(entry, /^gitdir: ([^\r\n]+)/, entry, places, ports);
      const shared = directory && join(directory, 'commondir');
      const common = shared && (await namedDirectory(shared, /^([^\r\n]+)/, directory, places, ports));
      if (directory === undefined || common === undefined) return [unreadable(partAt(entry, 'git', places, ports))];
      const parts = new Map<string, FoundPart>();
      for (const file of [join(common, 'config'), join(directory, 'config.worktree'), join(at, '.gitmodules')])
        await addSettings(file, parts, places, ports);
      return [...parts.values()].filter(({ settings }) => settings?.length !== 0);
    }
    if (dirname(at) === at) return undefined;
  }
}

/** The directory that a file names, or else `otherwise`; `undefined` if links could change what the name means. */
async function namedDirectory(
  file: string,
  form: RegExp,
  otherwise: string,
  { platform }: PartPlaces,
  { fileSystem }: PartPorts,
): Promise<string | undefined> {
  const { dirname, resolve } = pathOf(platform);
  const read = await orNothing(fileSystem.readFile(file, MAX_BYTES));
  const named = form.exec(new TextDecoder().decode(read?.bytes))?.[1];
  if (named !== undefined && leavesName(named)) return undefined;
  const directory = named === undefined ? otherwise : resolve(dirname(file), named);
  return (await orNothing(fileSystem.realPath(directory))) ?? directory;
}

/** Adds the settings of a file of git that may start programs, and those of the files that it includes. */
async function addSettings(
  file: string,
  parts: Map<string, FoundPart>,
  places: PartPlaces,
  ports: PartPorts,
): Promise<void> {
  const { dirname, resolve } = pathOf(places.platform);
  const { fileSystem } = ports;
  if (parts.has(file)) return;
  const found = await orNothing(
    Promise.all([fileSystem.readFile(file, MAX_BYTES), fileSystem.realPath(dirname(file))]),
  );
  if (found === undefined) return;
  const [{ bytes, size }, directory] = found;
  const settings = programSettings(new TextDecoder().decode(bytes));
  const written = settings.flatMap(includedFile);
  const included = written.filter((path) => path !== undefined);
  const isKnown = size <= MAX_BYTES && parts.size < MAX_ENTRIES && included.length === written.length;
  const part = partAt(file, 'git', places, ports);
  const digest = async () => ports.digest(new TextEncoder().encode(settings.join('\n')));
  parts.set(file, isKnown ? { ...part, settings, digest } : unreadable(part));
  if (!isKnown) return;
  for (const path of included) await addSettings(resolve(directory, path), parts, places, ports);
}

/** The file that a setting includes, if it includes one of the project; `undefined` if it cannot be told which. */
function includedFile(setting: string): readonly (string | undefined)[] {
  if (!/^(?:\.\[\s*)?include/i.test(setting)) return [];
  const [, , path] = /^include(?:if)?\.path\s*=\s*("?)([^"\\#;]+)\1$/i.exec(setting) ?? [];
  // A file of the home directory is the user's own.
  return path?.startsWith('~') === true ? [] : [path === undefined || leavesName(path) ? undefined : path];
}

/** True if `..` follows a name, which may be that of a link to somewhere else. */
function leavesName(path: string): boolean {
  const names = path.split(/[\\/]/).filter((name) => name !== '' && name !== '.');
  const first = names.findIndex((name) => name !== '..');
  return first >= 0 && names.includes('..', first);
}

/** True for a link to a file. Any other one has no effect, and is a new part when it leads to a file one day. */
async function isFile(path: string, { fileSystem }: PartPorts): Promise<boolean> {
  return (await orNothing(fileSystem.stat(path)))?.kind === 'file';
}

async function exists(path: string, { fileSystem }: PartPorts): Promise<boolean> {
  return (await orNothing(fileSystem.stat(path))) !== undefined;
}

async function orNothing<Value>(work: Promise<Value>): Promise<Value | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof FileSystemError) return undefined;
    throw error;
  }
}
