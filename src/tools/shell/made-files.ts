import { unlessFileError } from '../../agent/errors.ts';
import type { Clock } from '../../agent/ports/clock.ts';
import type { ComputeDigest, Digest } from '../../agent/ports/digest.ts';
import { contains, pathFlavour, placesBeneath } from '../../policy/paths/path-policy.ts';
import { MAX_FILE_BYTES } from '../files/load-file.ts';
import type { ReadLedger } from '../files/read-ledger.ts';
import type { BuildOutputPorts } from './build-output.ts';

/** The maximum numbers of names that git lists, of files in one of them, and of files for one command. */
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
  /** The paths whose content is not of this session alone. A directory without a tracked file is one path. */
  readonly others: readonly string[];
  readonly stash: string | undefined;
}

/** Finds the paths of the workspace that git does not have before a command; `undefined` if they are not known. */
export async function lookBefore(command: string, ports: MadePorts): Promise<Unsaved | undefined> {
  const startMs = ports.clock?.now();
  const paths = startMs === undefined ? undefined : await unsavedPaths(ports);
  if (startMs === undefined || paths === undefined) return undefined;
  const others: string[] = [];
  for (const path of paths) {
    const isOther = (await statOf(path, ports)) !== undefined && !(await isOwnTree(path, ports));
    if (isOther) others.push(path);
  }
  return { startMs, others, stash: await stashOf(command, ports) };
}

/**
 * Records the files that a command has made or changed without a loss for the user: they are new, or git has their
 * previous content. Files that it has only moved or taken from the stash are not recorded. If a file of the user is
 * gone, its content may be anywhere, so the ledger ignores all that commands make.
 */
export async function recordMade(
  command: string,
  { startMs, others, stash }: Unsaved,
  durationMs: number,
  ports: MadePorts,
): Promise<void> {
  const paths = await unsavedPaths(ports);
  if (paths === undefined) return;
  const isFresh = async (path: string): Promise<boolean> => {
    const stat = await statOf(path, ports);
    return stat !== undefined && stat.modifiedMs >= startMs;
  };
  for (const path of others) {
    const isGone = (await statOf(path, ports)) === undefined || (!paths.includes(path) && (await isFresh(path)));
    if (isGone) ports.ledger.distrustMade();
  }
  if (durationMs > MAX_COMMAND_MS || stash !== (await stashOf(command, ports))) return;
  let remaining = MAX_FILES;
  for (const path of paths) {
    if (others.some((other) => isWithin(path, other) || isWithin(other, path))) continue;
    const files = (await filesOf(path, ports)) ?? [];
    remaining -= files.length;
    for (const file of remaining < 0 ? [] : files) {
      const digest = (await isFresh(file)) ? await digestOf(file, ports) : undefined;
      if (digest !== undefined) ports.ledger.recordMade(file, digest);
    }
  }
}

/**
 * True if git has the content of a file, or of each file in a directory, or if this session alone has made it.
 */
export async function isOwnTree(path: string, ports: MadePorts): Promise<boolean> {
  const { fileSystem, ledger, pathRules } = ports;
  const { platform, guardedPaths = [] } = pathRules;
  if (placesBeneath(path, pathRules) || guardedPaths.some((guarded) => contains(path, guarded, platform))) return false;
  const files = await filesOf(path, ports);
  const others = files?.filter((file) => ledger.own(file) === undefined) ?? [];
  const tracked: ReadonlySet<string> = new Set(others.length > 0 ? await fileSystem.findTracked?.(others) : []);
  if (files === undefined || others.some((file) => !tracked.has(file))) return false;
  for (const file of files) {
    if (!tracked.has(file) && ledger.own(file) !== (await digestOf(file, ports))) return false;
  }
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

/** The output of git in the workspace; `undefined` if it fails. */
async function ask(args: readonly string[], { runGit, pathRules }: MadePorts): Promise<string | undefined> {
  const ended = await runGit?.({ directory: pathRules.workspace, args }, new AbortController().signal);
  return ended?.type === 'ended' && ended.exitCode === 0 ? ended.stdout : undefined;
}

/** The stash that `git stash pop` removes, if a command may do so. */
async function stashOf(command: string, ports: MadePorts): Promise<string | undefined> {
  return command.includes('stash') ? ask(['rev-parse', '--quiet', '--verify', 'refs/stash'], ports) : undefined;
}

/** The paths in the workspace that git does not have as they are; a directory without a file in the index as a whole. */
async function unsavedPaths(ports: MadePorts): Promise<readonly string[] | undefined> {
  const { workspace, platform } = ports.pathRules;
  const listed = await ask(['ls-files', '-z', '--modified', '--others', '--directory'], ports);
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
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    const entries = await ports.fileSystem.list(directory).catch(() => undefined);
    if (entries === undefined || files.length + entries.length > MAX_TREE) return undefined;
    for (const { name, kind } of entries) {
      if (kind === 'link' || kind === 'other') return undefined;
      (kind === 'directory' ? pending : files).push(join(directory, name));
    }
  }
  return files;
}
