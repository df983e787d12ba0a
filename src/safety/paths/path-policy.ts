import path from 'node:path';
import { escapeForTerminal } from '../../text/escape.ts';

/** `posix` compares names byte for byte; `darwin` and `windows` ignore case. */
export type PathPlatform = 'posix' | 'darwin' | 'windows';

/** The paths that the agent may read and write. All are real paths: absolute, with links resolved. */
export interface PathRules {
  /** The directory that relative paths start from. */
  readonly workspace: string;
  /** Directories that may be read and written, usually including the workspace. */
  readonly allowedRoots: readonly string[];
  /** Directories that may only be read, even inside a blocked one, such as this session's output directory. */
  readonly readOnlyRoots: readonly string[];
  /** Files and directories that no tool may touch, even inside an allowed root. */
  readonly blockedPaths: readonly string[];
  /** The directories in which ybs keeps its own files; blocked, too. */
  readonly ownDirectories?: readonly string[];
  readonly platform: PathPlatform;
  /** The directory that a leading `~` stands for. Without it, `~` is an ordinary name. */
  readonly home?: string;
}

/** `inside`: the rules allow the path. `rule` names the rule that refused it. */
export type PathVerdict =
  | { readonly type: 'inside' }
  | { readonly type: 'outside'; readonly rule: string }
  | { readonly type: 'blocked'; readonly rule: string };

/**
 * Checks a real path against the rules. Pure; compares whole path segments, so `/work/app` does not contain
 * `/work/app-secrets`. A path that is not real (relative, with `..`, a Windows device) is outside.
 */
export function classifyPath(realPath: string, access: 'read' | 'write', rules: PathRules): PathVerdict {
  const { platform } = rules;
  if (splitRealPath(realPath, platform) === undefined) {
    return { type: 'outside', rule: 'only absolute paths without . and .. are allowed' };
  }
  const readOnly = rules.readOnlyRoots.find((root) => contains(root, realPath, platform));
  if (readOnly !== undefined) {
    return access === 'read' ? { type: 'inside' } : { type: 'outside', rule: `read-only directory: ${readOnly}` };
  }
  const own = rules.ownDirectories?.find((root) => contains(root, realPath, platform, 'blocked'));
  if (own !== undefined) return { type: 'blocked', rule: `directory of ybs: ${own}` };
  const blocked = rules.blockedPaths.find((root) => contains(root, realPath, platform, 'blocked'));
  if (blocked !== undefined) return { type: 'blocked', rule: `safety.sandbox_blocked_paths: ${blocked}` };
  if (rules.allowedRoots.some((root) => contains(root, realPath, platform))) return { type: 'inside' };
  return { type: 'outside', rule: 'safety.sandbox_allowed_paths' };
}

/**
 * True if `realPath` is `root` or lies beneath it, by whole segments. Names are compared as the platform does; for a
 * `blocked` root, case and Unicode form are ignored on every platform, because a disk may ignore them.
 */
export function contains(
  root: string,
  realPath: string,
  platform: PathPlatform,
  kind?: 'allowed' | 'blocked',
): boolean {
  const parents = splitRealPath(root, platform);
  const segments = splitRealPath(realPath, platform);
  if (parents === undefined || segments === undefined) return false;
  const fold = kind === 'blocked' ? foldName : platform === 'posix' ? asWritten : foldCase;
  return parents.every((parent, index) => fold(parent) === fold(segments[index] ?? ''));
}

/**
 * The segments of an absolute path; `undefined` for any other path. On Windows the first segment is the drive or the
 * share (`c:`, `\\server\share`), and the trailing dots and spaces that Windows ignores are removed.
 */
function splitRealPath(realPath: string, platform: PathPlatform): readonly string[] | undefined {
  const segments = platform === 'windows' ? splitWindowsPath(realPath) : splitPosixPath(realPath);
  return segments?.some((segment) => segment === '.' || segment === '..' || segment === '') ? undefined : segments;
}

/**
 * The path to display for a real path: relative to the workspace if it lies there, always with `/`. Line breaks
 * and other invisible characters are escaped, so that a name never spans several lines.
 */
export function displayPath(realPath: string, rules: Pick<PathRules, 'workspace' | 'platform'>): string {
  const { workspace, platform } = rules;
  const flavour = pathFlavour(platform);
  const shown = contains(workspace, realPath, platform) ? flavour.relative(workspace, realPath) || '.' : realPath;
  return escapeForTerminal(shown.replaceAll(flavour.sep, '/'), { keepNewlines: false });
}

/** Node's path functions for a platform. */
export function pathFlavour(platform: PathPlatform): path.PlatformPath {
  return platform === 'windows' ? path.win32 : path.posix;
}

/** A canonical form of a name: the same for all spellings that any file system treats as one name. */
export function foldName(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

function foldCase(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

function asWritten(name: string): string {
  return name;
}

function splitPosixPath(realPath: string): readonly string[] | undefined {
  return realPath.startsWith('/') ? realPath.split('/').filter((segment) => segment !== '') : undefined;
}

const WINDOWS_ROOT = /^(?:[a-z]:(?=\\)|\\\\(?![.?]\\)[^\\]+\\+[^\\]+)/i;

function splitWindowsPath(realPath: string): readonly string[] | undefined {
  const plain = realPath
    .replaceAll('/', '\\')
    .replace(/^\\\\\?\\UNC\\/i, '\\\\')
    .replace(/^\\\\\?\\/, '');
  const root = WINDOWS_ROOT.exec(plain)?.[0];
  if (root === undefined) return undefined;
  const names = plain
    .slice(root.length)
    .split('\\')
    .filter((segment) => segment !== '');
  return [root.toLowerCase(), ...names.map((name) => name.replace(/[. ]+$/, ''))];
}

/** Directories and files that other programs run or take settings from, at any depth. */
export const GUARDED_NAMES: ReadonlySet<string> = new Set([
  '.git',
  '.vscode',
  '.idea',
  '.husky',
  '.claude',
  '.cursor',
  '.ybs.json',
  '.mcp.json',
  '.gitmodules',
]);

/**
 * True for a real path that can run code or leak keys once it is changed: repository internals and hooks, settings of
 * editors and agents, `.env` files. Every write to it needs an approval, whatever the session rules allow. Only the
 * part beneath the allowed root is checked, so that a workspace inside `.claude/` is usable.
 */
export function isGuardedPath(realPath: string, rules: Pick<PathRules, 'allowedRoots' | 'platform'>): boolean {
  const { allowedRoots, platform } = rules;
  const roots = allowedRoots.filter((root) => contains(root, realPath, platform));
  const below = roots.map((root) => pathFlavour(platform).relative(root, realPath));
  const [shortest = realPath] = below.toSorted((a, b) => a.length - b.length);
  const names = shortest.split(/[\\/]/).map((name) => foldName(name).replace(/[. ]+$/, ''));
  return names.some((name) => GUARDED_NAMES.has(name) || name.startsWith('.env'));
}
