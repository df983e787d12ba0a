import { escapeLine } from '../escape.ts';

/** The path on one line: relative to the workspace, with slashes, or as it is outside the workspace. */
export function pathForPeople(realPath: string, workspace: string): string {
  const rest = realPath.startsWith(workspace) ? realPath.slice(workspace.length) : '';
  const [, separator, inside] = /^([\\/])(.+)$/s.exec(rest) ?? [];
  const shown = separator === undefined ? realPath : (inside ?? '').replaceAll(separator, '/');
  return escapeLine(shown);
}
