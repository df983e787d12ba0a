import { formatPatch, OMIT_HEADERS, type StructuredPatch, structuredPatch } from 'diff';
import { detectLineEndings, splitKeepingEndings } from './line-endings.ts';
import { truncateLine, truncateLines } from './truncate.ts';

/** The diff of one file, with LF line endings and `/` in its path. */
export interface UnifiedDiff {
  readonly path: string;
  /** With file headers. Never truncated, because people approve it. Empty if nothing changes. */
  readonly unified: string;
  /** Without file headers, for reports. Long diffs and lines are truncated with a note. */
  readonly hunks: string;
  readonly added: number;
  readonly removed: number;
}

const MAX_LINES = 400;
const MAX_LINE_LENGTH = 500;

/** A diff of more changed lines need not be the shortest one, because finding that takes quadratic time. */
const MAX_CHANGED_LINES = 1_000;

/**
 * The diff between two versions of a file; `before` is `undefined` for a new file. The CR of CRLF is omitted if all
 * lines of both versions have one. Otherwise it is shown as `␍`, so that a change of line endings is visible.
 */
export function unifiedDiff(path: string, before: string | undefined, after: string): UnifiedDiff {
  const formatLineEnds = createLineEndFormatter(before ?? '', after);
  const from = before === undefined ? '/dev/null' : `a/${path}`;
  const patch = comparePatch(formatLineEnds(before ?? ''), formatLineEnds(after));
  const changes = patch.hunks.flatMap((hunk) => hunk.lines);
  const isEmpty = changes.length === 0;
  const hunks = isEmpty ? '' : withoutLastLineFeed(formatPatch(patch, OMIT_HEADERS));
  return {
    path,
    unified: isEmpty ? '' : `--- ${quoteName(from)}\n+++ ${quoteName(`b/${path}`)}\n${hunks}`,
    hunks: isEmpty ? '' : truncateHunks(hunks),
    added: changes.filter((line) => line.startsWith('+')).length,
    removed: changes.filter((line) => line.startsWith('-')).length,
  };
}

/** Quotes a name that would be misread in a header. Other characters stay readable, unlike in the headers of `diff`. */
function quoteName(name: string): string {
  return /["\\\p{Cc}\u2028\u2029]/u.test(name) ? JSON.stringify(name) : name;
}

function comparePatch(before: string, after: string): StructuredPatch {
  const options = { context: 3, maxEditLength: MAX_CHANGED_LINES };
  const shortest = structuredPatch('', '', before, after, undefined, undefined, options);
  if (shortest !== undefined) return shortest;
  const [oldLines, newLines] = [splitKeepingEndings(before), splitKeepingEndings(after)];
  const hunk = {
    oldStart: 1,
    oldLines: oldLines.length,
    newStart: 1,
    newLines: newLines.length,
    lines: [...markLines('-', oldLines), ...markLines('+', newLines)],
  };
  return { ...structuredPatch('', '', '', ''), hunks: [hunk] };
}

/** The lines of a patch, with the usual note after a last line that has no line ending. */
function markLines(sign: '-' | '+', lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => {
    return line.endsWith('\n') ? [sign + line.slice(0, -1)] : [sign + line, '\\ No newline at end of file'];
  });
}

function createLineEndFormatter(before: string, after: string): (text: string) => string {
  const styles = [detectLineEndings(before), detectLineEndings(after)].filter((style) => style !== 'none');
  const isAllCrlf = styles.length > 0 && styles.every((style) => style === 'crlf');
  return (text) => text.replaceAll('\r\n', isAllCrlf ? '\n' : '␍\n');
}

function withoutLastLineFeed(diff: string): string {
  return diff.replace(/\n$/, '');
}

function truncateHunks(diff: string): string {
  const lines = diff.split('\n');
  return truncateLines(
    lines.map((line) => truncateLine(line, MAX_LINE_LENGTH)),
    MAX_LINES,
  ).join('\n');
}
