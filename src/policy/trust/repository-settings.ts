import { unlessFileError } from '../../agent/errors.ts';
import type { FileSystem } from '../../agent/ports/file-system.ts';
import { type PathPlatform, pathFlavour } from '../paths/path-policy.ts';
import { gitSettings } from './git-settings.ts';
import { programSettings } from './trust.ts';
import type { UserSettings } from './user-settings.ts';

/** The files of a repository are read through this part of the file system. */
export type RepositoryFiles = Pick<FileSystem, 'readFile' | 'realPath' | 'stat'>;

export interface SettingsFile {
  /** Absolute path. */
  readonly file: string;
  readonly text: string;
  /** The settings in it that may start programs. */
  readonly settings: readonly string[];
  /** False: it is too large, or an included path cannot be determined. */
  readonly isKnown: boolean;
}

/** The settings of a repository, which lies at `directory`. */
export interface RepositorySettings {
  readonly directory: string;
  /** The file or directory `.git` in it. */
  readonly entry: string;
  /** Absent if links could change which files these are. */
  readonly files?: readonly SettingsFile[];
}

/** The maximum size of one file, in bytes. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The maximum length of a path that a system follows, and that of a file which names one. */
const MAX_PATH = 4096;
const MAX_POINTER = 2 * MAX_PATH;

/** The maximum number of files. */
const MAX_FILES = 500;

/** The maximum number of repositories. */
const MAX_REPOSITORIES = 200;

/**
 * Finds the files with settings of the repository in which the workspace lies: the shared ones, those of a worktree, those
 * of submodules, and all that they include. A `.git` that is a file and a `commondir` lead to settings elsewhere.
 * `undefined` without a repository.
 */
export async function findRepositorySettings(
  workspace: string,
  platform: PathPlatform,
  files: RepositoryFiles,
): Promise<RepositorySettings | undefined> {
  const { dirname } = pathFlavour(platform);
  for (let directory = workspace; ; directory = dirname(directory)) {
    const found = await readRepository(directory, platform, files);
    if (found !== undefined || dirname(directory) === directory) return found;
  }
}

/**
 * The directories of hooks that the settings of this repository, of its submodules and of the user name, as absolute paths
 * or with `~`, the files of the project in the commands of these settings, such as `./clean.sh`, and the other files
 * of the project that belong to the settings of the user.
 */
export async function findHooks(
  workspace: string,
  platform: PathPlatform,
  files: RepositoryFiles,
  user: Omit<UserSettings, 'home'> = { hooks: [], included: [], lines: [], linked: [] },
): Promise<readonly string[]> {
  const { join, resolve } = pathFlavour(platform);
  const own = await findRepositorySettings(workspace, platform, files);
  const repositories = own === undefined ? [] : [own];
  const top = own?.directory ?? workspace;
  const hooks: string[] = [
    ...user.hooks.map((path) => resolve(top, path)),
    ...[...user.included, ...user.linked].filter((path) => path.startsWith(join(workspace, '/'))),
  ];
  const addPrograms = async (lines: readonly string[], directory: string): Promise<void> => {
    for (const word of commandWordsOf(lines)) {
      const program = resolve(directory, word);
      const stat = program.startsWith(join(directory, '/')) ? await unlessFileError(files.stat(program)) : undefined;
      if (stat?.kind === 'file') hooks.push(program);
    }
  };
  await addPrograms(user.lines, top);
  // Submodules have submodules of their own, which join the list while it is read.
  for (const { directory, files: settings = [] } of repositories) {
    for (const { file, text, settings: lines } of settings) {
      for (const path of hooksPathsOf(text)) hooks.push(path.startsWith('~') ? path : resolve(directory, path));
      await addPrograms(lines, directory);
      const paths = file === join(directory, '.gitmodules') ? settingValues(text, '.path').filter(leadsDown) : [];
      for (const path of paths.slice(0, MAX_REPOSITORIES - repositories.length)) {
        const submodule = await readRepository(resolve(directory, path), platform, files);
        if (submodule !== undefined) repositories.push(submodule);
      }
    }
  }
  return [...new Set(hooks)];
}

/** The settings of the repository whose `.git` is in this directory; `undefined` if it has none. */
async function readRepository(
  directory: string,
  platform: PathPlatform,
  files: RepositoryFiles,
): Promise<RepositorySettings | undefined> {
  const { join } = pathFlavour(platform);
  const entry = join(directory, '.git');
  if ((await unlessFileError(files.stat(entry))) === undefined) return undefined;
  const own = await namedDirectory(entry, /^gitdir: ([^\r\n]+)/, entry, platform, files);
  const shared = own && (await namedDirectory(join(own, 'commondir'), /^([^\r\n]+)/, own, platform, files));
  if (own === undefined || shared === undefined) return { directory, entry };
  const found = new Map<string, SettingsFile>();
  for (const file of [join(shared, 'config'), join(own, 'config.worktree'), join(directory, '.gitmodules')])
    await addFile(file, found, platform, files);
  return { directory, entry, files: [...found.values()] };
}

/** True for the path of a submodule: one below the directory that it counts from. */
function leadsDown(path: string): boolean {
  return !/^(?:[\\/]|[a-z]:)/i.test(path) && /[^.\\/]/.test(path) && !/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path);
}

/** The directory that a file names, or else `otherwise`; `undefined` if links could change what the name means. */
async function namedDirectory(
  file: string,
  form: RegExp,
  otherwise: string,
  platform: PathPlatform,
  files: RepositoryFiles,
): Promise<string | undefined> {
  const { dirname, resolve } = pathFlavour(platform);
  const read = await unlessFileError(files.readFile(file, MAX_POINTER));
  const named = form.exec(new TextDecoder().decode(read?.bytes))?.[1];
  if (named !== undefined && (named.length >= MAX_PATH || leavesName(named))) return undefined;
  const directory = named === undefined ? otherwise : resolve(dirname(file), named);
  return (await unlessFileError(files.realPath(directory))) ?? directory;
}

/** Adds a file with settings, and those that it includes. */
async function addFile(
  file: string,
  found: Map<string, SettingsFile>,
  platform: PathPlatform,
  files: RepositoryFiles,
): Promise<void> {
  const { dirname, resolve } = pathFlavour(platform);
  if (found.has(file)) return;
  const read = await unlessFileError(Promise.all([files.readFile(file, MAX_BYTES), files.realPath(dirname(file))]));
  if (read === undefined) return;
  const [{ bytes, size }, directory] = read;
  const text = new TextDecoder().decode(bytes);
  const settings = programSettings(text);
  const written = settings.flatMap(includedFile);
  const included = written.filter((path) => path !== undefined);
  const isKnown = size <= MAX_BYTES && found.size < MAX_FILES && included.length === written.length;
  found.set(file, { file, text, settings, isKnown });
  if (!isKnown) return;
  for (const path of included) await addFile(resolve(directory, path), found, platform, files);
}

/** The file that a setting includes, if it includes one of the project; `undefined` if it cannot be determined. */
function includedFile(setting: string): readonly (string | undefined)[] {
  if (!/^(?:\.\[\s*)?include/i.test(setting)) return [];
  const [, path] = /^include(?:if)?\.path = (.+)$/s.exec(setting) ?? [];
  // A file of the home directory is the user's own.
  return path?.startsWith('~') === true ? [] : [path === undefined || leavesName(path) ? undefined : path];
}

/** True if `..` follows a name, which may be that of a link to somewhere else. */
export function leavesName(path: string): boolean {
  const names = path.split(/[\\/]/).filter((name) => name !== '' && name !== '.');
  const first = names.findIndex((name) => name !== '..');
  return first >= 0 && names.includes('..', first);
}

/** The maximum number of words of one file of settings. */
const MAX_WORDS = 200;

/** The words in the values of settings that may start programs, but for those that name data. */
function commandWordsOf(settings: readonly string[]): readonly string[] {
  return settings
    .filter((setting) => !/^[^=]*(?:file|template|path)\s*=/i.test(setting))
    .flatMap((setting) => setting.slice(setting.indexOf('=') + 1).split(/[\s"'`;|&()<>!]+/))
    .filter((word) => /^[^-~$%]/.test(word))
    .slice(0, MAX_WORDS);
}

/**
 * The directories of hooks that the configuration of a repository names (`core.hooksPath`), as written there. Pure.
 * Ignores the sections of the file, so the result may have too many directories, but never too few.
 */
export function hooksPathsOf(gitConfig: string): readonly string[] {
  return settingValues(gitConfig, '.hookspath');
}

function settingValues(text: string, key: string): readonly string[] {
  return gitSettings(text).flatMap(({ name, value }) => (name.endsWith(key) && value !== '' ? [value] : []));
}
