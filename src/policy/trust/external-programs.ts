import type { PermissionMode } from '../../agent/ports/approver.ts';
import { contains, type PathRules } from '../paths/path-policy.ts';

/** An executable that may become a tool. */
export interface ExternalProgram {
  /** The paths by which it was found: the written one, that of the real directory it is listed in, and its own real path. */
  readonly paths: readonly string[];
  /** Permission bits of the directory and of the file. */
  readonly modes: readonly number[];
  /** The directory or the file belongs to another user of the machine. */
  readonly isForeign: boolean;
  /** True if a file of the project names it. */
  readonly namedByProject: boolean;
  /** True if it belongs to a project that the user trusts, and has the content that was trusted. */
  readonly isTrusted: boolean;
}

/**
 * The reason why a program is not started as a tool, not even to ask for its schema; `undefined` if it may be started. Pure.
 * Programs that come with a project, or that the agent's own tools could change, need the user's trust in their content.
 */
export function whyNotStarted(program: ExternalProgram, rules: PathRules): string | undefined {
  const isInside = program.paths.some((path) => isProjectFile(path, rules));
  if (isInside && !program.isTrusted) {
    return 'it is inside the project, and its content is not trusted; see ybs trust, or copy it to ~/.config/ybs/tools';
  }
  if (program.namedByProject && !isInside) {
    return 'a file of the project names it, and a project may only name programs of its own';
  }
  if (program.isForeign) return 'it or its directory belongs to another user; copy it to ~/.config/ybs/tools';
  if (
    rules.platform !== 'windows' &&
    program.modes.some((mode) => (mode & (WRITABLE_BY_ALL | STICKY)) === WRITABLE_BY_ALL)
  ) {
    return 'every user of this machine may change it or its directory; use chmod o-w';
  }
  return undefined;
}

/** The reason why no program of the user's tools is started in a session, not even for its schema. */
export function whyNoneStarts(session: {
  readonly dryRun: boolean;
  readonly mode: PermissionMode;
}): string | undefined {
  if (session.dryRun) return 'a dry run starts no programs, so it was not asked for its schema';
  if (session.mode !== 'read-only') return undefined;
  return 'the permission mode read-only starts no programs, so it was not asked for its schema';
}

const WRITABLE_BY_ALL = 0o002;
/** In a directory with this bit, such as /tmp, users may replace only their own files. */
const STICKY = 0o1000;

/**
 * True for a real path inside the workspace or another directory in which the agent may write. The directories of ybs
 * are not part of a project even if they lie in it, as they do when somebody works in the home directory. A blocked
 * path is, because a project may add to the blocked paths.
 */
function isProjectFile(
  realPath: string,
  { workspace, allowedRoots, ownDirectories = [], platform }: PathRules,
): boolean {
  if (ownDirectories.some((own) => contains(own, realPath, platform))) return false;
  return [workspace, ...allowedRoots].some((root) => contains(root, realPath, platform, 'blocked'));
}
