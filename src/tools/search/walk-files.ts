import { FileSystemError } from '../../agent/errors.ts';
import { foldSpecial } from '../../policy/paths/fold-name.ts';
import { secretName } from '../../policy/paths/name-kind.ts';
import {
  classOfPlace,
  displayPath,
  holdsSecrets,
  type PathRules,
  pathFlavour,
  placesBeneath,
} from '../../policy/paths/path-policy.ts';
import { compareCodePoints } from '../../text/compare-code-points.ts';
import { TreeRules } from './ignore-rules.ts';
import { createSkippedFiles } from './search-notes.ts';
import type { ListedEntry, SkippedFiles, TreeFiles, TreeQuery } from './text-search.ts';

/** The maximum number of entries of a walk, and of names in a path. */
export const MAX_ENTRIES = 200_000;
const MAX_DEPTH = 100;
/** The number of entries after which the rest of a part is left to others. */
const ENTRIES_PER_PART = 2_000;

/** A part of a walk: the wanted paths beneath some directories, in any order, and the remaining directories. */
export interface WalkedPart {
  readonly paths: readonly string[];
  /** The walked directories with what is wanted of them; only if `maxBytes` is given. */
  readonly directories: readonly WalkedDirectory[];
  /** The wanted files of the directories of which only some are wanted; only if `maxBytes` is given. */
  readonly single: readonly string[];
  readonly rest: readonly string[];
  /** The number of entries, wanted or not. */
  readonly entries: number;
  readonly skipped: SkippedFiles;
}

/** `all`: every entry of the directory is wanted or no file. `files`: all its files are, whatever their sizes. */
export type WalkedDirectory = readonly [path: string, wanted: 'all' | 'files' | 'some'];

/**
 * The wanted part of a tree: every path, of directories too, or the files whose content may be searched. `maxBytes`:
 * larger files of directories of which only some are wanted are left out.
 */
export type WalkPurpose =
  | { readonly type: 'paths'; readonly test: (path: string) => boolean }
  | { readonly type: 'contents'; readonly test: (path: string) => boolean; readonly maxBytes?: number | undefined };

/**
 * Creates the function that walks parts of a tree. Directories are relative to the root, with `/`; '' is the root. A
 * part depends only on its directories. Links are not followed; `.git`, blocked and ignored paths are skipped.
 */
export function createTreeWalk(
  query: TreeQuery,
  purpose: WalkPurpose,
  files: TreeFiles,
): (directories: readonly string[]) => WalkedPart {
  const { root, pathRules, maxDepth = MAX_DEPTH } = query;
  const { sep } = pathFlavour(pathRules.platform);
  const base = root.endsWith(sep) ? root : `${root}${sep}`;
  const realPathOf = (path: string): string => `${base}${sep === '/' ? path : path.replaceAll('/', sep)}`;
  const scope = query.glob === undefined ? WHOLE_TREE : scopeOfGlob(query.glob);
  const rules = new TreeRules(root, pathRules, files);
  // An approval for one place does not cover another that asks.
  const placeOf = placesBeneath(root, pathRules) ? (path: string) => classOfPlace(path, pathRules) : undefined;
  const rootPlace = classOfPlace(root, pathRules);

  return (parts) => {
    const skipped = createSkippedFiles();
    const paths: string[] = [];
    const directories: WalkedDirectory[] = [];
    const single: string[] = [];
    const pending = [...parts].reverse();
    let entries = 0;

    const visit = (directory: string, found: readonly ListedEntry[] | undefined): void => {
      const listed = found ?? [];
      const depth = directory === '' ? 0 : directory.split('/').length;
      const ignored = rules.of(directory, listed, skipped);
      const wanted = scope.leading[depth];
      const parent = foldSpecial(directory.slice(directory.lastIndexOf('/') + 1));
      const searchable: string[] = [];
      const waiting = pending.length;
      for (const entry of [...listed].sort(byName)) {
        const { name, kind } = entry;
        if (name.toLowerCase() === '.git' || (wanted !== undefined && wanted !== name)) continue;
        const path = directory === '' ? name : `${directory}/${name}`;
        entries += 1;
        if (kind === 'unnamed') skipped.unnamed++;
        else if (placeOf !== undefined && differs(placeOf(realPathOf(path)), rootPlace)) skipped.blocked++;
        else if (ignored(path, kind)) skipped.ignored++;
        else if (rules.isPackages(entry)) skipped.packages++;
        else if (kind === 'directory') {
          if (purpose.type === 'paths' && purpose.test(`${path}/`)) paths.push(`${path}/`);
          if (depth + 1 >= maxDepth) skipped.limit = depthLimit(maxDepth);
          else if (depth + 1 < scope.maxDepth) pending.push(path);
        } else if (purpose.type === 'paths') {
          if (purpose.test(path)) paths.push(path);
        } else if (kind === 'link') skipped.links++;
        else if (kind === 'file' && purpose.test(path) && !isSecret(path, parent, name)) searchable.push(path);
      }
      const { maxBytes } = purpose.type === 'contents' ? purpose : {};
      if (maxBytes === undefined) {
        for (const path of searchable) paths.push(path);
        return;
      }
      const hasAllFiles = found !== undefined && searchable.length === listed.filter(mayBeFile).length;
      const hasAll = hasAllFiles && pending.length - waiting === listed.filter(isDirectory).length;
      directories.push([directory, hasAll ? 'all' : hasAllFiles ? 'files' : 'some']);
      for (const path of searchable) {
        if (!hasAllFiles && sizeOf(realPathOf(path), files) > maxBytes) {
          skipped.tooLarge++;
          continue;
        }
        paths.push(path);
        if (!hasAllFiles) single.push(path);
      }
    };

    const isSecret = (path: string, parent: string, name: string): boolean => {
      // Such a file is searched alone, after a question. The first look is cheap enough for every file.
      if (secretName([parent, foldSpecial(name)]) === undefined) return false;
      if (!holdsSecrets(realPathOf(path), pathRules)) return false;
      skipped.secret++;
      return true;
    };

    while (entries < ENTRIES_PER_PART) {
      const directory = pending.pop();
      if (directory === undefined) break;
      const listed = listDirectory(directory === '' ? root : realPathOf(directory), skipped, files, pathRules);
      visit(directory, listed);
    }
    files.close();
    return { paths, directories, single, rest: pending.reverse(), entries, skipped };
  };
}

function isDirectory({ kind }: ListedEntry): boolean {
  return kind === 'directory';
}

/** An entry whose name is not Unicode may be a file, too. */
function mayBeFile({ kind }: ListedEntry): boolean {
  return kind === 'file' || kind === 'unnamed';
}

function differs(place: string, rootPlace: string): boolean {
  return place !== 'ordinary' && place !== rootPlace;
}

function depthLimit(maxDepth: number): string {
  return `directories more than ${maxDepth} levels deep were skipped. Use a deeper path.`;
}

function byName(one: ListedEntry, other: ListedEntry): number {
  return one.name < other.name ? -1 : 1;
}

/** The size of a file; 0 if it cannot be read, so that the search reports the reason. */
function sizeOf(file: string, files: TreeFiles): number {
  try {
    return files.size(file);
  } catch (error) {
    if (error instanceof FileSystemError) return 0;
    throw error;
  }
}

/** The entries of a directory; `undefined` if it cannot be read. */
function listDirectory(
  directory: string,
  skipped: SkippedFiles,
  files: TreeFiles,
  pathRules: PathRules,
): readonly ListedEntry[] | undefined {
  try {
    return files.list(directory);
  } catch (error) {
    if (!(error instanceof FileSystemError)) throw error;
    // A directory that was deleted during the walk is not an error.
    if (error.code !== 'not_found') skipped.unreadable.push(displayPath(directory, pathRules));
    return undefined;
  }
}

const BEYOND_BASIC_PLANE = /[\ud800-\udfff]/;

/** Sorts paths in code-point order. */
export function sortPaths(paths: string[]): string[] {
  // The order of UTF-16 units differs only for these, and is much faster to establish.
  paths.sort();
  return paths.some((path) => BEYOND_BASIC_PLANE.test(path)) ? paths.sort(compareCodePoints) : paths;
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
const WHOLE_TREE: WalkScope = { leading: [], maxDepth: Number.POSITIVE_INFINITY };

/** The scope of a glob. It may be too large, but never too small. */
export function scopeOfGlob(glob: string): WalkScope {
  const names = glob.split('/').filter((name) => name !== '');
  const special = names.findIndex((name) => SPECIAL.test(name));
  return {
    leading: special === -1 ? names : names.slice(0, special),
    maxDepth: SPANS_NAMES.test(glob) ? Number.POSITIVE_INFINITY : names.length,
  };
}
