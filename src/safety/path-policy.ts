/** Where the agent may go. Every path here is a real path: absolute, links resolved, no trailing separator. */
export interface PathRules {
  /** The directory that relative paths start from; also the first allowed root. */
  readonly workspace: string;
  /** Directories that may be read and written, the workspace among them. */
  readonly allowedRoots: readonly string[];
  /** Directories that may only be read, such as this session's output directory. */
  readonly readOnlyRoots: readonly string[];
  /** Files and directories that may never be touched, even inside an allowed root. */
  readonly blockedPaths: readonly string[];
  readonly platform: 'posix' | 'windows';
}

/** `inside`: the rules allow it. `rule` names what refused it. */
export type PathVerdict =
  | { readonly type: 'inside' }
  | { readonly type: 'outside'; readonly rule: string }
  | { readonly type: 'blocked'; readonly rule: string };

/** Judges a real path. Pure; compares whole path segments, so `/work/app` does not contain `/work/app-secrets`. */
export function classifyPath(realPath: string, access: 'read' | 'write', rules: PathRules): PathVerdict {
  const blocked = rules.blockedPaths.find((root) => isBeneath(realPath, root, rules.platform));
  if (blocked !== undefined) return { type: 'blocked', rule: `safety.sandbox_blocked_paths: ${blocked}` };
  const roots = access === 'read' ? [...rules.allowedRoots, ...rules.readOnlyRoots] : rules.allowedRoots;
  if (roots.some((root) => isBeneath(realPath, root, rules.platform))) return { type: 'inside' };
  return { type: 'outside', rule: 'safety.sandbox_allowed_paths' };
}

function isBeneath(path: string, root: string, platform: PathRules['platform']): boolean {
  const separator = platform === 'windows' ? '\\' : '/';
  return path === root || path.startsWith(root.endsWith(separator) ? root : root + separator);
}
