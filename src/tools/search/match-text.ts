import { Minimatch } from 'minimatch';
import { splitLines } from '../../text/line-endings.ts';
import { truncateAround } from '../../text/truncate.ts';
import type { LineFinding, LinePattern, TreeFile } from './text-search.ts';

/** The range of a match in a line, in UTF-16 units. */
export interface LineMatch {
  readonly start: number;
  readonly length: number;
}

/** Tests a path against a glob. */
export type TestPath = (path: string) => boolean;
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
export function compileRegex({ source, flags }: Pick<LinePattern, 'source' | 'flags'>): FindInLine {
  const regex = new RegExp(source, flags);
  return (line) => {
    const match = regex.exec(line);
    return match === null ? undefined : { start: match.index, length: match[0].length };
  };
}

/** Creates a function that searches the text of one file. `maxLines` limits all files together. */
export function createLineFinder(
  query: LinePattern,
  find: FindInLine,
): (path: string, text: string) => Generator<LineFinding, void> {
  let shown = 0;
  return function* findLines(path, text) {
    const lines = splitLines(text);
    const contextLines = (from: number, to: number): string[] =>
      lines
        .slice(Math.max(0, from), to)
        .map((line) => truncateAround(line, { start: 0, length: 0 }, query.maxLineLength));
    let more = 0;
    for (const [index, line] of lines.entries()) {
      const match = find(line);
      if (match === undefined) continue;
      if (shown >= query.maxLines) {
        more++;
        continue;
      }
      shown++;
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

/** A part of an expression outside groups and classes: an escape, a quantifier, or one character. */
const PART = /\\(?:[xuUpPkc].*|[0-9a-zA-Z]|.)|\[(?:\\.|[^\]\\])*\]|[*+?]\??|\{\d*,?\d*\}\??|./gsu;
/** Shorter texts are in nearly every file. */
const MIN_LITERAL = 2;

/**
 * Texts of which every matching line contains at least one, in ASCII; `undefined` if the expression has none. The text is
 * found in another case if the expression ignores case.
 */
export function requiredTexts(source: string): readonly string[] | undefined {
  const texts: string[] = [];
  let best = '';
  let run = '';
  const endRun = (): void => {
    if (run.length > best.length) best = run;
    run = '';
  };
  let depth = 0;
  for (const [part] of source.matchAll(PART)) {
    if (/^\\[xuUpPkc]/.test(part)) return undefined;
    if (part === '(') depth++;
    if (depth > 0 || part === ')') {
      if (part === ')') depth--;
      endRun();
    } else if (part === '|') {
      endRun();
      if (best.length < MIN_LITERAL) return undefined;
      texts.push(best);
      best = '';
    } else if (/^[*?]/.test(part) || /^\{[0,]/.test(part)) {
      // What is before it may be missing.
      run = run.slice(0, -1);
      endRun();
    } else if (/^[+{]/.test(part)) endRun();
    else if (/^\\[^0-9a-zA-Z]$/.test(part)) run += part.slice(1);
    else if (/^[ -~]$/.test(part) && !'^$.'.includes(part)) run += part;
    else endRun();
  }
  endRun();
  if (depth !== 0 || best.length < MIN_LITERAL) return undefined;
  return [...texts, best];
}

/**
 * A part of a text of `requiredTexts` as its bytes in UTF-16, in either byte order. Its first byte differs from that of
 * the text, because ripgrep is slow with two patterns that begin with the same byte.
 */
export function bareUtf16Form(text: string): string {
  return text.length === MIN_LITERAL ? [...text].join('\0') : `\0${[...text.slice(1, 4)].join('\0')}`;
}

/** The length of the start of a text in UTF-16 without a byte order mark in which it has a zero byte. */
const INSPECTED_BYTES = 8_192;

/** Tests the bytes of a file for texts of `requiredTexts`. It may find one that the expression does not match. */
export function createBytesTest(texts: readonly string[], ignoresCase: boolean): (file: TreeFile) => boolean {
  const inBytes = createPlainTest(texts, ignoresCase);
  const inUtf16 = createPlainTest(texts.map(bareUtf16Form), ignoresCase);
  return (file) => inBytes(file) || (file.bytes.subarray(0, INSPECTED_BYTES).includes(0) && inUtf16(file));
}

function createPlainTest(texts: readonly string[], ignoresCase: boolean): (file: TreeFile) => boolean {
  if (!ignoresCase) return (file) => texts.some((text) => file.contains(text));
  const escaped = texts.map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  // The letters whose other case is no ASCII letter: the long s and the Kelvin sign, in UTF-8.
  const folded = escaped.map((text) =>
    text.replaceAll(/s/gi, '(?:s|\u00c5\u00bf)').replaceAll(/k/gi, '(?:k|\u00e2\u0084\u00aa)'),
  );
  const pattern = new RegExp(folded.join('|'), 'i');
  return (file) => pattern.test(file.latin1());
}
