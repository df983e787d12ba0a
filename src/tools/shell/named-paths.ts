import type { FileSystem } from '../../ports/file-system.ts';
import type { PathUse } from '../../ports/tool.ts';
import { placesOf } from '../../safety/decide.ts';
import type { PathRules } from '../../safety/paths/path-policy.ts';
import { readOnlyUse } from '../../safety/shell/read-only/read-only-command.ts';
import { realPathOf } from '../files/resolve-path.ts';

/** More paths than these are not resolved, so that a long command cannot keep the disk busy: the command asks. */
const MAX_NAMED_PATHS = 64;

/**
 * The files and directories that a command names and reads, by their absolute paths, with their real paths. Absent
 * unless it certainly only reads. A path that cannot be resolved is left out.
 */
export async function resolveNamedPaths(
  command: string,
  workingDirectory: string,
  { fileSystem, pathRules }: { readonly fileSystem: FileSystem; readonly pathRules: PathRules },
): Promise<{ readonly reads?: readonly PathUse[] }> {
  const use = readOnlyUse(command, placesOf(pathRules, workingDirectory));
  if (use.type === 'other') return {};
  const named = [...new Set([...use.directories, ...use.paths])];
  if (named.length > MAX_NAMED_PATHS) return {};
  const reads: PathUse[] = [];
  for (const requested of named) {
    const realPath = await realPathOf(requested, fileSystem, pathRules.platform).catch(() => undefined);
    if (realPath !== undefined) reads.push({ requested, realPath, access: 'read' });
  }
  return { reads };
}
