import { contains } from './paths/path-policy.ts';

const WAYS = {
  posix: { separator: ':', absolute: /^\//, platform: 'posix' },
  windows: { separator: ';', absolute: /^[a-z]:[\\/]|^\\\\/i, platform: 'windows' },
} as const;

/**
 * A value of `PATH` without the directories that a project controls: those that depend on the current directory, and those
 * in `workspace`. Otherwise, a file of the project could take the place of `ls`. Pure.
 */
export function trustedSearchPath(value: string, way: keyof typeof WAYS, workspace: string | undefined): string {
  const { separator, absolute, platform } = WAYS[way];
  return value
    .split(separator)
    .filter((entry) => absolute.test(entry) && (workspace === undefined || !isInside(entry, workspace, platform)))
    .join(separator);
}

/** True for a directory in the workspace, and for one whose name with `.` or `..` only its disk could resolve. */
function isInside(entry: string, workspace: string, platform: 'posix' | 'windows'): boolean {
  return contains(workspace, entry, platform) || /(?:^|[\\/])\.{1,2}(?:[\\/]|$)/.test(entry);
}
