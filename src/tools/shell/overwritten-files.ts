import { Minimatch } from 'minimatch';
import type { DirectoryEntry } from '../../agent/ports/file-system.ts';
import { placesOf } from '../../policy/decision-input.ts';
import { contains, displayPath, type PathRules, pathFlavour } from '../../policy/paths/path-policy.ts';
import { type Overwritten, overwrittenIn } from '../../policy/shell/destructive/overwritten-files.ts';
import { isBuildOutput } from './build-output.ts';
import { digestOf, isOwnTree, type MadePorts } from './made-files.ts';

/** The ports that know what a command overwrites. */
export interface OverwritingPorts extends MadePorts {
  /** Commands run in the sandbox. */
  readonly sandboxed?: boolean;
}

/** The maximum number of files that are checked, so that a long command cannot keep the disk busy. */
const MAX_FILES = 100;
const MAX_SHOWN = 3;
/** The maximum number of files and directories of which git is asked whether it ignores them. */
const MAX_ASKED = 40;
/** The maximum number of entries of directories that are looked at for one word; 0 if it is very long. */
const MAX_ENTRIES = 20_000;

/** The text for names that are unknown before the command runs. */
const COMPUTED = 'files whose names it computes';

/**
 * The files that a command would overwrite or remove. `lost`: those with content of their own, for people. `kept`: real
 * paths of those of which git or this session has the content, unless a file may get the content of another one. `received`:
 * the places to which it moves something.
 */
export interface OverwriteUse {
  readonly lost: readonly string[];
  readonly kept: readonly string[];
  readonly removes: boolean;
  readonly received: readonly string[];
}

/**
 * The files that a command would overwrite. In the sandbox, directories for temporary files are new for each command.
 */
export async function findOverwritten(
  command: string,
  workingDirectory: string,
  ports: OverwritingPorts,
): Promise<OverwriteUse> {
  const { fileSystem, pathRules, sandboxed, ledger } = ports;
  const { files, unknown, moves, received } = overwrittenIn(command, placesOf(pathRules, workingDirectory));
  const { join, dirname, basename } = pathFlavour(pathRules.platform);
  const existing = new Set<string>();
  const links = new Set<string>();
  const trees = new Set<string>();
  const isTemporary = async (start: string): Promise<boolean> => {
    const [directory] = /^\/(?:tmp|var\/tmp|run|dev)(?=\/)/.exec(start) ?? [];
    if (sandboxed !== true || directory === undefined || meetsRoot(start, pathRules)) return false;
    // On macOS, they are links, and the sandbox covers none of them.
    return (await fileSystem.realPath(directory).catch(() => directory)) === directory;
  };
  /** The real path of a directory. */
  const add = async (path: string, removed = false, tree = false): Promise<string | undefined> => {
    const realPath = await fileSystem.realPath(path).catch(() => undefined);
    if (removed && realPath !== undefined) {
      const parent = await fileSystem.realPath(dirname(path)).catch(() => path);
      if (join(parent, basename(path)) !== realPath) links.add(path);
    }
    if (realPath === undefined || (await isTemporary(`${realPath}/`))) return undefined;
    const kind = await fileSystem.stat(realPath).then(
      (stat) => stat.kind,
      () => undefined,
    );
    if (kind === 'file') existing.add(realPath);
    if (kind === 'directory' && tree) trees.add(realPath);
    return kind === 'directory' ? realPath : undefined;
  };
  let isUnclear = files.length > MAX_FILES;
  const look = async (file: Overwritten, budget: { entries: number }): Promise<readonly string[]> => {
    const paths = await expand(file, budget, ports);
    isUnclear ||= paths === undefined || paths.length > MAX_FILES;
    return paths?.slice(0, MAX_FILES) ?? [];
  };
  for (const file of files.slice(0, MAX_FILES)) {
    const { movedTo = '' } = file;
    const kind = movedTo && (await fileSystem.stat(movedTo).catch(() => undefined))?.kind;
    const isIn = contains(pathRules.workspace, movedTo, pathRules.platform);
    if (movedTo !== '' && (isIn ? kind === 'directory' : !(await isTemporary(`${movedTo}/.`)))) continue;
    const budget = { entries: [file.path, ...file.inside].some(({ length }) => length > 1000) ? -1 : MAX_ENTRIES };
    for (const path of await look(file, budget)) {
      const directory = await add(path, file.removed, file.tree);
      for (const name of directory === undefined ? [] : file.inside)
        for (const each of await look({ path: join(`${directory}`, name), inside: [] }, budget)) await add(each);
    }
  }
  const kept = new Set(await fileSystem.findTracked?.([...existing]));
  for (const file of existing) {
    const own = ledger.own(file);
    if (own !== undefined && own === (await digestOf(file, ports))) kept.add(file);
  }
  const changed = [...trees, ...links, ...existing].filter((file) => !kept.has(file));
  const lost: string[] = [];
  for (const [index, file] of changed.entries()) {
    const isMade =
      index < MAX_ASKED &&
      !links.has(file) &&
      ((trees.has(file) && (await isOwnTree(file, ports))) ||
        (!(await hasReceived(file, ports)) && (await isBuildOutput(file, trees.has(file), ports))));
    if (!isMade) lost.push(displayPath(file, pathRules));
  }
  isUnclear ||= (await Promise.all((unknown ?? []).map(isTemporary))).includes(false);
  const shown = lost.length > MAX_SHOWN ? [...lost.slice(0, MAX_SHOWN), `${lost.length - MAX_SHOWN} more`] : lost;
  return {
    lost: [...shown, ...(isUnclear ? [COMPUTED] : [])],
    kept: moves === true ? [] : [...kept],
    removes: moves !== true && (unknown !== undefined || files.some(({ removed }) => removed)),
    received,
  };
}

/** Options with which a pattern matches at least the names that it matches for `find` and shells. */
const AS_FIND = { dot: true, nobrace: true, nocase: true, nocomment: true, noext: true, nonegate: true } as const;

/** Tests whether a pattern can match a name, also if a bracket in it is quoted: `'[id].ts'`. */
function matcherOf(pattern: string): (name: string) => boolean {
  const wide = pattern.replaceAll(/\[[!^]\]?(?:\[:\w+:\]|[^\]])*\]/g, '?');
  const patterns = [wide, pattern.replaceAll(/[[\]]/g, '?')].map((each) => new Minimatch(each, AS_FIND));
  return (name) => patterns.some((each) => each.match(name));
}

/** The paths that patterns become, or that a search finds; `undefined` if there is too much to look at for its budget. */
async function expand(
  { path, found, tree }: Overwritten,
  budget: { entries: number },
  { fileSystem, pathRules: { platform } }: OverwritingPorts,
): Promise<readonly string[] | undefined> {
  const { join, parse, sep, basename } = pathFlavour(platform);
  const list = async (directory: string): Promise<readonly DirectoryEntry[]> => {
    const entries = budget.entries < 0 ? [] : await fileSystem.list(directory, budget.entries + 1).catch(() => []);
    budget.entries -= entries.length;
    return entries;
  };
  const finds = found?.map(matcherOf);
  const isFound = (name: string): boolean => finds?.some((matches) => matches(name)) === true;
  const { root } = parse(path);
  let paths = [root];
  for (const name of path.slice(root.length).split(sep)) {
    const next: string[] = [];
    const matches = /[*?[]/.test(name) ? matcherOf(name) : undefined;
    for (const directory of paths) {
      const names = matches ? (await list(directory)).map((entry) => entry.name).filter(matches) : [name];
      next.push(...names.map((each) => join(directory, each)));
    }
    paths = next;
  }
  if (found !== undefined) {
    const pending = paths;
    paths = paths.filter((start) => isFound(basename(start)));
    for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
      for (const { name, kind } of await list(directory)) {
        const entry = join(directory, name);
        if (isFound(name)) paths.push(entry);
        if (kind === 'directory' && !(isFound(name) && tree === true)) pending.push(entry);
      }
    }
  }
  return budget.entries < 0 ? undefined : paths;
}

/** True if a command of the session may have moved something into a file or a directory. */
async function hasReceived(path: string, { ledger, fileSystem, pathRules }: OverwritingPorts): Promise<boolean> {
  for (const each of ledger.received) {
    const place = await fileSystem.realPath(each).catch(() => each);
    const meets = contains(place, path, pathRules.platform) || contains(path, place, pathRules.platform);
    if (place === '' || meets) return true;
  }
  return false;
}

/** Records the versions that a command has made of files of which nothing of the user can be lost. */
export async function recordOwnVersions(kept: readonly string[], ports: OverwritingPorts): Promise<void> {
  for (const file of kept) {
    const digest = await digestOf(file, ports);
    if (digest !== undefined) ports.ledger.recordOwn(file, digest);
  }
}

/** True for names in a directory that the user has chosen, such as a workspace below `/tmp`, or in one that contains it. */
function meetsRoot(start: string, { workspace, allowedRoots }: PathRules): boolean {
  return [workspace, ...allowedRoots].some((root) => `${root}/`.startsWith(start) || start.startsWith(`${root}/`));
}
