import { foldName } from '../../paths/fold-name.ts';
import { type PathPlatform, pathFlavour } from '../../paths/path-policy.ts';
import { normalPath, type Places } from '../directories.ts';

/** A directory that no command removes. */
export interface ProtectedDirectory {
  /** Normalised and folded, for comparisons. */
  readonly path: string;
  readonly name: string;
  /** `kept`: removing everything in it is as bad as removing it. `asked`: only removing its hidden files asks. */
  readonly contents: 'kept' | 'asked' | 'removable';
}

/** The directories that no command removes. */
export interface ProtectedDirectories {
  readonly directories: readonly ProtectedDirectory[];
  /** The directories whose subdirectories are protected, too, whatever their names; not inside the workspace. */
  readonly parents: readonly Omit<ProtectedDirectory, 'name'>[];
  readonly workspace: string;
}

/** Directories of the system that are never removed, nor everything in them. macOS has those of POSIX, too. */
export const SYSTEM_DIRECTORIES: Readonly<Record<PathPlatform, readonly string[]>> = {
  posix: [
    '/bin',
    '/boot',
    '/dev',
    '/etc',
    '/home',
    '/lib',
    '/lib32',
    '/lib64',
    '/libx32',
    '/media',
    '/mnt',
    '/nix',
    '/opt',
    '/proc',
    '/root',
    '/run',
    '/sbin',
    '/snap',
    '/srv',
    '/sys',
    '/usr',
    '/usr/local',
    '/usr/local/bin',
    '/usr/local/include',
    '/usr/local/lib',
    '/usr/local/sbin',
    '/usr/local/share',
    '/var',
  ],
  darwin: ['/Applications', '/Library', '/System', '/Users', '/Volumes', '/private', '/private/etc', '/private/var'],
  windows: ['C:\\Windows', 'C:\\Users', 'C:\\Program Files', 'C:\\Program Files (x86)', 'C:\\ProgramData'],
};

/** Directories of which every subdirectory belongs to the system or to a user, so that none is ever removed. */
export const SYSTEM_PARENTS: Readonly<Record<PathPlatform, readonly string[]>> = {
  posix: [
    '/boot',
    '/etc',
    '/home',
    '/lib',
    '/lib32',
    '/lib64',
    '/libx32',
    '/nix',
    '/usr',
    '/usr/lib',
    '/var',
    '/var/lib',
  ],
  darwin: ['/Library', '/System', '/Users', '/private/etc', '/private/var'],
  windows: ['C:\\Windows', 'C:\\Users'],
};

/** Directories whose contents may be removed, but not the directories themselves. */
export const TEMPORARY_DIRECTORIES: readonly string[] = [
  '/dev/shm',
  '/private/tmp',
  '/private/var/tmp',
  '/tmp',
  '/var/cache',
  '/var/tmp',
];

type Protect = (directory: string, name: string, contents?: ProtectedDirectory['contents']) => ProtectedDirectory;

/** Creates protected directories of a platform. */
function protector(platform: PathPlatform): Protect {
  return (directory, name, contents = 'kept') => ({ path: foldPath(directory, platform), name, contents });
}

/** The directories that no command removes: the workspace, the home directory, their parents, those of the system. */
export function protectedDirectories({ workspace, home, platform }: Places): ProtectedDirectories {
  const protect = protector(platform);
  const own = home === undefined ? [workspace] : [workspace, home];
  SYSTEM[platform] ??= directoriesOfSystem(platform);
  const system = SYSTEM[platform];
  return {
    directories: [
      protect(workspace, 'the workspace', 'asked'),
      ...own.slice(1).map((directory) => protect(directory, 'the home directory')),
      ...own.flatMap((directory) =>
        parentsOf(directory, platform).map((parent) => protect(parent, `${parent}, which contains ${directory}`)),
      ),
      ...system.directories,
    ],
    parents: system.parents,
    workspace: foldPath(workspace, platform),
  };
}

/** The protected directories that are the same for every workspace, once a command has removed something. */
const SYSTEM: { [platform in PathPlatform]?: Omit<ProtectedDirectories, 'workspace'> } = {};

function directoriesOfSystem(platform: PathPlatform): Omit<ProtectedDirectories, 'workspace'> {
  const protect = protector(platform);
  const isMac = platform === 'darwin';
  const system = isMac ? [...SYSTEM_DIRECTORIES.posix, ...SYSTEM_DIRECTORIES.darwin] : SYSTEM_DIRECTORIES[platform];
  const parents = isMac ? [...SYSTEM_PARENTS.posix, ...SYSTEM_PARENTS.darwin] : SYSTEM_PARENTS[platform];
  return {
    directories: [
      ...system.map((directory) => protect(directory, `the system directory ${directory}`)),
      ...TEMPORARY_DIRECTORIES.map((directory) => protect(directory, `the system directory ${directory}`, 'removable')),
    ],
    parents: [
      ...parents.map((parent) => ({ path: foldPath(parent, platform), contents: 'kept' }) as const),
      // A directory of any name at the root belongs to the machine, but a container keeps its data there.
      ...(platform === 'windows' ? [] : [{ path: '/', contents: 'removable' } as const]),
    ],
  };
}

function foldPath(directory: string, platform: PathPlatform): string {
  return foldName(normalPath(directory, platform));
}

function parentsOf(directory: string, platform: PathPlatform): readonly string[] {
  const parent = pathFlavour(platform).dirname(directory);
  return parent === directory ? [] : [parent, ...parentsOf(parent, platform)];
}
