/** Query for the paths that a glob matches. Paths have `/` between their parts; paths of directories end with it. */
export interface GlobQuery {
  readonly glob: string;
  /** At most this many paths are reported; the rest are counted. */
  readonly maxPaths: number;
}

/** Query for the lines that a regular expression matches. */
export interface LineQuery {
  /** Source and flags of a JavaScript regular expression, known to compile. */
  readonly source: string;
  readonly flags: string;
  /** Number of lines before and after a matching line that are reported with it. */
  readonly contextLines: number;
  /** At most this many matching lines are reported; the rest are counted, per file. */
  readonly maxLines: number;
  /** Longer lines are cut to this many characters, around the match. */
  readonly maxLineLength: number;
}

/** One text file in UTF-8, with the path for its findings. */
export interface SearchableFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** One matching path, or how many more there are beyond `maxPaths`. */
export type PathFinding =
  | { readonly type: 'path'; readonly path: string }
  | { readonly type: 'more_paths'; readonly count: number };

/** One matching line with its surroundings, or how many more a file has beyond `maxLines`. */
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

/** The end of a search. `deadline`: it took too long and was stopped after `afterMs` milliseconds. */
export type SearchEnd =
  | { readonly type: 'end'; readonly cause: 'completed' | 'aborted' }
  | { readonly type: 'end'; readonly cause: 'deadline'; readonly afterMs: number }
  | { readonly type: 'end'; readonly cause: 'failed'; readonly reason: string };

/**
 * Runs unchecked patterns outside the event loop, with a deadline that holds even for a pattern that never returns.
 *
 * Contract: input is taken in batches as it arrives, and findings are yielded one by one in the order of the input, so
 * that findings before a deadline are kept. The last one is an `end`. Throws only what `batches` throws. Soon after
 * `signal` aborts it ends with `aborted`. The input is closed at the end, also when the consumer leaves early. Several
 * searches may run in parallel; one that is stopped does not touch the others.
 */
export interface TextSearch {
  matchPaths(
    query: GlobQuery,
    batches: AsyncIterable<readonly string[]>,
    signal: AbortSignal,
  ): AsyncIterable<PathFinding | SearchEnd>;
  matchLines(
    query: LineQuery,
    batches: AsyncIterable<readonly SearchableFile[]>,
    signal: AbortSignal,
  ): AsyncIterable<LineFinding | SearchEnd>;
}
