import type { PathRules } from '../../policy/paths/path-policy.ts';

/** The tree to walk: a real directory and the rules for its paths, and which of the paths are wanted. */
export interface TreeQuery {
  readonly root: string;
  readonly pathRules: PathRules;
  /** Paths have `/` between their names; those of directories end with it. Absent: every path is wanted. */
  readonly glob: string | undefined;
  readonly maxEntries?: number;
  readonly maxDepth?: number;
}

/** Query for paths. At most `maxPaths` are reported; the rest are counted. */
export interface PathQuery extends TreeQuery {
  readonly glob: string;
  readonly maxPaths: number;
}

/** Query for the lines that a regular expression matches in the files of a tree. */
export interface LineQuery extends TreeQuery {
  /** The root is a file, which is searched whatever its name. */
  readonly isFile: boolean;
  readonly lines: LinePattern;
}

/** Lines to find, and how much of each is reported. */
export interface LinePattern {
  /** Source and flags of a JavaScript regular expression, known to compile. */
  readonly source: string;
  readonly flags: string;
  /** Number of lines before and after a matching line that are reported with it. */
  readonly contextLines: number;
  /** The maximum number of reported matching lines; the rest are counted, per file. */
  readonly maxLines: number;
  /** Longer lines are cut to this many characters, around the match. */
  readonly maxLineLength: number;
}

/** One matching line with its surroundings, or how many more a file has beyond `maxLines`. `path` is a display path. */
export type LineFinding =
  | {
      readonly type: 'line';
      readonly path: string;
      /** Counted from 1. */
      readonly number: number;
      readonly text: string;
      readonly before: readonly string[];
      readonly after: readonly string[];
    }
  | { readonly type: 'more_lines'; readonly path: string; readonly count: number };

/**
 * The end of a search. `deadline`: a pattern, or the disk, took too long, and was stopped after `afterMs` milliseconds.
 * `enough`: far more lines match than are reported.
 */
export type SearchEnd =
  | { readonly type: 'end'; readonly cause: 'completed' | 'aborted' | 'enough' }
  | { readonly type: 'end'; readonly cause: 'deadline'; readonly afterMs: number }
  | { readonly type: 'end'; readonly cause: 'failed'; readonly reason: string };

/** The entries that a walk or a search has skipped so far, counted by reason. */
export interface SkippedFiles {
  /** Entries that `.gitignore` rules ignore. The contents of an ignored directory are not counted. */
  ignored: number;
  /** Directories of installed packages, in a workspace without a `.gitignore`. */
  packages: number;
  /** Entries that the path rules block. */
  blocked: number;
  /** Files whose names say that they hold secrets. */
  secret: number;
  links: number;
  /** Entries whose names are not Unicode. */
  unnamed: number;
  binary: number;
  tooLarge: number;
  /** Display paths of the directories and files that could not be read. */
  readonly unreadable: string[];
  /** A description of the limit that ended the walk early. */
  limit?: string;
}

/** The paths that were found, relative to the root, in code-point order, and how many there are. */
export interface PathResult {
  readonly paths: readonly string[];
  readonly total: number;
  readonly skipped: SkippedFiles;
  readonly end: SearchEnd;
}

/** The lines that were found, in the code-point order of their files, and the number of files that were searched. */
export interface LineResult {
  readonly findings: readonly LineFinding[];
  readonly files: number;
  readonly skipped: SkippedFiles;
  readonly end: SearchEnd;
}

/**
 * Walks trees and runs unchecked patterns outside the event loop, with a deadline that holds even for a pattern that
 * never returns.
 *
 * Contract: what is found depends on the tree and the query alone, not on the number of threads or on chance. Links are
 * not followed; `.git`, blocked and ignored paths and files that may hold secrets are not opened. Findings before a deadline
 * are kept. Soon after `signal` aborts, the end is `aborted`. Several searches may run at the same time.
 */
export interface TextSearch {
  findPaths(query: PathQuery, signal: AbortSignal): Promise<PathResult>;
  findLines(query: LineQuery, signal: AbortSignal): Promise<LineResult>;
}

/**
 * The files of a tree, read at once. Paths are real; every call throws only `FileSystemError`, `moved` if a part of the path
 * has become a link.
 */
export interface TreeFiles {
  /** The entries of a directory in any order. */
  list(directory: string): readonly ListedEntry[];
  size(file: string): number;
  /** The start of a regular file, valid until the next call. */
  read(file: string, maxBytes: number): TreeFile;
  /** Releases resources that are kept for the next call. */
  close(): void;
}

/** The first bytes of a file, and its size. */
export interface TreeFile {
  readonly bytes: Uint8Array;
  readonly size: number;
  /** True if the bytes contain a text in ASCII. */
  contains(text: string): boolean;
  /** The bytes as characters from U+0000 to U+00FF. */
  latin1(): string;
}

/** An entry of a directory. `unnamed`: its name is not Unicode, so that no path leads to it. */
export interface ListedEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'link' | 'other' | 'unnamed';
}
