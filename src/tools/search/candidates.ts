import type { WalkedPart } from './walk-files.ts';

/** Files of which some are searched for texts. Paths are relative to the root. */
export interface CandidateQuery {
  readonly root: string;
  /** Directories with all that is below them. Only regular files are searched that are not larger than `maxBytes`. */
  readonly trees: readonly string[];
  /** Directories without what is below them, in the same way. */
  readonly directories: readonly string[];
  readonly files: readonly string[];
  readonly maxBytes: number;
  /** A candidate contains one of them, in any case if `ignoresCase`. */
  readonly texts: readonly string[];
  readonly ignoresCase: boolean;
}

/** The files that contain one of the texts, and the number of files that were searched for them. */
export interface Candidates {
  readonly paths: readonly string[];
  readonly searched: number;
}

/** Finds candidates faster than the threads: may name more, never fewer. `undefined` if it cannot tell. */
export type FindCandidates = (query: CandidateQuery, signal: AbortSignal) => Promise<Candidates | undefined>;

/**
 * The places of a walk: the largest trees of which everything is wanted, the other directories of which all files are,
 * and single files. A walk that a limit has ended knows no tree to its end.
 */
export function candidatePlaces({
  directories,
  single,
  skipped,
}: Pick<WalkedPart, 'directories' | 'single' | 'skipped'>): Pick<CandidateQuery, 'trees' | 'directories' | 'files'> {
  const isComplete = skipped.limit === undefined;
  const broken = new Set<string>();
  for (const [path, wanted] of directories) {
    if (wanted === 'all') continue;
    for (let above = path; !broken.has(above); above = parentOf(above)) broken.add(above);
  }
  const isTree = (path: string): boolean => isComplete && !broken.has(path);
  const paths = directories.map(([path]) => path);
  return {
    trees: paths.filter((path) => isTree(path) && (path === '' || !isTree(parentOf(path)))),
    directories: directories.filter(([path, wanted]) => wanted !== 'some' && !isTree(path)).map(([path]) => path),
    files: single,
  };
}

/** The directory above a relative path; '' for that of the root and of what is in it. */
function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
