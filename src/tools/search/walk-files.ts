import { FileSystemError } from '../../agent/errors.ts';
import type { DirectoryEntry, FileKind, FileSystem } from '../../agent/ports/file-system.ts';
import { classOfPlace, contains, displayPath, type PathRules, pathFlavour } from '../../policy/paths/path-policy.ts';
import { compareCodePoints } from '../../text/compare-code-points.ts';
import { type IgnoreRules, loadIgnoreRules, readRules } from './ignore-rules.ts';
import type { SkippedFiles } from './search-notes.ts';

/** An entry beneath the walked directory. `path` is relative to that directory, with `/`. */
export interface WalkedEntry {
  readonly path: string;
  readonly kind: FileKind;
}

/** The ports and limits of a walk. */
export interface WalkOptions {
  readonly fileSystem: FileSystem;
  readonly pathRules: PathRules;
  readonly scope: WalkScope;
  /** The walk counts the entries that it skips here. */
  readonly skipped: SkippedFiles;
  readonly signal: AbortSignal;
  /** See `ToolContext`. */
  readonly pause: () => Promise<void>;
  readonly maxEntries?: number;
  readonly maxDepth?: number;
}

/** An entry that is yet to be visited, with the ignore rules of its parent directory. */
interface PendingEntry {
  readonly entry: WalkedEntry;
  readonly rules: IgnoreRules;
  readonly depth: number;
}

const MAX_ENTRIES = 200_000;
/** The number of entries of one directory that are checked between two pauses. */
const ENTRIES_PER_STEP = 1_000;
const MAX_DEPTH = 100;

/**
 * Walks everything beneath a real directory in the code-point order of its paths (a directory sorts as if it ended with
 * `/`). Links are yielded but not followed. `.git`, blocked paths and ignored paths are skipped. Ends early, without an
 * error, at its limits and when `signal` aborts.
 */
export async function* walkFiles(root: string, options: WalkOptions): AsyncGenerator<WalkedEntry, void> {
  const { skipped, signal, scope, maxEntries = MAX_ENTRIES, maxDepth = MAX_DEPTH } = options;
  const flavour = pathFlavour(options.pathRules.platform);
  // Only blocked paths beneath the root matter, and checking every entry against all of them is slow.
  const { platform } = options.pathRules;
  const blockedPaths = options.pathRules.blockedPaths.filter((path) => contains(root, path, platform, 'blocked'));
  const pathRules = { ...options.pathRules, blockedPaths };
  const rootPlace = classOfPlace(root, pathRules);
  const start = await loadIgnoreRules(root, options);
  const stack: PendingEntry[] = [{ entry: { path: '', kind: 'directory' }, rules: start.rules, depth: 0 }];
  const fromBase = (path: string): string => [start.directory, path].filter((part) => part !== '').join('/');
  let seen = 0;
  for (let pending = stack.pop(); pending !== undefined && !signal.aborted; pending = stack.pop()) {
    const { entry, depth } = pending;
    if (depth > 0) {
      if (++seen > maxEntries) {
        skipped.limit = `the limit of ${maxEntries} entries was reached. Use a narrower path.`;
        return;
      }
      yield entry;
    }
    if (entry.kind !== 'directory' || depth >= scope.maxDepth) continue;
    if (depth >= maxDepth) {
      skipped.limit = `directories more than ${maxDepth} levels deep were skipped. Use a deeper path.`;
      continue;
    }
    const directory = flavour.join(root, entry.path);
    const listed = await listDirectory(directory, options);
    const hasRules = listed.some(({ name, kind }) => name === '.gitignore' && kind === 'file');
    const rules = hasRules
      ? pending.rules.extend(fromBase(entry.path), await readRules(flavour.join(directory, '.gitignore'), options))
      : pending.rules;
    for (const [index, { name, kind }] of inStackOrder(listed).entries()) {
      if (index % ENTRIES_PER_STEP === ENTRIES_PER_STEP - 1) await options.pause();
      const path = entry.path === '' ? name : `${entry.path}/${name}`;
      const wanted = scope.leading[depth];
      if (name.toLowerCase() === '.git' || (wanted !== undefined && wanted !== name)) continue;
      const place = classOfPlace(flavour.join(directory, name), pathRules);
      // An approval for one place does not cover another that asks.
      if (place !== 'ordinary' && place !== rootPlace) skipped.blocked++;
      else if (rules.isIgnored(fromBase(path), kind === 'directory' ? 'directory' : 'other')) skipped.ignored++;
      else stack.push({ entry: { path, kind }, rules, depth: depth + 1 });
    }
  }
}

async function listDirectory(directory: string, options: WalkOptions): Promise<readonly DirectoryEntry[]> {
  try {
    return await options.fileSystem.list(directory, undefined, 'refuse');
  } catch (error) {
    if (!(error instanceof FileSystemError)) throw error;
    // A directory that was deleted during the walk is not an error.
    if (error.code !== 'not_found') options.skipped.unreadable.push(displayPath(directory, options.pathRules));
    return [];
  }
}

/** Sorts the entries in reverse order, because the walk takes them from the end of a stack. */
function inStackOrder(entries: readonly DirectoryEntry[]): readonly DirectoryEntry[] {
  const key = ({ name, kind }: DirectoryEntry): string => (kind === 'directory' ? `${name}/` : name);
  return [...entries].sort((left, right) => compareCodePoints(key(right), key(left)));
}

/** The part of a tree in which a glob can match. The rest is not walked. */
export interface WalkScope {
  /** The names with which a path must begin. */
  readonly leading: readonly string[];
  /** The greatest number of names in a path. */
  readonly maxDepth: number;
}

const SPECIAL = /[*?[\]{}()\\]/;
/** Syntax that may match several names: `**`, and braces, groups and escapes, which are not analysed. */
const SPANS_NAMES = /\*\*|[{}()\\]/;

/** The scope that includes everything. */
export const WHOLE_TREE: WalkScope = { leading: [], maxDepth: Number.POSITIVE_INFINITY };

/** The scope of a glob. It may be too large, but never too small. */
export function scopeOfGlob(glob: string): WalkScope {
  const names = glob.split('/').filter((name) => name !== '');
  const special = names.findIndex((name) => SPECIAL.test(name));
  return {
    leading: special === -1 ? names : names.slice(0, special),
    maxDepth: SPANS_NAMES.test(glob) ? Number.POSITIVE_INFINITY : names.length,
  };
}

/** Groups items into batches of `size`. The last batch may be smaller, but no batch is empty. */
export async function* inBatches<Item>(
  items: AsyncIterable<Item>,
  size: number,
): AsyncGenerator<readonly Item[], void> {
  let batch: Item[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
