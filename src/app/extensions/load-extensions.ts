import { UsageError } from '../../agent/errors.ts';
import type { ComputeDigest, Digest } from '../../agent/ports/digest.ts';
import type { FileSystem } from '../../agent/ports/file-system.ts';
import { type ConfigPlaces, configDirectory, pathOf, placesOfUser } from '../../config/places.ts';
import { listExtensionFiles } from '../../config/trust/project-parts.ts';
import type { ProjectTrust } from '../../config/trust/project-trust.ts';
import { escapeLine } from '../../text/escape.ts';
import { type AgentDefinition, readAgent } from './agent-file.ts';
import { commandName, type MarkdownCommand, readCommand } from './command-file.ts';
import type { Extensions } from './extensions.ts';
import { readTextFile } from './frontmatter.ts';
import { SHIPPED_COMMANDS } from './shipped-commands.ts';

/**
 * Places of the files, and the files of the project with the digests that the user trusts, by relative path; `all` trusts
 * whatever is there.
 */
export interface ExtensionPlaces extends ConfigPlaces {
  /** Real path. */
  readonly workspace: string;
  readonly trusted: ReadonlyMap<string, Digest> | 'all';
}

/** Ports of the reading of the files. */
export interface ExtensionPorts {
  readonly fileSystem: Pick<FileSystem, 'list' | 'readFile' | 'realPath' | 'stat'>;
  readonly digest: ComputeDigest;
}

/** The machine, as far as the places of the user depend on it. */
interface ExtensionMachine extends ExtensionPorts {
  readonly platform: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The agents and commands of a session; see `loadExtensions`. */
export async function findExtensions(
  { workspace, trust }: { readonly workspace: string; readonly trust: ExtensionTrust },
  machine: ExtensionMachine,
): Promise<Extensions> {
  const found = await loadExtensions({ ...placesOfUser(machine), workspace, trusted: trust.extensions }, machine);
  const waiting = waitingPaths(trust);
  const unusedCommands = new Map([...waitingCommands(waiting), ...found.unusedCommands]);
  return { ...found, unusedCommands, problems: [...describeWaiting(waiting), ...found.problems] };
}

/** The trust in the project, as far as its agents and commands depend on it. */
type ExtensionTrust = Pick<ProjectTrust, 'extensions' | 'verdict' | 'parts'>;

/** The number of files without trust that are named. */
const MAX_NAMED = 5;

/** The files that wait for trust. */
function waitingPaths({ verdict, parts }: ExtensionTrust): readonly string[] {
  if (verdict.type === 'trusted') return [];
  return parts.flatMap(({ kind, path }) => (kind === 'extension' ? [path] : []));
}

function waitingCommands(paths: readonly string[]): readonly (readonly [name: string, reason: string])[] {
  return paths.flatMap((path) => {
    const [, relative] = /^[^/]+\/commands\/(.+\.md)$/u.exec(path) ?? [];
    const reason = `${escapeLine(path)}: the project is not trusted. Look at the file, then run: ybs trust`;
    return relative === undefined ? [] : [[commandName(relative), reason]];
  });
}

/** One line about the files that wait for trust, if there are any. */
function describeWaiting(paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : '';
  const names = `${paths.slice(0, MAX_NAMED).map(escapeLine).join(', ')}${more}`;
  return [`Not used, because the project is not trusted: ${names}. Look at them, then run: ybs trust`];
}

/** A Markdown file in a directory of agents or commands. */
interface FoundFile {
  /** Path below the directory, with `/`. */
  readonly relative: string;
  readonly file: string;
  /** The content that the user trusts; absent for a file of the user, and where any content is trusted. */
  readonly digest?: Digest;
  /** Path for people. */
  readonly path: string;
}

/** The maximum size of one file, in bytes. */
const MAX_BYTES = 64 * 1024;

/** The directories of a project, the preferred one first. */
const PROJECT_DIRECTORIES = ['.ybs', '.eidolon'] as const;

/**
 * Reads the agents and commands of the user and those of the project, as far as the user trusts exactly their content.
 * The project wins over the user, and `.ybs` over `.eidolon`. A file that cannot be used becomes a problem.
 */
export async function loadExtensions(places: ExtensionPlaces, ports: ExtensionPorts): Promise<Extensions> {
  const problems: string[] = [];
  const unusedCommands = new Map<string, string>();
  const readAll = async <Item extends { readonly name: string }>(
    kind: 'agents' | 'commands',
    shipped: readonly Item[],
    read: (found: FoundFile, text: string) => Item,
  ): Promise<readonly Item[]> => {
    const files = [...(await projectFiles(kind, places, ports)), ...(await userFiles(kind, places, ports))];
    const items = new Map<string, Item>();
    for (const found of files) {
      try {
        const item = read(found, await readText(found, ports));
        if (!items.has(item.name)) items.set(item.name, item);
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        const problem = escapeLine(`${found.path}: ${error.message}`);
        problems.push(problem);
        if (kind === 'commands') unusedCommands.set(commandName(found.relative), problem);
      }
    }
    for (const item of shipped) if (!items.has(item.name)) items.set(item.name, item);
    return [...items.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
  };
  const fileName = ({ relative }: FoundFile): string => relative.replace(/\.md$/u, '');
  const agents = await readAll<AgentDefinition>('agents', [], (found, text) =>
    readAgent(fileName(found), escapeLine(found.path), text),
  );
  const commands = await readAll<MarkdownCommand>('commands', SHIPPED_COMMANDS, (found, text) =>
    readCommand(found.relative, escapeLine(found.path), text),
  );
  return { agents, commands, unusedCommands, problems };
}

/** The files of the project. Trust in contents lists the files that it covers; otherwise they are searched. */
async function projectFiles(
  kind: 'agents' | 'commands',
  { trusted, workspace, platform }: ExtensionPlaces,
  ports: ExtensionPorts,
): Promise<readonly FoundFile[]> {
  const { join } = pathOf(platform);
  const found = PROJECT_DIRECTORIES.map(async (directory) => {
    const start = `${directory}/${kind}/`;
    const listed = trusted === 'all' ? await listExtensionFiles(join(workspace, directory, kind), platform, ports) : [];
    const files = trusted === 'all' ? listed.map(({ path }) => [start + path, undefined] as const) : trusted;
    return [...files].flatMap(([path, digest]): readonly FoundFile[] => {
      const relative = path.slice(start.length);
      if (!path.startsWith(start) || !path.endsWith('.md') || !isInPlace(kind, relative)) return [];
      return [{ relative, file: join(workspace, ...path.split('/')), ...(digest !== undefined && { digest }), path }];
    });
  });
  return (await Promise.all(found)).flat();
}

async function userFiles(
  kind: 'agents' | 'commands',
  places: ExtensionPlaces,
  ports: ExtensionPorts,
): Promise<readonly FoundFile[]> {
  const { join } = pathOf(places.platform);
  const directories = [configDirectory(places), join(places.home, '.eidolon')].map((base) => join(base, kind));
  const found = directories.map(async (directory) => {
    const files = await listExtensionFiles(directory, places.platform, ports);
    return files
      .filter(({ path }) => path.endsWith('.md') && isInPlace(kind, path))
      .map(({ path, file }) => ({ relative: path, file, path: file }));
  });
  return (await Promise.all(found)).flat();
}

/** Agents are not searched in subdirectories. */
function isInPlace(kind: 'agents' | 'commands', relative: string): boolean {
  return kind === 'commands' || !relative.includes('/');
}

/** Throws `UsageError`. */
function readText({ file, digest }: FoundFile, ports: ExtensionPorts): Promise<string> {
  return readTextFile(file, MAX_BYTES, ports, 'follow', (bytes) => {
    if (digest !== undefined && ports.digest(bytes) !== digest)
      throw new UsageError('it has changed since you trusted the project. Look at it, then run: ybs trust');
  });
}
