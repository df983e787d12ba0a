import { contains } from './paths/path-policy.ts';

const WAYS = {
  posix: { separator: ':', absolute: /^\//, root: /^\/$/ },
  windows: { separator: ';', absolute: /^[a-z]:[\\/]|^\\\\/i, root: /^[a-z]:[\\/]?$/i },
} as const;

/**
 * A value of `PATH` without the directories that a project controls: those that depend on the current directory, and those
 * in `workspace`. Otherwise, a file of the project could take the place of `ls`. A whole disk counts as no workspace: it
 * holds every program. Pure.
 */
export function trustedSearchPath(value: string, way: keyof typeof WAYS, workspace: string | undefined): string {
  const { separator, absolute, root } = WAYS[way];
  const project = workspace === undefined || root.test(workspace) ? undefined : workspace;
  return value
    .split(separator)
    .filter((entry) => absolute.test(entry) && (project === undefined || !isInside(entry, project, way)))
    .join(separator);
}

/** True for a directory in the workspace, and for one whose name with `.` or `..` only its disk could resolve. */
function isInside(entry: string, workspace: string, way: keyof typeof WAYS): boolean {
  return contains(workspace, entry, way) || /(?:^|[\\/])\.{1,2}(?:[\\/]|$)/.test(entry);
}
