import { minimatch } from 'minimatch';
import type { FileSystem } from '../../agent/ports/file-system.ts';
import { placesOf } from '../../policy/decision-input.ts';
import { displayPath, type PathRules, pathFlavour } from '../../policy/paths/path-policy.ts';
import { overwrittenIn } from '../../policy/shell/destructive/overwritten-files.ts';

interface OverwritingPorts {
  readonly fileSystem: FileSystem;
  readonly pathRules: PathRules;
  /** Commands run in the sandbox. */
  readonly sandboxed?: boolean;
}

/** The maximum number of files that are checked, so that a long command cannot keep the disk busy. */
const MAX_FILES = 100;
const MAX_SHOWN = 3;

/** The text for names that are unknown before the command runs. */
const COMPUTED = 'files whose names it computes';

/**
 * The files with content of their own that a command would overwrite, for people; none if git has the content of each. In
 * the sandbox, directories for temporary files are new for each command.
 */
export async function findOverwritten(
  command: string,
  workingDirectory: string,
  { fileSystem, pathRules, sandboxed }: OverwritingPorts,
): Promise<readonly string[]> {
  const { files, unknown } = overwrittenIn(command, placesOf(pathRules, workingDirectory));
  const { join, dirname, basename } = pathFlavour(pathRules.platform);
  const existing = new Set<string>();
  const add = async (path: string, inside: readonly string[]): Promise<void> => {
    const realPath = await fileSystem.realPath(path).catch(() => undefined);
    if (
      realPath === undefined ||
      (sandboxed === true && /^\/(?:tmp|var\/tmp|run|dev)\//.test(realPath) && !isOpen(realPath, pathRules))
    )
      return;
    const kind = await fileSystem.stat(realPath).then(
      (stat) => stat.kind,
      () => undefined,
    );
    if (kind === 'file') existing.add(realPath);
    if (kind === 'directory') for (const name of inside) await add(join(realPath, name), []);
  };
  for (const { path, inside } of files.slice(0, MAX_FILES)) {
    const glob = basename(path);
    const entries = /[*?[]/.test(glob) ? await fileSystem.list(dirname(path), MAX_FILES).catch(() => []) : undefined;
    if (entries === undefined) await add(path, inside);
    for (const { name } of entries ?? []) if (minimatch(name, glob)) await add(join(dirname(path), name), []);
  }
  const kept = (await fileSystem.findTracked?.([...existing])) ?? new Set();
  const lost = [...existing].filter((file) => !kept.has(file)).map((file) => displayPath(file, pathRules));
  const isUnclear = unknown === true || files.length > MAX_FILES || files.some(({ path }) => /[*?[].*\//.test(path));
  const shown = lost.length > MAX_SHOWN ? [...lost.slice(0, MAX_SHOWN), `${lost.length - MAX_SHOWN} more`] : lost;
  return [...shown, ...(isUnclear ? [COMPUTED] : [])];
}

/** True for a file in a directory that the user has chosen, such as a workspace below `/tmp`. */
function isOpen(realPath: string, { workspace, allowedRoots }: PathRules): boolean {
  return [workspace, ...allowedRoots].some((root) => realPath.startsWith(`${root}/`));
}
