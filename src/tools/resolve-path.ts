import path from 'node:path';
import { FileSystemError, ToolError } from '../core/errors.ts';
import type { FileSystem } from '../ports/file-system.ts';
import type { PathUse } from '../ports/tool.ts';
import { classifyPath, type PathRules } from '../safety/path-policy.ts';

/** A path from the model, made safe to use. */
export interface ResolvedPath {
  readonly use: PathUse;
  /** Real path; its last parts need not exist yet. */
  readonly realPath: string;
  readonly exists: boolean;
  /** How the path is called in texts: relative to the workspace where it lies in it, always with `/`. */
  readonly display: string;
}

/**
 * Finds the real path behind what the model wrote and checks it against the rules: the deepest ancestor that exists
 * has its links resolved, the rest must be plain names. Throws `ToolError` (`invalid_arguments`,
 * `path_outside_workspace`, `path_blocked`).
 */
export async function resolvePath(
  given: string,
  access: 'read' | 'write',
  ports: { readonly fileSystem: FileSystem; readonly pathRules: PathRules },
): Promise<ResolvedPath> {
  const { fileSystem, pathRules } = ports;
  const flavour = pathRules.platform === 'windows' ? path.win32 : path.posix;
  const absolute = flavour.resolve(pathRules.workspace, given);
  const missing: string[] = [];
  let ancestor = absolute;
  let real: string | undefined;
  while (real === undefined) {
    try {
      real = await fileSystem.realPath(ancestor);
    } catch (error) {
      if (!(error instanceof FileSystemError) || error.code !== 'not_found') throw error;
      missing.unshift(flavour.basename(ancestor));
      ancestor = flavour.dirname(ancestor);
    }
  }
  const realPath = flavour.join(real, ...missing);
  const verdict = classifyPath(realPath, access, pathRules);
  if (verdict.type === 'outside') {
    throw new ToolError('path_outside_workspace', `${given} is outside the workspace. Use a path inside it.`);
  }
  if (verdict.type === 'blocked') {
    throw new ToolError('path_blocked', `${given} is blocked by the rule ${verdict.rule}.`);
  }
  const relative = flavour.relative(pathRules.workspace, realPath);
  const display = relative === '' ? '.' : relative.startsWith('..') ? realPath : relative;
  return {
    use: { given, realPath, access },
    realPath,
    exists: missing.length === 0,
    display: display.replaceAll(flavour.sep, '/'),
  };
}
