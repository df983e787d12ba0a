import { minimatch } from 'minimatch';
import { ToolError } from '../../agent/errors.ts';
import type { FileSystem } from '../../agent/ports/file-system.ts';
import type { PathUse } from '../../agent/ports/tool.ts';
import { placesOf } from '../../policy/decision-input.ts';
import { type PathRules, pathFlavour } from '../../policy/paths/path-policy.ts';
import type { Places } from '../../policy/shell/directories.ts';
import { removalsIn } from '../../policy/shell/shell-policy.ts';

/** A command that removes files in more directories than these is refused, so that it cannot keep the disk busy. */
const MAX_REMOVED_DIRECTORIES = 256;

/** A pattern that a directory with more entries has to be compared with is refused. */
const MAX_ENTRIES = 10_000;

interface RemovalPorts {
  readonly fileSystem: FileSystem;
  readonly pathRules: PathRules;
}

/**
 * The links in the paths of the files that a command removes. Throws `ToolError` (`invalid_arguments`) if it removes
 * files in too many directories.
 */
export async function resolveRemovedLinks(
  command: string,
  workingDirectory: string,
  ports: RemovalPorts,
): Promise<{ readonly links?: readonly PathUse[] }> {
  const links = await resolveLinks(command, workingDirectory, ports);
  if (links === undefined) throw new ToolError('invalid_arguments', TOO_MANY_DIRECTORIES);
  return links.length === 0 ? {} : { links };
}

const TOO_MANY_DIRECTORIES = `The command removes files in more than ${MAX_REMOVED_DIRECTORIES} directories. Split it into several commands.`;

/**
 * The places for a command of the user, with the links in the paths of the files that it removes, unless there are too
 * many.
 */
export async function linkedPlaces(command: string, workingDirectory: string, ports: RemovalPorts): Promise<Places> {
  return placesOf(ports.pathRules, workingDirectory, await resolveLinks(command, workingDirectory, ports));
}

/** The links in the paths of the files that a command removes, each with its real path. `undefined`: too many. */
async function resolveLinks(
  command: string,
  workingDirectory: string,
  { fileSystem, pathRules }: RemovalPorts,
): Promise<readonly PathUse[] | undefined> {
  const { parse, join, dirname } = pathFlavour(pathRules.platform);
  const { paths: removed, globs } = removalsIn(command, placesOf(pathRules, workingDirectory));
  // Files in one directory have the same links on their way, except for the last name.
  const named = new Set(removed.map((path) => (/[\\/]\.{0,2}$/.test(path) ? path : `${dirname(path)}/`)));
  if (named.size + globs.length > MAX_REMOVED_DIRECTORIES) return undefined;
  for (const { directory, glob } of globs) {
    const place = await fileSystem.realPath(directory).catch(() => undefined);
    const entries = place === undefined ? [] : await fileSystem.list(place, MAX_ENTRIES).catch(() => []);
    if (entries.length >= MAX_ENTRIES) return undefined;
    for (const { name, kind } of entries) {
      if (place !== undefined && kind === 'link' && minimatch(name, glob)) named.add(`${join(place, name)}/`);
    }
  }
  const known = new Map<string, string | undefined>();
  for (const path of named) {
    const { root } = parse(path);
    let place = root;
    for (const name of path.slice(root.length).split(/[\\/]/)) {
      const requested = name === '..' ? dirname(place) : join(place, name);
      if (!known.has(requested)) {
        known.set(requested, await fileSystem.realPath(requested).catch(() => undefined));
      }
      const realPath = known.get(requested);
      if (realPath === undefined) break;
      place = realPath;
    }
  }
  return [...known].flatMap(([requested, realPath]) =>
    realPath === undefined || realPath === requested ? [] : [{ requested, realPath, access: 'read' as const }],
  );
}
