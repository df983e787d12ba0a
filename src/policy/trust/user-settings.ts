import { unlessFileError } from '../../agent/errors.ts';
import type { FileSystem } from '../../agent/ports/file-system.ts';
import { type PathPlatform, pathFlavour } from '../paths/path-policy.ts';
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

/** Settings whose values are files or directories from which git runs programs. */
const NAMES_PATH = /^(include(?:if)?\.path|core\.hookspath|init\.templatedir)\s*=([^#;]*)/i;

/** Finds the paths to which the user's own settings of git, and links in the home directory, lead. */
export async function findUserSettings(home: string, platform: PathPlatform, files: UserFiles): Promise<UserSettings> {
  const { dirname, join, resolve } = pathFlavour(platform);
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
  const queue = [...own];
  for (const file of queue) {
    const read = await unlessFileError(files.readFile(file, MAX_BYTES));
    const settings = programSettings(new TextDecoder().decode(read?.bytes));
    lines.push(...settings);
    for (const setting of settings) {
      const [, name = '', written = ''] = NAMES_PATH.exec(setting) ?? [];
      const value = written
        .replaceAll('"', '')
        .trim()
        .replace(/^~(?=\/)/, () => home);
      if (value === '') continue;
      const included = /^include/i.test(name) ? [resolve(dirname(file), value)] : [];
      const template = /^init/i.test(name) ? [join(value, 'config')] : [];
      queue.push(...[...included, ...template].filter((each) => queue.length < MAX_FILES && !queue.includes(each)));
      if (/^core/i.test(name)) hooks.push(value);
      if (template.length > 0) hooks.push(join(value, 'hooks'));
    }
  }
  const places = await Promise.all([linksIn(home, /^\./), linksIn(join(home, '.config'), /^/)]);
  return { hooks, included: queue.slice(own.length), lines, linked: places.flat() };
}
