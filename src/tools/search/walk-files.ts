import { FileSystemError } from '../../core/errors.ts';
import type { DirectoryEntry, FileKind, FileSystem } from '../../ports/file-system.ts';
import { classifyPath, contains, displayPath, type PathRules, pathFlavour } from '../../safety/paths/path-policy.ts';
import { compareCodePoints } from '../../text/compare-code-points.ts';
import type { WalkScope } from './glob-scope.ts';
import type { IgnoreRules } from './ignore-rules.ts';
import { loadIgnoreRules, readRules } from './load-ignore-rules.ts';
import type { SkippedFiles } from './skipped-files.ts';

/** Something beneath the directory that is walked; `path` is relative to it, with `/`. */
export interface WalkedEntry {
  readonly path: string;
  readonly kind: FileKind;
}

export interface WalkOptions {
  readonly fileSystem: FileSystem;
  readonly pathRules: PathRules;
  readonly scope: WalkScope;
  /** What is left out is counted here. */
  readonly skipped: SkippedFiles;
  readonly signal: AbortSignal;
  readonly maxEntries?: number;
  readonly maxDepth?: number;
}

interface Place {
  readonly entry: WalkedEntry;
  readonly rules: IgnoreRules;
  readonly depth: number;
}

const MAX_ENTRIES = 200_000;
const MAX_DEPTH = 100;

/**
 * Everything beneath a real directory in the code-point order of its paths (a directory counts as if it ended with
 * `/`). Links are told and not followed; `.git`, what the rules block and what `.gitignore` names is left out. Ends
 * early, without an error, at its limits and when `signal` aborts.
 */
export async function* walkFiles(root: string, options: WalkOptions): AsyncGenerator<WalkedEntry, void> {
  const { skipped, signal, scope, maxEntries = MAX_ENTRIES, maxDepth = MAX_DEPTH } = options;
  const flavour = pathFlavour(options.pathRules.platform);
  // Only blocked paths beneath the root can be met on the way, and judging each entry by all of them takes long.
  const { platform } = options.pathRules;
  const blockedPaths = options.pathRules.blockedPaths.filter((path) => contains(root, path, platform, 'blocked'));
  const pathRules = { ...options.pathRules, blockedPaths };
  const start = await loadIgnoreRules(root, options);
  const stack: Place[] = [{ entry: { path: '', kind: 'directory' }, rules: start.rules, depth: 0 }];
  const fromBase = (path: string): string => [start.directory, path].filter((part) => part !== '').join('/');
  let seen = 0;
  for (let place = stack.pop(); place !== undefined && !signal.aborted; place = stack.pop()) {
    const { entry, depth } = place;
    if (depth > 0) {
      if (++seen > maxEntries) {
        skipped.limit = `the walk ended after ${maxEntries} entries. Give a narrower path.`;
        return;
      }
      yield entry;
    }
    if (entry.kind !== 'directory' || depth >= scope.maxDepth) continue;
    if (depth >= maxDepth) {
      skipped.limit = `directories more than ${maxDepth} levels deep were not entered. Give a deeper path.`;
      continue;
    }
    const directory = flavour.join(root, entry.path);
    const listed = await listDirectory(directory, options);
    const ownRules = listed.some(({ name, kind }) => name === '.gitignore' && kind === 'file');
    const rules = ownRules
      ? place.rules.extend(fromBase(entry.path), await readRules(flavour.join(directory, '.gitignore'), options))
      : place.rules;
    for (const { name, kind } of inWalkOrder(listed)) {
      const path = entry.path === '' ? name : `${entry.path}/${name}`;
      const wanted = scope.leading[depth];
      if (name.toLowerCase() === '.git' || (wanted !== undefined && wanted !== name)) continue;
      if (classifyPath(flavour.join(directory, name), 'read', pathRules).type !== 'inside') skipped.blocked++;
      else if (rules.isIgnored(fromBase(path), kind === 'directory' ? 'directory' : 'other')) skipped.ignored++;
      else stack.push({ entry: { path, kind }, rules, depth: depth + 1 });
    }
  }
}

async function listDirectory(directory: string, options: WalkOptions): Promise<readonly DirectoryEntry[]> {
  try {
    return await options.fileSystem.list(directory);
  } catch (error) {
    if (!(error instanceof FileSystemError)) throw error;
    // A directory that went away during the walk is as if it had never been there.
    if (error.code !== 'not_found') options.skipped.unreadable.push(displayPath(directory, options.pathRules));
    return [];
  }
}

/** Last first, as a stack needs them. */
function inWalkOrder(entries: readonly DirectoryEntry[]): readonly DirectoryEntry[] {
  const key = ({ name, kind }: DirectoryEntry): string => (kind === 'directory' ? `${name}/` : name);
  return [...entries].sort((left, right) => compareCodePoints(key(right), key(left)));
}
