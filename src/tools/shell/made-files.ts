import { unlessFileError } from '../../agent/errors.ts';
import type { Clock } from '../../agent/ports/clock.ts';
import type { ComputeDigest, Digest } from '../../agent/ports/digest.ts';
import type { FileStat } from '../../agent/ports/file-system.ts';
import { contains, pathFlavour, placesBeneath } from '../../policy/paths/path-policy.ts';
import { MAX_FILE_BYTES } from '../files/load-file.ts';
import type { ReadLedger } from '../files/read-ledger.ts';
import { type BuildOutputPorts, isBuildName } from './build-output.ts';

/** The maximum numbers of names that git lists, of entries in one of them, and of files for one command. */
const [MAX_NAMES, MAX_TREE, MAX_FILES] = [1_000, 300, 1_000];

/** A command that takes longer may overlap with changes of the user. */
const MAX_COMMAND_MS = 60_000;

/** The ports that know what git and this session have of a file. Without a clock, nothing counts as made by commands. */
export interface MadePorts extends BuildOutputPorts {
  readonly digest: ComputeDigest;
  readonly ledger: ReadLedger;
  readonly clock?: Clock | undefined;
}

/** The state before a command of what git does not have. */
interface Unsaved {
  readonly startMs: number;
  /** The paths whose content is not of this session alone, with their files. A directory without a tracked file is one path. */
  readonly others: ReadonlyMap<string, readonly string[]>;
  /** The sizes of these files: another file of such a size may be a copy. */
  readonly sizes: ReadonlySet<number>;
  readonly stashes: string | undefined;
}

/** Finds the paths of the workspace that git does not have before a command; `undefined` if they are not known. */
export async function lookBefore(command: string, ports: MadePorts, signal: AbortSignal): Promise<Unsaved | undefined> {
  const startMs = ports.ledger.trustsMade ? ports.clock?.now() : undefined;
  const paths = startMs === undefined ? undefined : await unsavedPaths(ports, signal);
  if (startMs === undefined || paths === undefined) return undefined;
  const { basename } = pathFlavour(ports.pathRules.platform);
  const others = new Map<string, readonly string[]>();
  const sizes = new Set<number>();
  let remaining = MAX_FILES;
  for (const path of paths) {
    const files = await filesOf(path, ports);
    if (files === undefined ? (await statOf(path, ports)) === undefined : await areOwn(files, ports)) continue;
    remaining -= files?.length ?? 0;
    // Tools remove and make their own files again.
    const known = isBuildName(basename(path)) ? [] : [path, ...(remaining < 0 ? [] : (files ?? []))];
    others.set(path, known);
    for (const file of known) {
      const stat = await statOf(file, ports);
      if (stat?.kind === 'file') sizes.add(stat.size);
    }
  }
  return { startMs, others, sizes, stashes: await stashesOf(command, ports) };
}

/**
 * Records the files that a command has made or changed without a loss for the user: they are new, or git has their
 * previous content. Files that it may have only moved, copied or taken from the stash are not recorded. If a file of the
 * user is gone, its content may be anywhere, so the ledger ignores all that commands make.
 */
export async function recordMade(
  command: string,
  { startMs, others, sizes, stashes }: Unsaved,
  durationMs: number,
  ports: MadePorts,
): Promise<void> {
  const paths = await unsavedPaths(ports);
  if (paths === undefined) return;
  const fresh = async (path: string): Promise<FileStat | undefined> => {
    const stat = await statOf(path, ports);
    return stat !== undefined && stat.modifiedMs >= startMs ? stat : undefined;
  };
  for (const [path, files] of others) {
    let isGone = !paths.includes(path) && (await fresh(path)) !== undefined;
    for (const file of files) isGone ||= (await statOf(file, ports)) === undefined;
    if (isGone) {
      ports.ledger.trustsMade = false;
      return;
    }
  }
  if (durationMs > MAX_COMMAND_MS || stashes !== (await stashesOf(command, ports))) return;
  let remaining = MAX_FILES;
  for (const path of paths) {
    if ([...others.keys()].some((other) => isWithin(path, other) || isWithin(other, path))) continue;
    // Only a directory without a tracked file ends with a slash. Another one is a submodule.
    const files = /[\\/]$/.test(path) ? ((await filesOf(path, ports)) ?? []) : [path];
    remaining -= files.length;
    for (const file of remaining < 0 ? [] : files) {
      const size = (await fresh(file))?.size;
      const isCopy = size === undefined || (size > 0 && sizes.has(size));
      const digest = isCopy ? undefined : await digestOf(file, ports);
      if (digest !== undefined) ports.ledger.recordMade(file, digest);
    }
  }
}

/**
 * True if git has the content of a file, or of each file in a directory, or if this session alone has made it.
 */
export async function isOwnTree(path: string, ports: MadePorts): Promise<boolean> {
  const { platform, guardedPaths = [] } = ports.pathRules;
  if (placesBeneath(path, ports.pathRules) || guardedPaths.some((each) => contains(path, each, platform))) return false;
  const files = await filesOf(path, ports);
  const others = files?.filter((file) => ports.ledger.own(file) === undefined) ?? [];
  const tracked = new Set(others.length > 0 ? await ports.fileSystem.findTracked?.(others) : []);
  const untracked = files?.filter((file) => !tracked.has(file));
  return untracked !== undefined && areOwn(untracked, ports);
}

/** True if the content of all files is of this session alone. */
async function areOwn(files: readonly string[], ports: MadePorts): Promise<boolean> {
  if (files.some((file) => ports.ledger.own(file) === undefined)) return false;
  for (const file of files) if (ports.ledger.own(file) !== (await digestOf(file, ports))) return false;
  return true;
}

/** The digest of a file; `undefined` for one that cannot be read, or is too large. */
export async function digestOf(file: string, { fileSystem, digest }: MadePorts): Promise<Digest | undefined> {
  const read = await unlessFileError(fileSystem.readFile(file, MAX_FILE_BYTES, 'refuse'));
  return read === undefined || read.bytes.length < read.size ? undefined : digest(read.bytes);
}

function isWithin(path: string, other: string): boolean {
  return path === other || path.startsWith(/[\\/]$/.test(other) ? other : `${other}/`);
}

/** The output of git in the workspace; `undefined` if it fails. One that takes too long would do so at each command. */
async function ask(
  args: readonly string[],
  { runGit, pathRules, ledger }: MadePorts,
  signal = new AbortController().signal,
): Promise<string | undefined> {
  const ended = await runGit?.({ directory: pathRules.workspace, args }, signal);
  if (ended?.type === 'failed' && !signal.aborted) ledger.trustsMade = false;
  return ended?.type === 'ended' && ended.exitCode === 0 ? ended.stdout : undefined;
}

/** The stashes, of which `git stash pop` removes one, if a command may do so. */
async function stashesOf(command: string, ports: MadePorts): Promise<string | undefined> {
  return command.includes('stash') ? ask(['rev-list', '--walk-reflogs', 'refs/stash'], ports) : undefined;
}

/** The paths in the workspace that git does not have as they are; a directory without a file in the index as a whole. */
async function unsavedPaths(ports: MadePorts, signal?: AbortSignal): Promise<readonly string[] | undefined> {
  const { workspace, platform } = ports.pathRules;
  const listed = await ask(['ls-files', '-z', '--modified', '--others', '--directory'], ports, signal);
  const names = listed?.split('\0').filter((name) => name !== '');
  return names === undefined || names.length > MAX_NAMES
    ? undefined
    : names.map((name) => pathFlavour(platform).join(workspace, name));
}

const statOf = (path: string, { fileSystem }: MadePorts) => fileSystem.stat(path).catch(() => undefined);

/** The files of a path; `undefined` if there are too many, or something else than files. */
async function filesOf(path: string, ports: MadePorts): Promise<readonly string[] | undefined> {
  const kind = (await statOf(path, ports))?.kind;
  if (kind !== 'directory') return kind === 'file' ? [path] : undefined;
  const { join } = pathFlavour(ports.pathRules.platform);
  const files: string[] = [];
  const pending = [path];
  let remaining = MAX_TREE;
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    const entries = await ports.fileSystem.list(directory, MAX_TREE + 1).catch(() => undefined);
    remaining -= entries?.length ?? 0;
    if (entries === undefined || remaining < 0) return undefined;
    for (const { name, kind } of entries) {
      if (kind === 'link' || kind === 'other') return undefined;
      (kind === 'directory' ? pending : files).push(join(directory, name));
    }
  }
  return files;
}
