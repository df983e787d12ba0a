import { FILE_HEADERS_ONLY, formatPatch, OMIT_HEADERS, type StructuredPatch, structuredPatch } from 'diff';
import { detectLineEndings, splitKeepingEndings } from './line-endings.ts';
import { truncateLine, truncateLines } from './truncate.ts';

/** A change of one file: LF line ends, `/` in the path, and how many lines it adds and removes. */
export interface UnifiedDiff {
  readonly path: string;
  /** With file headers and never shortened, as it is what people say yes to; empty when nothing changes. */
  readonly unified: string;
  /** Without file headers, for reports; shortened where it or a line is long, which it says. */
  readonly hunks: string;
  readonly added: number;
  readonly removed: number;
}

const MAX_LINES = 400;
const MAX_LINE_LENGTH = 500;

/** Beyond so many changed lines the shortest diff is not searched for: the time for it grows with the square. */
const MAX_CHANGED_LINES = 1_000;

/**
 * The difference between two texts of a file; `before` is absent for a file that is created. CRs at line ends are
 * left out when all lines of both texts have them, and shown as `␍` otherwise, so that a change of endings is seen.
 */
export function unifiedDiff(path: string, before: string | undefined, after: string): UnifiedDiff {
  const show = showLineEnds(before ?? '', after);
  const from = before === undefined ? '/dev/null' : `a/${path}`;
  const patch = comparePatch(from, `b/${path}`, show(before ?? ''), show(after));
  const changes = patch.hunks.flatMap((hunk) => hunk.lines);
  const isEmpty = changes.length === 0;
  return {
    path,
    unified: isEmpty ? '' : withoutLastLineFeed(formatPatch(patch, FILE_HEADERS_ONLY)),
    hunks: isEmpty ? '' : shorten(formatPatch(patch, OMIT_HEADERS)),
    added: changes.filter((line) => line.startsWith('+')).length,
    removed: changes.filter((line) => line.startsWith('-')).length,
  };
}

function comparePatch(from: string, to: string, before: string, after: string): StructuredPatch {
  const options = { context: 3, maxEditLength: MAX_CHANGED_LINES };
  const shortest = structuredPatch(from, to, before, after, undefined, undefined, options);
  if (shortest !== undefined) return shortest;
  const [oldLines, newLines] = [splitKeepingEndings(before), splitKeepingEndings(after)];
  const hunk = {
    oldStart: 1,
    oldLines: oldLines.length,
    newStart: 1,
    newLines: newLines.length,
    lines: [...markLines('-', oldLines), ...markLines('+', newLines)],
  };
  return { ...structuredPatch(from, to, '', ''), hunks: [hunk] };
}

/** The lines as a patch has them, with its note on a last line that does not end. */
function markLines(sign: '-' | '+', lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => {
    return line.endsWith('\n') ? [sign + line.slice(0, -1)] : [sign + line, '\\ No newline at end of file'];
  });
}

function showLineEnds(before: string, after: string): (text: string) => string {
  const styles = [detectLineEndings(before), detectLineEndings(after)].filter((style) => style !== 'none');
  const isAllCrlf = styles.length > 0 && styles.every((style) => style === 'crlf');
  return (text) => text.replaceAll('\r\n', isAllCrlf ? '\n' : '␍\n');
}

function withoutLastLineFeed(diff: string): string {
  return diff.replace(/\n$/, '');
}

function shorten(diff: string): string {
  const lines = withoutLastLineFeed(diff).split('\n');
  return truncateLines(
    lines.map((line) => truncateLine(line, MAX_LINE_LENGTH)),
    MAX_LINES,
  ).join('\n');
}
