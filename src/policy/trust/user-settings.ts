import { unlessFileError } from '../../agent/errors.ts';
import type { FileSystem } from '../../agent/ports/file-system.ts';
import { type PathPlatform, pathFlavour } from '../paths/path-policy.ts';
import { type GitSetting, gitSettings } from './git-settings.ts';
import { programSettings } from './trust.ts';

/** The user's home directory is read through this part of the file system. */
export type UserFiles = Pick<FileSystem, 'list' | 'readFile' | 'readLink' | 'realPath'>;

/** The files and directories that programs of the user run or follow, whatever project they lie in. */
export interface UserSettings {
  readonly home: string;
  /** Programs and directories of hooks that the user's own settings of git name, absolute or relative to any repository. */
  readonly hooks: readonly string[];
  /** The files with these settings, as absolute paths, with their real paths. They need not exist. */
  readonly included: readonly string[];
  /** The settings in these files that may start programs. */
  readonly lines: readonly string[];
  /**
   * The targets of the links to settings in the home directory, such as those of a repository with dotfiles. They need not
   * exist.
   */
  readonly linked: readonly string[];
}

/** The maximum size of one file, in bytes, and the maximum number of files. */
const MAX_BYTES = 1024 * 1024;
const MAX_FILES = 100;

/** The maximum number of links that lead from one to the next. */
const MAX_HOPS = 40;

/** The maximum number of entries of a directory that are read. */
const MAX_ENTRIES = 2000;

/** Variables with programs that git starts. */
const PROGRAM_VARIABLE =
  /^(?:GIT_(?:SSH|SSH_COMMAND|EDITOR|SEQUENCE_EDITOR|PAGER|ASKPASS|EXTERNAL_DIFF|PROXY_COMMAND)|EDITOR|VISUAL|PAGER|SSH_ASKPASS)$/;

/** The home directory as a shell reads it in a command. */
const HOME = /(?<![\w/~])\\?["']?(?:~|\$HOME|\$\{HOME\})\\?["']?(?=\/)/g;

/**
 * Finds the paths to which the user's own settings of git, and links in the home directory, lead. Variables of
 * `environment` can hold settings, and name other files with them.
 */
export async function findUserSettings(
  home: string,
  platform: PathPlatform,
  files: UserFiles,
  environment: Readonly<Record<string, string | undefined>> = {},
): Promise<UserSettings> {
  const { basename, dirname, isAbsolute, join, resolve } = pathFlavour(platform);
  const hooks: string[] = [];
  const lines: string[] = [];
  /** The path to which a link leads, through `hops` further links, also if nothing is there. */
  const targetOf = async (link: string, hops = MAX_HOPS): Promise<string | undefined> => {
    const real = await unlessFileError(files.realPath(link));
    if (real !== undefined || hops === 0) return real;
    const written = await unlessFileError(files.readLink(link));
    if (written === undefined) return undefined;
    const next = resolve(dirname(link), written);
    const parent = (await unlessFileError(files.realPath(dirname(next)))) ?? dirname(next);
    const target = join(parent, basename(next));
    return (await targetOf(target, hops - 1)) ?? target;
  };
  /** The real paths of the links with such names in a directory. */
  const linksIn = async (directory: string, form: RegExp): Promise<readonly string[]> => {
    const entries = (await unlessFileError(files.list(directory, MAX_ENTRIES))) ?? [];
    const links = entries.filter(({ kind, name }) => kind === 'link' && form.test(name));
    const targets = links.map(({ name }) => targetOf(join(directory, name)));
    return (await Promise.all(targets)).filter((target) => target !== undefined);
  };
  // Included files may include others, which join the list while it is read.
  const { XDG_CONFIG_HOME = '', GIT_CONFIG_GLOBAL = '', GIT_CONFIG_SYSTEM = '' } = environment;
  const queue = [
    ...[join(home, '.gitconfig'), join(home, '.config/git/config'), '/etc/gitconfig'],
    ...[join(XDG_CONFIG_HOME, 'git/config'), GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM].filter((file) => isAbsolute(file)),
  ];
  const addSettings = (settings: readonly GitSetting[], directory: string): void => {
    for (const { name, value: written } of settings) {
      const value = written.replace(/^~([^/]*)(?=\/)/, (_, user) => (user === '' ? home : join(dirname(home), user)));
      if (value === '') continue;
      const included = /^include(?:if)?\.path$/.test(name) ? [resolve(directory, value)] : [];
      const template = name === 'init.templatedir' ? [join(value, 'config')] : [];
      queue.push(...[...included, ...template].filter((each) => queue.length < MAX_FILES && !queue.includes(each)));
      if (name === 'core.hookspath') hooks.push(value);
      if (template.length > 0) hooks.push(join(value, 'hooks'));
    }
  };
  const given = settingsInVariables(environment);
  addSettings(given, home);
  lines.push(...given.map(({ name, value }) => `${name} = ${value}`));
  for (const file of queue) {
    const read = await unlessFileError(files.readFile(file, MAX_BYTES));
    const text = new TextDecoder().decode(read?.bytes);
    lines.push(...programSettings(text));
    addSettings(gitSettings(text), dirname(file));
  }
  for (const [name, value] of Object.entries(environment))
    if (PROGRAM_VARIABLE.test(name)) lines.push(`${name} = ${value}`);
  const included = new Set(queue);
  for (const file of queue) {
    const [directory, target] = await Promise.all([unlessFileError(files.realPath(dirname(file))), targetOf(file)]);
    if (directory !== undefined) included.add(join(directory, basename(file)));
    if (target !== undefined) included.add(target);
  }
  const places = await Promise.all([linksIn(home, /^\./), linksIn(join(home, '.config'), /^/)]);
  const inHome = lines.map((line) => line.replaceAll(HOME, () => home));
  return {
    home,
    hooks: [...hooks, ...programsOf(inHome)],
    included: [...included],
    lines: inHome,
    linked: places.flat(),
  };
}

/** Settings with paths of data. */
const NAMES_DATA = /^[^=]*(?:file|template|path|dir|directory|repo|worktree|url|insteadof)\s*=/i;

/** A path where a command starts, and behind an interpreter. */
const STARTED = /(?:=\s*["']?!?|[;|&(`{]|\b(?:sh|bash|node|python3?|perl|ruby))\s*\\?["']?((?:[\w.-]*\/)+[\w.-]+)/g;

/** The paths that commands in the values of settings start, whether there is such a program or not. */
function programsOf(settings: readonly string[]): readonly string[] {
  return settings
    .filter((setting) => !NAMES_DATA.test(setting))
    .flatMap((setting) => [...setting.matchAll(STARTED)].map(([, program = '']) => program));
}

/** The settings that variables hold: numbered ones, those of `git -c`, and the directory of the template. */
function settingsInVariables(environment: Readonly<Record<string, string | undefined>>): readonly GitSetting[] {
  const { GIT_TEMPLATE_DIR = '', GIT_CONFIG_PARAMETERS = '' } = environment;
  const numbered = Object.entries(environment).flatMap(([variable, name = '']) => {
    const [, index] = /^GIT_CONFIG_KEY_(\d+)$/.exec(variable) ?? [];
    return index === undefined ? [] : [[name, environment[`GIT_CONFIG_VALUE_${index}`] ?? ''] as const];
  });
  const unquoted = [...GIT_CONFIG_PARAMETERS.matchAll(/'((?:[^']|'\\'')*)'(?:='((?:[^']|'\\'')*)')?/g)];
  const given = unquoted.map(([, name = '', value]) => {
    const [key = '', ...rest] = name.split('=');
    return [key, (value ?? rest.join('=')).replaceAll(String.raw`'\''`, "'")] as const;
  });
  return [...numbered, ...given, ['init.templatedir', GIT_TEMPLATE_DIR] as const].map(([name, value]) => ({
    name: name.toLowerCase().replace(/\..*(?=\.)/s, ''),
    value,
  }));
}
