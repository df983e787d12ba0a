import { minimatch } from 'minimatch';
import { unlessFileError } from '../../agent/errors.ts';
import type { ComputeDigest, Digest } from '../../agent/ports/digest.ts';
import { placesOf } from '../../policy/decision-input.ts';
import { contains, displayPath, type PathRules, pathFlavour } from '../../policy/paths/path-policy.ts';
import { overwrittenIn } from '../../policy/shell/destructive/overwritten-files.ts';
import { MAX_FILE_BYTES } from '../files/load-file.ts';
import type { ReadLedger } from '../files/read-ledger.ts';
import { type BuildOutputPorts, isBuildOutput } from './build-output.ts';

/** The ports that know what git and this session have of a file. */
export interface OverwritingPorts extends BuildOutputPorts {
  readonly digest: ComputeDigest;
  readonly ledger: ReadLedger;
  /** Commands run in the sandbox. */
  readonly sandboxed?: boolean;
}

/** The maximum number of files that are checked, so that a long command cannot keep the disk busy. */
const MAX_FILES = 100;
const MAX_SHOWN = 3;
/** The maximum number of files and directories of which git is asked whether it ignores them. */
const MAX_ASKED = 16;

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
  const add = async (path: string, inside: readonly string[], removed = false, tree = false): Promise<void> => {
    const realPath = await fileSystem.realPath(path).catch(() => undefined);
    if (removed && realPath !== undefined) {
      const parent = await fileSystem.realPath(dirname(path)).catch(() => path);
      if (join(parent, basename(path)) !== realPath) links.add(path);
    }
    if (realPath === undefined || (await isTemporary(`${realPath}/`))) return;
    const kind = await fileSystem.stat(realPath).then(
      (stat) => stat.kind,
      () => undefined,
    );
    if (kind === 'file') existing.add(realPath);
    if (kind === 'directory' && tree) trees.add(realPath);
    if (kind === 'directory') for (const name of inside) await add(join(realPath, name), []);
  };
  for (const { path, inside, removed, tree } of files.slice(0, MAX_FILES)) {
    const glob = basename(path);
    const entries = /[*?[]/.test(glob) ? await fileSystem.list(dirname(path), MAX_FILES).catch(() => []) : undefined;
    if (entries === undefined) await add(path, inside, removed, tree);
    for (const { name } of entries ?? []) if (minimatch(name, glob)) await add(join(dirname(path), name), [], removed);
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
      !(await hasReceived(file, ports)) &&
      (await isBuildOutput(file, trees.has(file), ports));
    if (!isMade) lost.push(displayPath(file, pathRules));
  }
  const isUnclear =
    (await Promise.all((unknown ?? []).map(isTemporary))).includes(false) ||
    files.length > MAX_FILES ||
    files.some(({ path }) => /[*?[].*\//.test(path));
  const shown = lost.length > MAX_SHOWN ? [...lost.slice(0, MAX_SHOWN), `${lost.length - MAX_SHOWN} more`] : lost;
  return {
    lost: [...shown, ...(isUnclear ? [COMPUTED] : [])],
    kept: moves === true ? [] : [...kept],
    removes: moves !== true && (unknown !== undefined || files.some(({ removed }) => removed)),
    received,
  };
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

async function digestOf(file: string, { fileSystem, digest }: OverwritingPorts): Promise<Digest | undefined> {
  const read = await unlessFileError(fileSystem.readFile(file, MAX_FILE_BYTES, 'refuse'));
  return read === undefined || read.bytes.length < read.size ? undefined : digest(read.bytes);
}

/** True for names in a directory that the user has chosen, such as a workspace below `/tmp`, or in one that contains it. */
function meetsRoot(start: string, { workspace, allowedRoots }: PathRules): boolean {
  return [workspace, ...allowedRoots].some((root) => `${root}/`.startsWith(start) || start.startsWith(`${root}/`));
}
