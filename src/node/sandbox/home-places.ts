import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { contains } from '../../policy/paths/path-policy.ts';
import { filesInGitConfig, withoutGitSecrets } from '../../policy/sandbox/home/git-config.ts';
import {
  HOME_TOOLS,
  HOME_VARIABLES,
  placesBesideBin,
  placesInOtherHome,
  placesOfProgram,
} from '../../policy/sandbox/home/home-tools.ts';
import type { SandboxPlaces } from '../../policy/sandbox/mounts.ts';
import { type SandboxRules, secretPlaces } from '../../policy/sandbox/rules.ts';
import { isPlainGitConfig } from '../../policy/sandbox/view.ts';
import { writeOnce } from './attribute-files.ts';
import { secretsInHome } from './home-secrets.ts';
import { attempt, createFileMemory, existingFiles, readSmallFile, realFile } from './real-files.ts';
import { isDirectory } from './view-places.ts';

/** The parts of a hidden home directory that commands need. */
export interface HomePlaces extends Required<Pick<SandboxPlaces, 'visible' | 'placed'>> {
  /** Paths of what is visible, which may lead through links. */
  readonly known: readonly string[];
  /** Directories that are empty for each command, and that it may write. */
  readonly hidden: readonly string[];
  /** Files with secrets in what is visible, where no file can be placed over them. */
  readonly unreadable: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

const NONE: HomePlaces = { visible: [], known: [], placed: [], hidden: [], unreadable: [], variables: {} };

/** More links of one directory than these are not followed. */
const MAX_LINKS = 500;

/** True if commands can do without the home directory: it contains the workspace, and not the other way round. */
export function mayHideHome({ pathRules: { home, workspace, allowedRoots } }: SandboxRules): boolean {
  return home !== undefined && ![workspace, ...allowedRoots].some((root) => contains(root, home, 'posix'));
}

/** The programs in a hidden home directory, what they need there, the settings of git, and what the user names. */
export async function homePlaces(rules: SandboxRules): Promise<HomePlaces> {
  const { home } = rules.pathRules;
  if (home === undefined) return NONE;
  const own = (names: readonly string[] = []): readonly string[] => names.map((name) => path.join(home, name));
  const settings = HOME_TOOLS.flatMap((tool) => own(tool.settings)).filter(isPlainFile);
  const reads = [
    ...HOME_TOOLS.flatMap((tool) => own(tool.reads)),
    ...rules.programDirectories.flatMap((directory) => placesInOtherHome(directory, home)),
  ];
  const writes = existingFiles(HOME_TOOLS.flatMap((tool) => own(tool.writes)));
  const directories = [...rules.programDirectories, ...own(['bin', '.local/bin'])];
  const programs = [...new Set(directories)]
    .filter((each) => path.isAbsolute(each))
    .flatMap((each) => placesOfDirectory(path.normalize(each).replace(/(?<=.)\/$/, ''), home));
  const git = await gitSettings(home, rules);
  const variables = Object.entries(HOME_VARIABLES).flatMap(([name, { place, value }]) => {
    const file = path.join(home, place);
    return existsSync(file) ? [[name, value(file)] as const] : [];
  });
  // All of `.config` is secret but what is named here.
  const secrets = new Set(secretPlaces(rules.pathRules).map((each) => path.resolve(each)));
  for (const each of [path.join(home, '.config'), ...existingFiles([path.join(home, '.config')])]) secrets.delete(each);
  // To compare with each of them would take half of the time that the preparation of a sandbox takes.
  const isSecret = (each: string, parent = path.dirname(each)): boolean =>
    secrets.has(each) || (parent !== each && isSecret(parent));
  // A directory of `PATH` may be the home itself.
  const isShown = (each: string): boolean => !contains(each, home, 'posix') && !isSecret(each);
  const found = [...reads, ...settings, ...programs, ...git.visible]
    .filter(isShown)
    .map((file) => [file, realFile(file)]);
  const visible = [...new Set(found.flatMap(([, real]) => real ?? []))].filter(isShown);
  const known = found.flatMap(([file = '', real = file]) => (file === real ? [] : [file]));
  const inVisible = secretsInHome(visible);
  // A program may not start without its settings, but it does with none in them. macOS has no mounts.
  const isMac = process.platform === 'darwin';
  const empty = isMac || inVisible.length === 0 ? '' : await writeOnce('empty', '', rules);
  return {
    visible: isMac ? [...visible, ...known] : visible,
    known: [...known, ...git.known],
    placed: [...git.placed, ...(isMac ? [] : existingFiles(inVisible).map((file) => ({ path: file, source: empty })))],
    hidden: writes,
    unreadable: isMac ? existingFiles(inVisible) : [],
    variables: Object.fromEntries(variables),
  };
}

/**
 * The homes of other users, which are as private as one's own, unless a link leads to another place. In WSL, also those
 * of Windows, whose links lead to one another.
 */
export function otherHomes(): readonly string[] {
  const homes = ['/home', '/root', '/Users'].filter((directory) => {
    const entries = attempt(() => {
      accessSync(directory, constants.X_OK);
      return readdirSync(directory, { withFileTypes: true });
    });
    return entries?.every((entry) => !entry.isSymbolicLink()) === true;
  });
  return existingFiles([...homes, '/mnt/c/Users']);
}

function isPlainFile(file: string): boolean {
  const text = readSmallFile(file);
  return text !== undefined && isPlainGitConfig(text);
}

/** The places of a directory of `PATH`, until it changes. */
const placesKnown = createFileMemory<readonly string[]>();

/** A directory of `PATH` with the libraries of its programs, also where links lead elsewhere in the home directory. */
function placesOfDirectory(directory: string, home: string): readonly string[] {
  const { known, keep } = placesKnown.look(directory);
  if (known !== undefined) return known;
  if (!existsSync(directory)) return [];
  const real = realFile(directory) ?? directory;
  const isBin = (each: string): boolean => /^s?bin$/.test(path.basename(each));
  const beside = [directory, real].filter(isBin).flatMap((each) => placesBesideBin(path.dirname(each), home));
  const targets = contains(home, real, 'posix')
    ? linksIn(real).filter((target) => contains(home, target, 'posix'))
    : [];
  return keep([directory, ...beside, ...targets.flatMap((target) => placesOfProgram(target, home))]);
}

function linksIn(directory: string): readonly string[] {
  return (attempt(() => readdirSync(directory, { withFileTypes: true })) ?? [])
    .filter((entry) => entry.isSymbolicLink())
    .slice(0, MAX_LINKS)
    .flatMap(({ name }) => realFile(path.join(directory, name)) ?? []);
}

/** The settings of git of the user: as they are, or a copy without secrets, with the files that they name. */
async function gitSettings(
  home: string,
  rules: SandboxRules,
): Promise<Pick<HomePlaces, 'visible' | 'known' | 'placed'>> {
  const visible = ['.config/git/ignore', '.config/git/attributes', '.gitignore_global'].map((name) =>
    path.join(home, name),
  );
  const placed: HomePlaces['placed'][number][] = [];
  const seen = new Set<string>();
  const add = async (file: string): Promise<void> => {
    if (seen.has(file)) return;
    seen.add(file);
    const text = readSmallFile(file);
    if (text === undefined) return;
    const plain = withoutGitSecrets(text);
    // macOS has no mounts.
    if (plain === text) visible.push(file);
    else if (process.platform !== 'darwin')
      placed.push({ path: realFile(file) ?? file, source: await writeCopy(file, plain, rules) });
    for (const written of filesInGitConfig(plain)) {
      const named = path.resolve(path.dirname(file), written.replace(/^~(?=\/)/, home));
      if (!contains(home, named, 'posix')) continue;
      // A file with settings may hold secrets, too.
      if (/^\s*\[/m.test(readSmallFile(named) ?? '')) await add(named);
      else if (isPlainFile(named) || (named !== home && isDirectory(named))) visible.push(named);
    }
  };
  for (const name of ['.gitconfig', '.config/git/config']) await add(path.join(home, name));
  return { visible, placed, known: [...seen] };
}

function writeCopy(file: string, text: string, rules: SandboxRules): Promise<string> {
  const name = `${path.basename(file)}-${file.replaceAll(/[^\w]/g, '_')}`;
  return writeOnce(name, text, rules);
}
