import { FileSystemError, ToolError } from '../../agent/errors.ts';
import type { FileKind, FileSystem } from '../../agent/ports/file-system.ts';
import { displayPath, type PathRules, pathFlavour } from '../../policy/paths/path-policy.ts';
import type { ResolvedPath } from '../files/resolve-path.ts';
import type { TextSearch } from './text-search.ts';

/** A directory or a file that is searched. */
export interface SearchRoot extends ResolvedPath {
  readonly kind: Exclude<FileKind, 'link'>;
}

/** The ports of the tools that walk and search the workspace. */
export interface SearchPorts {
  readonly fileSystem: FileSystem;
  readonly textSearch: TextSearch;
  readonly pathRules: PathRules;
}

/**
 * Resolves the directory or file that a search starts from. This belongs to the run, because before the approval,
 * nothing may reveal whether a path outside the workspace exists. Throws `ToolError` for a path that does not exist, is unreadable or is in `.git`.
 */
export async function openSearchRoot(
  resolved: ResolvedPath,
  ports: Pick<SearchPorts, 'fileSystem' | 'pathRules'>,
): Promise<SearchRoot> {
  const { requested } = resolved.use;
  if (!resolved.exists) {
    throw new ToolError(
      'not_found',
      `${requested} does not exist. Use list_files with pattern "*" to see what is there.`,
    );
  }
  const names = resolved.realPath.split(pathFlavour(ports.pathRules.platform).sep);
  if (names.some((name) => name.toLowerCase() === '.git')) {
    const text = `${requested} is inside .git, which is never listed or searched. Use git instead: run_shell with git log, git show …`;
    throw new ToolError('path_blocked', text);
  }
  try {
    const { kind } = await ports.fileSystem.stat(resolved.realPath);
    return { ...resolved, kind };
  } catch (error) {
    if (!(error instanceof FileSystemError)) throw error;
    throw new ToolError('io_error', `${requested} cannot be read (${error.code}). Try another path.`, {
      cause: error,
    });
  }
}

export function nameOfRoot({ display }: ResolvedPath): string {
  return display === '.' ? 'the workspace' : display;
}

/** The real path and the display path of a path relative to the root. */
export function resolveBeneath(
  root: SearchRoot,
  relative: string,
  rules: PathRules,
): { readonly realPath: string; readonly display: string } {
  const realPath = pathFlavour(rules.platform).join(root.realPath, relative);
  return { realPath, display: displayPath(realPath, rules) };
}
