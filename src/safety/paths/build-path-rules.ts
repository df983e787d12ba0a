import { type PathPlatform, type PathRules, pathFlavour } from './path-policy.ts';

/** The part of the configuration that says where the agent may go, as the user wrote it. */
export interface PathSettings {
  /** Real path. */
  readonly workspace: string;
  /** Real path of the user's home directory. */
  readonly home: string;
  readonly platform: PathPlatform;
  /** `safety.sandbox_allowed_paths`: relative to the workspace or absolute, `~` for the home directory. */
  readonly allowedPaths: readonly string[];
  /** `safety.sandbox_blocked_paths`, written in the same way. */
  readonly blockedPaths: readonly string[];
  /** Absolute paths. */
  readonly readOnlyRoots: readonly string[];
}

/**
 * Turns settings into rules. `realPathOf` finds the real path of an absolute path, whose last parts may be missing; when
 * it rejects for an allowed or read-only path, so does this. A blocked path is blocked as written and as it really is.
 */
export async function buildPathRules(
  settings: PathSettings,
  realPathOf: (absolutePath: string) => Promise<string>,
): Promise<PathRules> {
  const { workspace, home, platform } = settings;
  const allowed = settings.allowedPaths.map((written) => expandPath(written, settings));
  const blocked = settings.blockedPaths.map((written) => expandPath(written, settings));
  const reallyBlocked = await Promise.all(blocked.map((written) => realPathOf(written).catch(() => written)));
  return {
    workspace,
    home,
    platform,
    allowedRoots: unique(await Promise.all(allowed.map(realPathOf))),
    readOnlyRoots: unique(await Promise.all(settings.readOnlyRoots.map(realPathOf))),
    blockedPaths: unique([...blocked, ...reallyBlocked]),
  };
}

/** The absolute path of what was written: a leading `~` is the home directory, a relative path starts in the workspace. */
export function expandPath(
  written: string,
  rules: Pick<PathRules, 'workspace' | 'platform'> & { readonly home?: string | undefined },
): string {
  const { workspace, platform, home } = rules;
  const flavour = pathFlavour(platform);
  const tilde = platform === 'windows' ? /^~(?=$|[\\/])/ : /^~(?=$|\/)/;
  const expanded = home === undefined ? written : written.replace(tilde, () => home);
  return flavour.resolve(workspace, expanded);
}

function unique(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)];
}
