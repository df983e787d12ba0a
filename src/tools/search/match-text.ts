import { Minimatch } from 'minimatch';
import { splitLines } from '../../text/line-endings.ts';
import { truncateAround } from '../../text/truncate.ts';
import type { GlobQuery, LineFinding, LineQuery, PathFinding, SearchableFile } from './text-search.ts';

/** The range of a match in a line, in UTF-16 units. */
export interface LineMatch {
  readonly start: number;
  readonly length: number;
}

/** Tests a path against a glob. */
export type TestPath = (path: string) => boolean;
/** Finds the first match in a line. */
export type FindInLine = (line: string) => LineMatch | undefined;

/** More than any sensible glob needs. The matcher silently ignores alternatives beyond its limit. */
const MAX_ALTERNATIVES = 1_000;

/**
 * Compiles a glob. `*` and `**` also match names with a leading dot; `!` and `#` are ordinary characters. Throws if the
 * braces expand to too many patterns.
 */
export function compileGlob(glob: string): TestPath {
  const options = { dot: true, nonegate: true, nocomment: true, platform: 'linux' } as const;
  const matcher = new Minimatch(glob, { ...options, braceExpandMax: MAX_ALTERNATIVES + 1 });
  if (matcher.globSet.length > MAX_ALTERNATIVES) {
    throw new Error(`its braces expand to more than ${MAX_ALTERNATIVES} patterns`);
  }
  return (path) => matcher.match(path);
}

/** Compiles a regular expression to a function that searches one line. */
export function compileRegex({ source, flags }: Pick<LineQuery, 'source' | 'flags'>): FindInLine {
  const regex = new RegExp(source, flags);
  return (line) => {
    const match = regex.exec(line);
    return match === null ? undefined : { start: match.index, length: match[0].length };
  };
}

/** Creates a function that tests one batch of paths at a time. `maxPaths` limits all batches together. */
export function createPathFinder(
  query: GlobQuery,
  test: TestPath,
): (paths: readonly string[]) => Generator<PathFinding, void> {
  let shown = 0;
  return function* findPaths(paths) {
    let more = 0;
    for (const path of paths) {
      if (!test(path)) continue;
      if (shown++ < query.maxPaths) yield { type: 'path', path };
      else more++;
    }
    if (more > 0) yield { type: 'more_paths', count: more };
  };
}

/** Creates a function that searches one file at a time. `maxLines` limits all files together. */
export function createLineFinder(
  query: LineQuery,
  find: FindInLine,
): (file: SearchableFile) => Generator<LineFinding, void> {
  const decoder = new TextDecoder();
  let shown = 0;
  return function* findLines({ path, bytes }) {
    const lines = splitLines(decoder.decode(bytes));
    const contextLines = (from: number, to: number): string[] =>
      lines
        .slice(Math.max(0, from), to)
        .map((line) => truncateAround(line, { start: 0, length: 0 }, query.maxLineLength));
    let more = 0;
    for (const [index, line] of lines.entries()) {
      const match = find(line);
      if (match === undefined) continue;
      if (shown++ >= query.maxLines) {
        more++;
        continue;
      }
      yield {
        type: 'line',
        path,
        number: index + 1,
        text: truncateAround(line, match, query.maxLineLength),
        before: contextLines(index - query.contextLines, index),
        after: contextLines(index + 1, index + 1 + query.contextLines),
      };
    }
    if (more > 0) yield { type: 'more_lines', path, count: more };
  };
}
