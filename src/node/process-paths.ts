import { UsageError } from '../agent/errors.ts';

/**
 * The user's home directory, as `report` returns it. Throws `UsageError` unless it is absolute: a relative path would
 * lead into the project, whose files would then count as the user's own configuration.
 */
export function readHome(report: () => string, isAbsolute: (path: string) => boolean): string {
  const home = attempt(report);
  if (home !== undefined && isAbsolute(home)) return home;
  const found = home === undefined ? 'it is unknown' : `it is ${JSON.stringify(home)}`;
  throw new UsageError(`The home directory must be an absolute path, but ${found}. Set HOME (Windows: USERPROFILE).`);
}

/** The current directory, as `report` returns it. Throws `UsageError` when it has been removed. */
export function readCurrentDirectory(report: () => string): string {
  const directory = attempt(report);
  if (directory !== undefined) return directory;
  throw new UsageError('The current directory has been removed. Change to another directory and start ybs there.');
}

function attempt(report: () => string): string | undefined {
  try {
    return report();
  } catch {
    return undefined;
  }
}
