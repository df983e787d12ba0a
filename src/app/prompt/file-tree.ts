import { FileSystemError } from '../../agent/errors.ts';
import type { DirectoryEntry, FileSystem } from '../../agent/ports/file-system.ts';
import { classifyPath, type PathRules, pathFlavour } from '../../policy/paths/path-policy.ts';
import { compareCodePoints } from '../../text/compare-code-points.ts';
import { escapeLine } from '../../text/escape.ts';
import { countOf } from '../../text/quantities.ts';
import { estimateTokens } from '../../text/tokens.ts';
import { IgnoreRules, loadIgnoreRules, readRules } from '../../tools/search/ignore-rules.ts';
import { createSkippedFiles } from '../../tools/search/search-notes.ts';

/** An entry of the tree. A directory that is not opened has no `entries`, but perhaps its number of entries. */
export interface TreeEntry {
  readonly name: string;
  readonly isDirectory: boolean;
  entries?: readonly TreeEntry[];
  count?: string;
}

/** The tree of a workspace, and the number of entries of the workspace itself that had no room. */
export interface WorkspaceTree {
  readonly entries: readonly TreeEntry[];
  readonly more: string | undefined;
}

/** Ports and limits of a tree. */
export interface TreeOptions {
  readonly fileSystem: FileSystem;
  readonly pathRules: PathRules;
  /** Patterns in the form of `.gitignore` for what is left out. */
  readonly excludePatterns: readonly string[];
  /** Estimated tokens of the whole tree. */
  readonly maxTokens: number;
}

/** A directory with more entries is not opened. */
const MAX_ENTRIES = 1_000;

/** Directories that are read at the same time. */
const BATCH = 16;

/** With less room than this, no further directory is opened. */
const MIN_ROOM = 8;

interface OpenDirectory {
  readonly entry: TreeEntry;
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  readonly rules: IgnoreRules;
  readonly depth: number;
}

/** The entries of a directory that are shown, and the ignore rules below it; `undefined`: too many entries. */
interface Listing {
  readonly entries: readonly TreeEntry[] | undefined;
  readonly rules: IgnoreRules;
}

/**
 * Reads the tree of the workspace, level by level, as far as `maxTokens` suffice. A directory that has no room is not
 * opened, but later ones may be. Links are not followed. The same files give the same tree.
 */
export async function readFileTree(options: TreeOptions): Promise<WorkspaceTree> {
  const { workspace, platform } = options.pathRules;
  const none = IgnoreRules.none({ ignoreCase: platform !== 'posix' });
  const excluded = none.extend('', options.excludePatterns.join('\n'));
  const { rules } = await loadIgnoreRules(workspace, { ...options, skipped: createSkippedFiles() });
  const top = await listDirectory('', rules, excluded, options);
  if (top.entries === undefined) return { entries: [], more: `${MAX_ENTRIES} or more entries` };
  let room = options.maxTokens;
  const shown: TreeEntry[] = [];
  for (const entry of top.entries) {
    room -= cost(entry.name, 0);
    if (room < 0) break;
    shown.push(entry);
  }
  const hidden = top.entries.length - shown.length;
  const root = { entries: shown, more: hidden === 0 ? undefined : countOf(hidden, 'more entry', 'more entries') };
  let level = directoriesOf(shown, { path: '', rules: top.rules, depth: -1 });
  while (level.length > 0 && room >= MIN_ROOM) {
    const next: OpenDirectory[] = [];
    for (let start = 0; start < level.length && room >= MIN_ROOM; start += BATCH) {
      const batch = level.slice(start, start + BATCH);
      const listings = await Promise.all(batch.map(({ path, rules }) => listDirectory(path, rules, excluded, options)));
      for (const [index, { entries, rules }] of listings.entries()) {
        const directory = batch[index];
        if (directory === undefined) continue;
        const { entry, depth } = directory;
        const size = entries?.reduce((total, { name }) => total + cost(name, depth + 1), 0) ?? Number.POSITIVE_INFINITY;
        if (entries !== undefined && size <= room) {
          entry.entries = entries;
          room -= size;
          next.push(...directoriesOf(entries, { ...directory, rules }));
        } else {
          entry.count = entries === undefined ? `${MAX_ENTRIES} or more` : `${entries.length}`;
          room -= cost(entry.count, 0);
        }
      }
    }
    level = next;
  }
  return root;
}

/** Text of the part `file_tree`; '' for an empty workspace. */
export function describeFileTree({ entries, more }: WorkspaceTree): string {
  if (entries.length === 0 && more === undefined) return '';
  return [
    'Files in the directory when this conversation began, as far as there is room; ignored files are left out:',
    ...entries.flatMap((entry) => linesOf(entry, '')),
    ...(more === undefined ? [] : [`… ${more}`]),
    '',
  ].join('\n');
}

function linesOf({ name, isDirectory, entries = [], count }: TreeEntry, indent: string): readonly string[] {
  const note = count === undefined ? '' : ` (${count} ${count === '1' ? 'entry' : 'entries'})`;
  const line = `${indent}${escapeLine(name)}${isDirectory ? '/' : ''}${note}`;
  return [line, ...entries.flatMap((entry) => linesOf(entry, `${indent}  `))];
}

/** Tokens of a line with this name. */
function cost(name: string, depth: number): number {
  return estimateTokens(`${'  '.repeat(depth)}${escapeLine(name)}/\n`);
}

function directoriesOf(
  entries: readonly TreeEntry[],
  parent: Pick<OpenDirectory, 'path' | 'rules' | 'depth'>,
): readonly OpenDirectory[] {
  return entries
    .filter(({ isDirectory }) => isDirectory)
    .map((entry) => ({
      entry,
      path: parent.path === '' ? entry.name : `${parent.path}/${entry.name}`,
      rules: parent.rules,
      depth: parent.depth + 1,
    }));
}

async function listDirectory(
  path: string,
  parentRules: IgnoreRules,
  excluded: IgnoreRules,
  options: TreeOptions,
): Promise<Listing> {
  const { fileSystem, pathRules } = options;
  const { join } = pathFlavour(pathRules.platform);
  const directory = join(pathRules.workspace, path);
  const listed = await fileSystem.list(directory, MAX_ENTRIES).catch((error: unknown) => {
    if (error instanceof FileSystemError) return [];
    throw error;
  });
  if (listed.length >= MAX_ENTRIES) return { entries: undefined, rules: parentRules };
  const hasRules = listed.some(({ name, kind }) => name === '.gitignore' && kind === 'file');
  const skipped = createSkippedFiles();
  const rules = hasRules
    ? parentRules.extend(path, await readRules(join(directory, '.gitignore'), { ...options, skipped }))
    : parentRules;
  const isShown = ({ name, kind }: DirectoryEntry): boolean => {
    if (name.toLowerCase() === '.git') return false;
    const relative = path === '' ? name : `${path}/${name}`;
    const form = kind === 'directory' ? 'directory' : 'other';
    if (rules.isIgnored(relative, form) || excluded.isIgnored(relative, form)) return false;
    return classifyPath(join(directory, name), 'read', pathRules).type === 'inside';
  };
  const entries = listed
    .filter(isShown)
    .map(({ name, kind }) => ({ name, isDirectory: kind === 'directory' }))
    .toSorted(
      (left, right) => Number(right.isDirectory) - Number(left.isDirectory) || compareCodePoints(left.name, right.name),
    );
  return { entries, rules };
}
