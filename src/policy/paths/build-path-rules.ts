import { contains, type PathRules } from './path-policy.ts';
import { expandPath } from './written-path.ts';

/** The settings of allowed and blocked paths, as the user wrote them. */
export interface PathSettings extends Omit<PathRules, 'allowedRoots' | 'skillRoots' | 'home'> {
  /** Real path of the user's home directory. */
  readonly home: string;
  /** `safety.sandbox_allowed_paths`: relative or absolute, or with `~`, as all settings here. */
  readonly allowedPaths: readonly string[];
  /** The folders of skills, as real paths. Those in an allowed directory are guarded there. */
  readonly skillRoots?: readonly string[] | undefined;
}

/**
 * Turns settings into rules. `realPathOf` resolves an absolute path, whose last parts may not exist, to its real path.
 * Rejects if it rejects for an allowed or read-only path. A blocked path is blocked both as written and as resolved.
 */
export async function buildPathRules(
  settings: PathSettings,
  realPathOf: (absolutePath: string) => Promise<string>,
): Promise<PathRules> {
  const { workspace, home, platform } = settings;
  const allowed = settings.allowedPaths.map((written) => expandPath(written, settings));
  const blocked = await bothForms(settings.blockedPaths);
  const own = await bothForms(settings.ownDirectories ?? []);
  const allowedRoots = unique(await Promise.all(allowed.map(realPathOf)));
  const { skillRoots = [] } = settings;
  const inAllowed = skillRoots.filter((skill) => allowedRoots.some((root) => contains(root, skill, platform)));
  return {
    workspace,
    home,
    platform,
    allowedRoots,
    readOnlyRoots: unique(await Promise.all(settings.readOnlyRoots.map(realPathOf))),
    blockedPaths: blocked,
    ownDirectories: own,
    guardedPaths: await bothForms([...(settings.guardedPaths ?? []), ...inAllowed]),
    ...(skillRoots.length > inAllowed.length && { skillRoots: skillRoots.filter((root) => !inAllowed.includes(root)) }),
    ...(settings.outside !== undefined && { outside: settings.outside }),
  };

  async function bothForms(paths: readonly string[]): Promise<readonly string[]> {
    const written = paths.map((each) => expandPath(each, settings));
    return unique([...written, ...(await Promise.all(written.map((each) => realPathOf(each).catch(() => each))))]);
  }
}

function unique(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)];
}
