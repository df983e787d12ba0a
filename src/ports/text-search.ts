/** Which paths a glob names. Paths have `/` between their parts; those of directories end with it. */
export interface GlobQuery {
  readonly glob: string;
  /** This many paths are told; the rest is only counted. */
  readonly maxPaths: number;
}

/** Which lines a regular expression is found in. */
export interface LineQuery {
  /** Source and flags of a JavaScript regular expression, known to compile. */
  readonly source: string;
  readonly flags: string;
  /** How many lines before and after a matching line are told with it. */
  readonly contextLines: number;
  /** This many matching lines are told; the rest is only counted, per file. */
  readonly maxLines: number;
  /** Longer lines are cut to this many characters, around the match. */
  readonly maxLineLength: number;
}

/** The bytes of one text file in UTF-8, under the path that findings name it by. */
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

/** The last thing a search says. `deadline`: it took too long and was stopped after so many milliseconds. */
export type SearchEnd =
  | { readonly type: 'end'; readonly cause: 'completed' | 'aborted' }
  | { readonly type: 'end'; readonly cause: 'deadline'; readonly afterMs: number }
  | { readonly type: 'end'; readonly cause: 'failed'; readonly reason: string };

/**
 * Runs patterns nobody has checked, apart from the event loop and with a deadline that even a pattern that never comes
 * back cannot outlast.
 *
 * Contract: input is taken in batches as it comes and findings are told in its order, one by one, so that what was
 * found before a deadline is kept. The last thing told is one `end`. Throws only what `batches` throws. Soon after
 * `signal` aborts it ends with `aborted`. The input is closed at the end, also when the consumer leaves early. Several
 * searches may run side by side; one that is stopped does not touch the others.
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
