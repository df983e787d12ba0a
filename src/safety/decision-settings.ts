import type { SandboxState } from '../ports/sandbox.ts';
import type { Assumption, DecisionSettings } from './decide.ts';
import { buildPathRules, type PathSettings } from './paths/build-path-rules.ts';
import { parseAllowList } from './shell/rules/allowed-commands.ts';
import { parseBlockList } from './shell/shell-policy.ts';

/** The settings of the user that decide which calls run. */
export interface SafetySettings {
  readonly permissionMode: DecisionSettings['mode'];
  readonly permissionLevels: DecisionSettings['levels'];
  readonly confirmedTools: readonly string[];
  /** Keep the approvals of a session for the next ones. */
  readonly persistApprovals?: boolean;
  /** Directories that the tools may use besides the workspace. */
  readonly allowedPaths: readonly string[];
  readonly blockedPaths: readonly string[];
  readonly blockedCommands: readonly string[];
  readonly allowedCommands: readonly string[];
  /** What holds in this session. Absent: the workspace is not trusted, and there is no sandbox. */
  readonly assumptions?: readonly Assumption[];
  /** The sandbox of commands. Absent: not known, so that the permission mode alone decides. */
  readonly sandbox?: SandboxState | undefined;
}

/** Where calls are decided: real paths, the platform, and the directories of ybs. */
export type DecisionPlaces = Pick<PathSettings, 'workspace' | 'home' | 'platform' | 'readOnlyRoots' | 'ownDirectories'>;

/**
 * The rules of a session. A run and `ybs check` both get theirs here, so that they decide alike. `realPathOf` resolves
 * an absolute path, whose last parts may not exist, to its real path. Rejects if it rejects for an allowed path.
 */
export async function buildDecisionSettings(
  settings: SafetySettings,
  places: DecisionPlaces,
  realPathOf: (absolutePath: string) => Promise<string>,
): Promise<DecisionSettings> {
  const { allowedPaths, blockedPaths, sandbox } = settings;
  return {
    assumptions: [...(settings.assumptions ?? []), ...(sandbox?.type === 'on' ? (['sandboxed'] as const) : [])],
    sandbox,
    mode: settings.permissionMode,
    levels: settings.permissionLevels,
    confirmedTools: settings.confirmedTools,
    blockList: parseBlockList(settings.blockedCommands),
    allowList: parseAllowList(settings.allowedCommands),
    pathRules: await buildPathRules({ ...places, allowedPaths: ['.', ...allowedPaths], blockedPaths }, realPathOf),
  };
}
