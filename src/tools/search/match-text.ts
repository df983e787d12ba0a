import { Minimatch } from 'minimatch';
import type { GlobQuery, LineFinding, LineQuery, PathFinding, SearchableFile } from '../../ports/text-search.ts';
import { splitLines } from '../../text/line-endings.ts';
import { truncateAround } from '../../text/truncate.ts';

/** Where in a line a match is. */
export interface LineMatch {
  readonly start: number;
  readonly length: number;
}

export type TestPath = (path: string) => boolean;
export type FindInLine = (line: string) => LineMatch | undefined;

/** No glob that somebody means needs more; the matcher itself would leave out the rest without a word. */
const MAX_ALTERNATIVES = 1_000;

/**
 * The test behind a glob: `*` and `**` match names with a leading dot too, `!` and `#` are plain characters. Throws
 * when its braces stand for too many patterns.
 */
export function compileGlob(glob: string): TestPath {
  const options = { dot: true, nonegate: true, nocomment: true, platform: 'linux' } as const;
  const matcher = new Minimatch(glob, { ...options, braceExpandMax: MAX_ALTERNATIVES + 1 });
  if (matcher.globSet.length > MAX_ALTERNATIVES) {
    throw new Error(`its braces stand for more than ${MAX_ALTERNATIVES} patterns`);
  }
  return (path) => matcher.match(path);
}

/** Finds the first match in a line. */
export function compileRegex({ source, flags }: Pick<LineQuery, 'source' | 'flags'>): FindInLine {
  const regex = new RegExp(source, flags);
  return (line) => {
    const match = regex.exec(line);
    return match === null ? undefined : { start: match.index, length: match[0].length };
  };
}

/** Matches batch after batch of paths; `maxPaths` counts over all of them. */
export function createPathFinder(
  query: GlobQuery,
  test: TestPath,
): (paths: readonly string[]) => Generator<PathFinding, void> {
  let told = 0;
  return function* findPaths(paths) {
    let more = 0;
    for (const path of paths) {
      if (!test(path)) continue;
      if (told++ < query.maxPaths) yield { type: 'path', path };
      else more++;
    }
    if (more > 0) yield { type: 'more_paths', count: more };
  };
}

/** Matches file after file, line by line; `maxLines` counts over all of them. */
export function createLineFinder(
  query: LineQuery,
  find: FindInLine,
): (file: SearchableFile) => Generator<LineFinding, void> {
  const decoder = new TextDecoder();
  let told = 0;
  return function* findLines({ path, bytes }) {
    const lines = splitLines(decoder.decode(bytes));
    const surroundings = (from: number, to: number): string[] =>
      lines
        .slice(Math.max(0, from), to)
        .map((line) => truncateAround(line, { start: 0, length: 0 }, query.maxLineLength));
    let more = 0;
    for (const [index, line] of lines.entries()) {
      const match = find(line);
      if (match === undefined) continue;
      if (told++ >= query.maxLines) {
        more++;
        continue;
      }
      yield {
        type: 'line',
        path,
        number: index + 1,
        text: truncateAround(line, match, query.maxLineLength),
        before: surroundings(index - query.contextLines, index),
        after: surroundings(index + 1, index + 1 + query.contextLines),
      };
    }
    if (more > 0) yield { type: 'more_lines', path, count: more };
  };
}
