import path from 'node:path';
import { escapeLine } from '../../text/escape.ts';
import { foldName, foldSpecial } from './fold-name.ts';
import { specialName } from './name-kind.ts';
import { PROTECTED_IN_HOME, PROTECTED_IN_SYSTEM } from './special-names.ts';

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
  /** The folders of skills outside the allowed directories: they may only be read, except what is blocked in them. */
  readonly skillRoots?: readonly string[];
  /** Files and directories that no tool may touch, even inside an allowed root. */
  readonly blockedPaths: readonly string[];
  /** The directories in which ybs keeps its own files; blocked, too. */
  readonly ownDirectories?: readonly string[];
  /** Files and directories that other programs run, whatever their names. */
  readonly guardedPaths?: readonly string[];
  /** Answer outside the allowed directories. Absent: a read asks, and a write is denied. */
  readonly outside?: Readonly<Record<'read' | 'write', PathAnswer>>;
  readonly platform: PathPlatform;
  /** The directory that a leading `~` stands for. Without it, `~` is an ordinary name. */
  readonly home?: string;
}

/** Answer of a path's class to an access. `mode`: the permission mode decides. `ask`: each time. */
export type PathAnswer = 'mode' | 'ask' | 'deny';

/**
 * `inside`: the rules allow the path. `outside`: it lies in no allowed directory, which is a denial only if the answer is
 * `deny`. `rule` names what refused it.
 */
export type PathVerdict =
  | { readonly type: 'inside' }
  | { readonly type: 'outside'; readonly rule: string; readonly answer: PathAnswer }
  | { readonly type: 'blocked'; readonly rule: string };

/**
 * Checks a real path against the rules. Pure; compares whole path segments, so `/work/app` does not contain
 * `/work/app-secrets`. A path that is not real (relative, with `..`, a Windows device) is blocked.
 */
export function classifyPath(realPath: string, access: 'read' | 'write', rules: PathRules): PathVerdict {
  const refused = findRefusal(realPath, access, rules);
  if (refused?.type === 'blocked' || (refused !== undefined && refused.answer === 'deny')) return refused;
  const found = access === 'write' ? classOfPath(realPath, rules) : classOfPlace(realPath, rules);
  if (found === 'outside' || CLASS_ANSWERS[found][access] !== 'deny') return refused ?? { type: 'inside' };
  return { type: 'blocked', rule: found === 'sensitive' ? 'file with secrets' : 'protected directory' };
}

/** The refusal of a path by the settings of the user, or of one that is not real. */
function findRefusal(
  realPath: string,
  access: 'read' | 'write',
  rules: PathRules,
): Exclude<PathVerdict, { readonly type: 'inside' }> | undefined {
  const { platform } = rules;
  if (splitRealPath(realPath, platform) === undefined) {
    return { type: 'blocked', rule: 'only absolute paths without . and .. are allowed' };
  }
  const readOnly = rules.readOnlyRoots.find((root) => contains(root, realPath, platform));
  if (readOnly !== undefined) {
    return access === 'read'
      ? undefined
      : { type: 'outside', rule: `read-only directory: ${readOnly}`, answer: 'deny' };
  }
  if (skillRootOf(realPath, rules) !== undefined) {
    return access === 'read' ? undefined : { type: 'outside', rule: 'folder of a skill', answer: 'deny' };
  }
  const own = rules.ownDirectories?.find((root) => contains(root, realPath, platform, 'blocked'));
  if (own !== undefined) return { type: 'blocked', rule: `directory of ybs: ${own}` };
  const blocked = rules.blockedPaths.find((root) => contains(root, realPath, platform, 'blocked'));
  if (blocked !== undefined) return { type: 'blocked', rule: `safety.sandbox_blocked_paths: ${blocked}` };
  if (rules.allowedRoots.some((root) => contains(root, realPath, platform))) return undefined;
  const answer = (rules.outside ?? CLASS_ANSWERS.outside)[access];
  return { type: 'outside', rule: 'safety.sandbox_allowed_paths', answer };
}

/** The folder of a skill that contains a path, unless a blocked path in the folder contains it, too. */
function skillRootOf(realPath: string, { skillRoots, blockedPaths, platform }: PathRules): string | undefined {
  const isBlocked = (root: string): boolean =>
    blockedPaths.some((path) => contains(root, path, platform) && contains(path, realPath, platform, 'blocked'));
  return skillRoots?.find((root) => contains(root, realPath, platform) && !isBlocked(root));
}

function isReadOnly(realPath: string, { readOnlyRoots, platform }: PathRules): boolean {
  return readOnlyRoots.some((root) => contains(root, realPath, platform));
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
  return parents.every((parent, index) => {
    const segment = segments[index];
    return segment !== undefined && fold(parent) === fold(segment);
  });
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
  return escapeLine(shown.replaceAll(flavour.sep, '/'));
}

/** Node's path functions for a platform. */
export function pathFlavour(platform: PathPlatform): path.PlatformPath {
  return platform === 'windows' ? path.win32 : path.posix;
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
  return [root, ...names.map((name) => name.replace(/[. ]+$/, ''))];
}

/**
 * The class of a path. `protected`: secrets of the home directory, and directories of the system; `settings`: those of
 * them that may be read. `sensitive`: a file of a project that holds secrets. `executable`: other programs run it or
 * follow it; `sensitive_executable`: both. Only the part beneath the allowed directory counts, so that a
 * workspace inside `.claude/` is usable.
 */
export type PathClass = 'ordinary' | 'outside' | 'protected' | 'settings' | NamedClass;

type NamedClass = 'sensitive' | 'executable' | 'sensitive_executable';

export const CLASS_ANSWERS: Readonly<Record<PathClass, Readonly<Record<'read' | 'write', PathAnswer>>>> = {
  ordinary: { read: 'mode', write: 'mode' },
  outside: { read: 'ask', write: 'deny' },
  protected: { read: 'deny', write: 'deny' },
  settings: { read: 'ask', write: 'deny' },
  sensitive: { read: 'ask', write: 'deny' },
  executable: { read: 'mode', write: 'ask' },
  sensitive_executable: { read: 'ask', write: 'ask' },
};

/** Decision about a read or a write of a real path. Pure. */
export function answerFor(realPath: string, access: 'read' | 'write', rules: PathRules): PathAnswer {
  const found = classOfPath(realPath, rules);
  if (found !== 'outside' || rules.outside === undefined) return CLASS_ANSWERS[found][access];
  const answer = rules.outside[access];
  // Files that other programs run or follow are guarded everywhere.
  const isGuarded = answer === 'mode' && access === 'write' && classOfName(realPath, rules) === 'executable';
  return isGuarded ? 'ask' : answer;
}

/** The class of a real path. Pure. */
export function classOfPath(realPath: string, rules: PathRules): PathClass {
  const place = classOfPlace(realPath, rules);
  if (place === 'protected' || place === 'settings' || isReadOnly(realPath, rules)) return place;
  const found = classOfName(realPath, rules);
  return place === 'outside' && (found === 'ordinary' || found === 'executable') ? place : found;
}

/**
 * The class of the place of a real path, whatever its names: `ordinary` in an allowed directory. Pure, and cheap enough
 * for every entry of a search.
 */
export function classOfPlace(realPath: string, rules: PathRules): Exclude<PathClass, NamedClass> {
  const refused = findRefusal(realPath, 'read', rules);
  if (refused?.type === 'blocked') return 'protected';
  if (isReadOnly(realPath, rules)) return 'ordinary';
  return protectedClass(realPath, rules) ?? (refused === undefined ? 'ordinary' : 'outside');
}

/** True if a path beneath a real directory may have another place than the directory. Pure. */
export function placesBeneath(directory: string, rules: PathRules): boolean {
  const { platform, home } = rules;
  const flavour = pathFlavour(platform);
  const inHome = home === undefined ? [] : PROTECTED_IN_HOME.map((names) => flavour.join(home, names));
  const roots = [
    ...rules.readOnlyRoots,
    ...(rules.skillRoots ?? []),
    ...rules.blockedPaths,
    ...(rules.ownDirectories ?? []),
    ...inHome,
  ];
  // Directories of the system begin at the root of the disk.
  if (namesOf(directory, platform).length < 2) return true;
  return roots.some(
    (root) => contains(directory, root, platform, 'blocked') && !contains(root, directory, platform, 'blocked'),
  );
}

/** True for a file whose name says that it holds secrets. Cheap enough for every file of a search. */
export function holdsSecrets(realPath: string, rules: PathRules): boolean {
  const found = classOfName(realPath, rules);
  return found === 'sensitive' || found === 'sensitive_executable';
}

const IN_HOME = PROTECTED_IN_HOME.map((path) => path.split('/'));
const IN_SYSTEM = Object.entries(PROTECTED_IN_SYSTEM).map(([path, found]) => [path.split('/'), found] as const);

/** The class of a path that lies in a protected directory. */
function protectedClass(
  realPath: string,
  { allowedRoots, skillRoots = [], platform, home }: PathRules,
): 'protected' | 'settings' | undefined {
  if (home !== undefined && contains(home, realPath, platform)) {
    const below = namesBelow(home, realPath, platform);
    if (IN_HOME.some((path) => startsWith(below, path))) return 'protected';
  }
  const names = namesOf(realPath, platform);
  const [entry, found] = IN_SYSTEM.find(([path]) => startsWith(names, path)) ?? [];
  if (entry === undefined) return undefined;
  // A directory that the user has chosen inside one of the system is usable.
  const isChosen = [...allowedRoots, ...skillRoots].some(
    (root) => contains(root, realPath, platform) && startsWith(namesOf(root, platform), entry),
  );
  return isChosen ? undefined : found;
}

/** The class of a path by its names below the innermost allowed directory, or by all of them. */
function classOfName(realPath: string, { allowedRoots, platform, guardedPaths }: PathRules): PathClass {
  const roots = allowedRoots.filter((root) => contains(root, realPath, platform));
  const [innermost] = roots.toSorted((one, other) => other.length - one.length);
  const found = specialName(
    innermost === undefined ? namesOf(realPath, platform) : namesBelow(innermost, realPath, platform),
  );
  if (found !== undefined) return found;
  const isGuarded = guardedPaths?.some((path) => contains(path, realPath, platform, 'blocked')) === true;
  return isGuarded ? 'executable' : 'ordinary';
}

/** The folded names of a path below a directory that contains it. */
function namesBelow(directory: string, realPath: string, platform: PathPlatform): readonly string[] {
  return namesOf(realPath, platform).slice(namesOf(directory, platform).length);
}

/** The folded names of an absolute path; none of any other path. */
function namesOf(realPath: string, platform: PathPlatform): readonly string[] {
  return (splitRealPath(realPath, platform) ?? []).map(foldSpecial);
}

function startsWith(names: readonly string[], path: readonly string[]): boolean {
  return path.every((part, index) => part === names[index]);
}
