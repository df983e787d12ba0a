import type { PermissionMode } from '../agent/ports/approver.ts';
import type { SandboxState } from '../agent/ports/shell.ts';
import type { Assumption, DecisionSettings } from './decision-input.ts';
import { buildPathRules, type PathSettings } from './paths/build-path-rules.ts';
import type { PolicyLimits } from './policy-limits.ts';
import { parseAllowList } from './shell/rules/allowed-commands.ts';
import { parseBlockList } from './shell/shell-policy.ts';
import { findHooks, type RepositoryFiles } from './trust/repository-settings.ts';
import { findUserSettings, type UserFiles } from './trust/user-settings.ts';

/** The settings of the user that decide which calls run. */
export interface SafetySettings {
  readonly permissionMode: PermissionMode;
  /** The user has chosen the mode for this session, not only in the configuration. */
  readonly isModeNamed?: boolean;
  readonly permissionLevels: DecisionSettings['levels'];
  readonly confirmedTools: readonly string[];
  /** See `keptApprovals`. */
  readonly persistApprovals?: boolean | undefined;
  /** Directories that the tools may use besides the workspace. */
  readonly allowedPaths: readonly string[];
  readonly blockedPaths: readonly string[];
  /** False: files outside the workspace and the allowed paths may be changed, too. */
  readonly restrictsToProject?: boolean;
  /** False: what is done outside needs no more approval than inside. */
  readonly asksOutside?: boolean;
  readonly blockedCommands: readonly string[];
  readonly allowedCommands: readonly string[];
  /** False: commands that are not in `allowedCommands` are denied, unless they only read. */
  readonly allowsUnlisted?: boolean;
  /** State of this session. Absent: the workspace is not trusted, and there is no sandbox. */
  readonly assumptions?: readonly Assumption[];
  /** The sandbox of commands. Absent: not known, so that the permission mode alone decides. */
  readonly sandbox?: SandboxState | undefined;
  readonly policy?: PolicyLimits | undefined;
}

/** The permission modes except full access, the strictest one first. */
const STRICT_MODES: readonly PermissionMode[] = ['read-only', 'plan', 'ask', 'accept-edits'];

/** The mode of a session that goes on: that of its last run, if it is stricter, unless the user has chosen the mode. */
export function restoredMode(
  { permissionMode, isModeNamed }: Pick<SafetySettings, 'permissionMode' | 'isModeNamed'>,
  last: PermissionMode | undefined,
): PermissionMode {
  const modes = isModeNamed === true ? [] : [permissionMode, last];
  const [strictest = permissionMode] = STRICT_MODES.filter((mode) => modes.includes(mode));
  return strictest;
}

/** Surroundings in which calls are decided: real paths, the platform, and the directories of ybs. */
export type DecisionPlaces = Pick<
  PathSettings,
  'workspace' | 'home' | 'platform' | 'readOnlyRoots' | 'ownDirectories' | 'skillRoots'
> & { readonly environment?: Readonly<Record<string, string | undefined>> };

/**
 * The rules of a session. A run and `ybs check` both get theirs here, so that they decide alike. `realPathOf` resolves
 * an absolute path, whose last parts may not exist, to its real path; `files` has the settings of the repository.
 * Rejects if `realPathOf` rejects for an allowed path.
 */
export async function buildDecisionSettings(
  settings: SafetySettings,
  { environment, ...places }: DecisionPlaces,
  realPathOf: (absolutePath: string) => Promise<string>,
  files: RepositoryFiles & UserFiles,
): Promise<DecisionSettings> {
  const { blockedPaths, restrictsToProject = true, asksOutside = true, sandbox } = settings;
  const allowedPaths = [places.workspace, ...settings.allowedPaths];
  const { workspace, platform, home } = places;
  const user = await findUserSettings(home, platform, files, environment);
  const guardedPaths = await findHooks(workspace, platform, files, user);
  const read = asksOutside ? 'ask' : 'mode';
  const outside = { read, write: restrictsToProject ? 'deny' : read } as const;
  return {
    assumptions: [...(settings.assumptions ?? []), ...(sandbox?.type === 'on' ? (['sandboxed'] as const) : [])],
    sandbox,
    mode: settings.permissionMode,
    levels: settings.permissionLevels,
    confirmedTools: settings.confirmedTools,
    allowsUnlisted: settings.allowsUnlisted !== false,
    blockList: parseBlockList(settings.blockedCommands),
    allowList: parseAllowList(settings.allowedCommands),
    pathRules: await buildPathRules({ ...places, outside, allowedPaths, blockedPaths, guardedPaths }, realPathOf),
  };
}
