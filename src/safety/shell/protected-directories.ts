import { foldName, type PathPlatform, pathFlavour } from '../paths/path-policy.ts';
import { normalPath, type Places } from './directories.ts';
import { hasUnquotedExpansion, type ShellWord } from './shell-word.ts';

/** A directory that no command removes. */
export interface ProtectedDirectory {
  /** Normalised and folded, for comparisons. */
  readonly path: string;
  readonly name: string;
  /** True if removing everything in it is as bad as removing it. */
  readonly withContents: boolean;
}

/** Directories of the system that are never removed. macOS has those of POSIX, too. */
export const SYSTEM_DIRECTORIES: Readonly<Record<PathPlatform, readonly string[]>> = {
  posix: [
    '/bin',
    '/boot',
    '/dev',
    '/etc',
    '/home',
    '/lib',
    '/lib64',
    '/media',
    '/mnt',
    '/opt',
    '/proc',
    '/root',
    '/run',
    '/sbin',
    '/srv',
    '/sys',
    '/usr',
    '/usr/bin',
    '/usr/include',
    '/usr/lib',
    '/usr/local',
    '/usr/local/bin',
    '/usr/local/lib',
    '/usr/sbin',
    '/usr/share',
    '/var',
    '/var/lib',
  ],
  darwin: ['/Applications', '/Library', '/System', '/Users', '/Volumes', '/private', '/private/etc', '/private/var'],
  windows: ['C:\\Windows', 'C:\\Users', 'C:\\Program Files', 'C:\\Program Files (x86)', 'C:\\ProgramData'],
};

/** Directories whose contents may be removed, but not the directories themselves. */
export const TEMPORARY_DIRECTORIES: readonly string[] = ['/tmp', '/var/tmp', '/private/tmp'];

/** The directories that no command removes: the workspace, the home directory, their parents, those of the system. */
export function protectedDirectories({ workspace, home, platform }: Places): readonly ProtectedDirectory[] {
  const protect = (directory: string, name: string, withContents = true): ProtectedDirectory => ({
    path: foldName(normalPath(directory, platform)),
    name,
    withContents,
  });
  const own = home === undefined ? [workspace] : [workspace, home];
  const system =
    platform === 'darwin' ? [...SYSTEM_DIRECTORIES.posix, ...SYSTEM_DIRECTORIES.darwin] : SYSTEM_DIRECTORIES[platform];
  return [
    protect(workspace, 'the workspace'),
    ...own.slice(1).map((directory) => protect(directory, 'the home directory')),
    ...own.flatMap((directory) =>
      parentsOf(directory, platform).map((parent) => protect(parent, `${parent}, which contains ${directory}`)),
    ),
    ...system.map((directory) => protect(directory, `the system directory ${directory}`)),
    ...TEMPORARY_DIRECTORIES.map((directory) => protect(directory, `the system directory ${directory}`, false)),
  ];
}

function parentsOf(directory: string, platform: PathPlatform): readonly string[] {
  const parent = pathFlavour(platform).dirname(directory);
  return parent === directory ? [] : [parent, ...parentsOf(parent, platform)];
}

/** The protected directory that an absolute word names; `maybe` if that depends on a computed part of the word. */
export function matchProtected(
  target: ShellWord,
  directories: readonly ProtectedDirectory[],
  platform: PathPlatform,
): { readonly match: 'yes' | 'maybe'; readonly directory: ProtectedDirectory } | undefined {
  if (target.static || target.pattern) {
    const named = namesOf(foldName(normalPath(target.text, platform)));
    const patterns = target.pattern ? named.map(patternParts) : undefined;
    const directory = directories.find((candidate) => namesDirectory(named, patterns, candidate));
    return directory && { match: 'yes', directory };
  }
  const directory = directories.find((candidate) => mayName(target, candidate.path, platform));
  return directory && { match: 'maybe', directory };
}

function namesOf(path: string): readonly string[] {
  return path.split(/[\\/]/).filter((name, index) => index === 0 || name !== '');
}

/** True if the path is the directory, or if its patterns name the directory or everything in it. */
function namesDirectory(
  named: readonly string[],
  patterns: readonly (readonly string[])[] | undefined,
  directory: ProtectedDirectory,
): boolean {
  const wanted = namesOf(directory.path);
  const matches = wanted.every((name, index) => {
    if (patterns === undefined) return name === named[index];
    const parts = patterns[index];
    return parts !== undefined && matchesPattern(name, parts);
  });
  if (!matches || named.length === wanted.length) return matches;
  return patterns !== undefined && directory.withContents && named.slice(wanted.length).every(isEverything);
}

/** True for a pattern that matches every name, or every hidden one: `*`, `.*`, `.[!.]*`. */
function isEverything(segment: string): boolean {
  return segment.includes('*') && /^[.*?]+$/.test(segment.replaceAll('[!.]', '').replaceAll('[^.]', ''));
}

/** The characters and bracket expressions of a pattern, in time proportional to its length. */
function patternParts(pattern: string): readonly string[] {
  // No bracket expression begins after the last bracket, so that no search for its end is in vain.
  const end = pattern.lastIndexOf(']') + 1;
  return [...(pattern.slice(0, end).match(/\[[^\]]+\]|./gs) ?? []), ...pattern.slice(end).split('')];
}

/** Matches a name with `*`, `?` and `[…]`, in time proportional to the product of the lengths. */
function matchesPattern(name: string, parts: readonly string[]): boolean {
  let [position, part, star, retry] = [0, 0, -1, 0];
  while (position < name.length) {
    const wanted = parts[part];
    if (wanted === '*') {
      star = part++;
      retry = position;
    } else if (wanted === '?' || wanted === name[position] || (wanted !== undefined && wanted.length > 1)) {
      part++;
      position++;
    } else if (star >= 0) {
      part = star + 1;
      position = ++retry;
    } else {
      return false;
    }
  }
  return parts.slice(part).every((rest) => rest === '*');
}

/** True if some value of the computed part makes the word name the directory. A part with `..` in it is not expected. */
function mayName(word: ShellWord, directory: string, platform: PathPlatform): boolean {
  if (hasUnquotedExpansion(word)) return true;
  const [start, end] = [foldName(word.start), foldName(word.end).replace(/(?:[\\/]\.?)+$/, '')];
  if (/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(end)) return true;
  const { sep } = pathFlavour(platform);
  const cut = Math.max(start.lastIndexOf('/'), start.lastIndexOf(sep)) + 1;
  const parent = cut === 0 ? '' : withSeparator(normalPath(start.slice(0, cut), platform), sep);
  return (
    withSeparator(directory, sep).startsWith(parent + start.slice(cut)) && directory.endsWith(end.replaceAll('/', sep))
  );
}

function withSeparator(directory: string, separator: string): string {
  return directory.endsWith(separator) ? directory : directory + separator;
}
