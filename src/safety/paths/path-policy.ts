import path from 'node:path';
import { escapeForTerminal } from '../../text/escape.ts';

/** `posix` compares names byte for byte; `darwin` and `windows` take names that differ in case for the same. */
export type PathPlatform = 'posix' | 'darwin' | 'windows';

/** Where the agent may go. Every path here is a real path: absolute, links resolved. */
export interface PathRules {
  /** The directory that relative paths start from. */
  readonly workspace: string;
  /** Directories that may be read and written; usually the workspace is among them. */
  readonly allowedRoots: readonly string[];
  /** Directories that may only be read, such as this session's output directory. */
  readonly readOnlyRoots: readonly string[];
  /** Files and directories that may never be touched, even inside an allowed root. */
  readonly blockedPaths: readonly string[];
  readonly platform: PathPlatform;
  /** What a leading `~` stands for; without it `~` is a name like any other. */
  readonly home?: string;
}

/** `inside`: the rules allow it. `rule` names what refused it. */
export type PathVerdict =
  | { readonly type: 'inside' }
  | { readonly type: 'outside'; readonly rule: string }
  | { readonly type: 'blocked'; readonly rule: string };

/**
 * Judges a real path. Pure; compares whole path segments, so `/work/app` does not contain `/work/app-secrets`. What is
 * not a real path (relative, with `..` in it, a Windows device) is outside.
 */
export function classifyPath(realPath: string, access: 'read' | 'write', rules: PathRules): PathVerdict {
  const { platform } = rules;
  if (splitRealPath(realPath, platform) === undefined) {
    return { type: 'outside', rule: 'only absolute paths without . and .. are judged' };
  }
  const blocked = rules.blockedPaths.find((root) => contains(root, realPath, platform, 'blocked'));
  if (blocked !== undefined) return { type: 'blocked', rule: `safety.sandbox_blocked_paths: ${blocked}` };
  if (rules.allowedRoots.some((root) => contains(root, realPath, platform))) return { type: 'inside' };
  const readOnly = rules.readOnlyRoots.find((root) => contains(root, realPath, platform));
  if (readOnly === undefined) return { type: 'outside', rule: 'safety.sandbox_allowed_paths' };
  return access === 'read' ? { type: 'inside' } : { type: 'outside', rule: `read-only directory: ${readOnly}` };
}

/**
 * True when `realPath` is `root` or lies beneath it, by whole segments. Names compare as the platform compares them;
 * for a `blocked` root they compare without case and Unicode form everywhere, because a disk may do so.
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
  const fold = kind === 'blocked' ? foldWidely : platform === 'posix' ? asWritten : foldCase;
  return parents.every((parent, index) => fold(parent) === fold(segments[index] ?? ''));
}

/**
 * The segments of an absolute path, or nothing for what is not one. On Windows the first segment is the drive or the
 * share (`c:`, `\\server\share`), and the trailing dots and blanks that Windows ignores are gone.
 */
function splitRealPath(realPath: string, platform: PathPlatform): readonly string[] | undefined {
  const segments = platform === 'windows' ? splitWindowsPath(realPath) : splitPosixPath(realPath);
  return segments?.some((segment) => segment === '.' || segment === '..' || segment === '') ? undefined : segments;
}

/**
 * How a real path is called in texts: relative to the workspace where it lies in it, always with `/`. Line breaks and
 * other unseen characters of names are spelled out, so that no name can pass for a line of its own.
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

/** One form for all spellings that some disk takes for the same name. */
export function foldWidely(name: string): string {
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
