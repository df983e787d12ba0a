import { unlessFileError } from '../../agent/errors.ts';
import type { FileSystem } from '../../agent/ports/file-system.ts';
import type { PathUse } from '../../agent/ports/tool.ts';
import { placesOf } from '../../policy/decision-input.ts';
import { answerFor, type PathRules, pathFlavour } from '../../policy/paths/path-policy.ts';
import { MAX_SEARCHED_DIRECTORIES } from '../../policy/sandbox/workspace-entry.ts';
import { readOnlyUse } from '../../policy/shell/read-only/read-only-command.ts';
import { realPathOf } from '../files/resolve-path.ts';
import { resolveRemovedLinks } from './removed-links.ts';

/** More paths than these are not resolved, so that a long command cannot keep the disk busy: the command asks. */
const MAX_NAMED_PATHS = 64;

/** The reads of a command that certainly only reads. Any other command has `links` alone. */
export interface NamedReads {
  /** The files and directories that it names, by their absolute paths, with their real paths. */
  readonly reads?: readonly PathUse[];
  /** Real paths of the directories of which it reads all files. Absent if something that it reads needs an approval. */
  readonly searched?: readonly string[];
  /** The links on the way to what another command removes. */
  readonly links?: readonly PathUse[];
}

/**
 * Resolves the paths that a command reads. Left out are paths that cannot be resolved, directories with more files than
 * the sandbox looks through for secrets, and directories in place of files: with them, the rules ask. Throws like
 * `resolveRemovedLinks`.
 */
export async function resolveNamedPaths(
  command: string,
  workingDirectory: string,
  { fileSystem, pathRules }: { readonly fileSystem: FileSystem; readonly pathRules: PathRules },
): Promise<NamedReads> {
  const use = readOnlyUse(command, placesOf(pathRules, workingDirectory));
  if (use.type === 'other') return await resolveRemovedLinks(command, workingDirectory, { fileSystem, pathRules });
  const named = [...new Set([...use.directories, ...use.paths])];
  if (named.length > MAX_NAMED_PATHS) return {};
  const reads: PathUse[] = [];
  const searched: string[] = [];
  const budget = { directories: MAX_SEARCHED_DIRECTORIES };
  for (const requested of named) {
    const realPath = await realPathOf(requested, fileSystem, pathRules.platform).catch(() => undefined);
    if (realPath === undefined) continue;
    if (use.files.includes(requested) && (await directoriesIn(realPath, fileSystem)) !== undefined) continue;
    if (use.trees.includes(requested)) {
      if (!(await fits(realPath, budget, { fileSystem, pathRules }))) continue;
      searched.push(realPath);
    }
    reads.push({ requested, realPath, access: 'read' });
  }
  const isFree = reads.every(({ realPath }) => answerFor(realPath, 'read', pathRules) === 'mode');
  return { reads, ...(isFree && reads.length === named.length && { searched }) };
}

/** True if the directories below one are within the budget, from which they are taken. Follows no links. */
async function fits(
  directory: string,
  budget: { directories: number },
  ports: { readonly fileSystem: FileSystem; readonly pathRules: PathRules },
): Promise<boolean> {
  budget.directories -= 1;
  if (budget.directories < 0) return false;
  const { join } = pathFlavour(ports.pathRules.platform);
  for (const name of (await directoriesIn(directory, ports.fileSystem)) ?? []) {
    if (!(await fits(join(directory, name), budget, ports))) return false;
  }
  return true;
}

/** The names of the directories in a directory; `undefined` if it is not a directory or cannot be read. */
async function directoriesIn(directory: string, fileSystem: FileSystem): Promise<readonly string[] | undefined> {
  const entries = await unlessFileError(fileSystem.list(directory));
  return entries?.filter(({ kind }) => kind === 'directory').map(({ name }) => name);
}
