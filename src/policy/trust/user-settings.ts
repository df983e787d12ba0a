import { unlessFileError } from '../../agent/errors.ts';
import type { FileSystem } from '../../agent/ports/file-system.ts';
import { type PathPlatform, pathFlavour } from '../paths/path-policy.ts';
import { gitSettings } from './git-settings.ts';
import { programSettings } from './trust.ts';

/** The user's home directory is read through this part of the file system. */
export type UserFiles = Pick<FileSystem, 'list' | 'readFile' | 'realPath'>;

/** The files and directories that programs of the user run or follow, whatever project they lie in. */
export interface UserSettings {
  /** Directories of hooks that the user's own settings of git name, absolute or relative to any repository. */
  readonly hooks: readonly string[];
  /** Files that these settings include, as absolute paths. They need not exist. */
  readonly included: readonly string[];
  /** The settings in these files that may start programs. */
  readonly lines: readonly string[];
  /** The targets of the links to settings in the home directory, such as those of a repository with dotfiles. */
  readonly linked: readonly string[];
}

/** The maximum size of one file, in bytes, and the maximum number of files. */
const MAX_BYTES = 1024 * 1024;
const MAX_FILES = 100;

/** The maximum number of entries of a directory that are read. */
const MAX_ENTRIES = 2000;

/**
 * Finds the paths to which the user's own settings of git, and links in the home directory, lead. Variables of
 * `environment` can name other files with such settings, which count as included.
 */
export async function findUserSettings(
  home: string,
  platform: PathPlatform,
  files: UserFiles,
  environment: Readonly<Record<string, string | undefined>> = {},
): Promise<UserSettings> {
  const { dirname, isAbsolute, join, resolve } = pathFlavour(platform);
  const hooks: string[] = [];
  const lines: string[] = [];
  const own = [join(home, '.gitconfig'), join(home, '.config/git/config'), '/etc/gitconfig'];
  /** The real paths of the links with such names in a directory. */
  const linksIn = async (directory: string, form: RegExp): Promise<readonly string[]> => {
    const entries = (await unlessFileError(files.list(directory, MAX_ENTRIES))) ?? [];
    const links = entries.filter(({ kind, name }) => kind === 'link' && form.test(name));
    const targets = links.map(({ name }) => unlessFileError(files.realPath(join(directory, name))));
    return (await Promise.all(targets)).filter((target) => target !== undefined);
  };
  // Included files may include others, which join the list while it is read.
  const { XDG_CONFIG_HOME = '', GIT_CONFIG_GLOBAL = '', GIT_CONFIG_SYSTEM = '' } = environment;
  const moved = [join(XDG_CONFIG_HOME, 'git/config'), GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM];
  const queue = [...own, ...moved.filter((file) => isAbsolute(file) && !own.includes(file))];
  for (const file of queue) {
    const read = await unlessFileError(files.readFile(file, MAX_BYTES));
    const text = new TextDecoder().decode(read?.bytes);
    lines.push(...programSettings(text));
    for (const { name, value: written } of gitSettings(text)) {
      const value = written.replace(/^~(?=\/)/, () => home);
      if (value === '') continue;
      const included = /^include(?:if)?\.path$/.test(name) ? [resolve(dirname(file), value)] : [];
      const template = name === 'init.templatedir' ? [join(value, 'config')] : [];
      queue.push(...[...included, ...template].filter((each) => queue.length < MAX_FILES && !queue.includes(each)));
      if (name === 'core.hookspath') hooks.push(value);
      if (template.length > 0) hooks.push(join(value, 'hooks'));
    }
  }
  const places = await Promise.all([linksIn(home, /^\./), linksIn(join(home, '.config'), /^/)]);
  return { hooks, included: queue.slice(own.length), lines, linked: places.flat() };
}
