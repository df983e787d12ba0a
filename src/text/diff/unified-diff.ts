import { detectLineEndings } from '../line-endings.ts';
import { LINES_PER_STEP, type Steps } from '../steps.ts';
import { omittedLines, truncateLine } from '../truncate.ts';
import { diffLines, type IndexedText, indexLines, type LineChange, lineAt } from './line-diff.ts';

/** The diff of one file, with LF line endings and `/` in its path. */
export interface UnifiedDiff {
  readonly path: string;
  /**
   * With file headers, for people who approve it. Complete except for very long diffs, which nobody reads and which are
   * truncated with notes. Empty if nothing changes.
   */
  readonly unified: string;
  /** Without file headers, for reports. Long diffs and lines are truncated with a note. */
  readonly hunks: string;
  readonly added: number;
  readonly removed: number;
}

/** The maximum number and length of the lines of a diff that is shown. */
interface DiffLimits {
  readonly lines: number;
  readonly lineLength: number;
}

const REPORT: DiffLimits = { lines: 400, lineLength: 500 };
const COMPLETE: DiffLimits = { lines: 20_000, lineLength: 10_000 };
/** The limits of a diff that is longer than `MAX_COMPLETE_LENGTH` characters. */
const EXCERPT: DiffLimits = { lines: 1_000, lineLength: 1_000 };
const MAX_COMPLETE_LENGTH = 1_000_000;

const CONTEXT_LINES = 3;

/**
 * The diff between two versions of a file; `before` is `undefined` for a new file, and `after` for a removed one. The CR
 * of CRLF is omitted if all lines of both versions have one. Otherwise it is shown as `␍`, so that a change of line
 * endings is visible.
 */
export function* unifiedDiff(path: string, before: string | undefined, after: string | undefined): Steps<UnifiedDiff> {
  const oldText = yield* indexLines(before ?? '');
  const newText = yield* indexLines(after ?? '');
  const changes = yield* diffLines(oldText, newText);
  if (changes.length === 0) return { path, unified: '', hunks: '', added: 0, removed: 0 };
  const parts = partsOf(changes, oldText, newText);
  const showEnding = createLineEndFormatter(before ?? '', after ?? '');
  const complete = yield* render(parts, COMPLETE, showEnding);
  const shown = complete.length > MAX_COMPLETE_LENGTH ? yield* render(parts, EXCERPT, showEnding) : complete;
  const hunks = yield* render(parts, REPORT, showEnding);
  const name = path.startsWith('/') ? path : `/${path}`;
  const from = before === undefined ? '/dev/null' : `a${name}`;
  const to = after === undefined ? '/dev/null' : `b${name}`;
  return {
    path,
    unified: `--- ${quoteName(from)}\n+++ ${quoteName(to)}\n${shown}`,
    hunks,
    added: changes.reduce((sum, change) => sum + change.newEnd - change.newStart, 0),
    removed: changes.reduce((sum, change) => sum + change.oldEnd - change.oldStart, 0),
  };
}

/** Quotes a name that would be misread in a header. Other characters stay readable. */
function quoteName(name: string): string {
  return /["\\\p{Cc}\u2028\u2029]/u.test(name) ? JSON.stringify(name) : name;
}

/** Lines of a patch: one given line, or lines of a text after a sign. They are rendered only when they are shown. */
type Part =
  | { readonly type: 'line'; readonly line: string }
  | {
      readonly type: 'lines';
      readonly sign: ' ' | '-' | '+';
      readonly text: IndexedText;
      readonly start: number;
      readonly end: number;
    };

/** The lines of a patch with these changes, which must not be empty. */
function partsOf(changes: readonly LineChange[], oldText: IndexedText, newText: IndexedText): readonly Part[] {
  return inHunks(changes).flatMap((hunk) => {
    const context = Math.min(CONTEXT_LINES, hunk[0].oldStart);
    const start = { old: hunk[0].oldStart - context, new: hunk[0].newStart - context };
    const last = hunk.at(-1) ?? hunk[0];
    const after = Math.min(CONTEXT_LINES, oldText.count - last.oldEnd);
    const counts = { old: last.oldEnd + after - start.old, new: last.newEnd + after - start.new };
    const header = `@@ -${rangeOf(start.old, counts.old)} +${rangeOf(start.new, counts.new)} @@`;
    let next = start.old;
    const body = hunk.flatMap((change) => {
      const parts = [
        ...linesOf(' ', oldText, next, change.oldStart),
        ...linesOf('-', oldText, change.oldStart, change.oldEnd),
        ...linesOf('+', newText, change.newStart, change.newEnd),
      ];
      next = change.oldEnd;
      return parts;
    });
    return [{ type: 'line', line: header }, ...body, ...linesOf(' ', oldText, next, next + after)] as const;
  });
}

type Hunk = [LineChange, ...LineChange[]];

/** Groups changes whose contexts touch. */
function inHunks(changes: readonly LineChange[]): readonly Hunk[] {
  const hunks: Hunk[] = [];
  for (const change of changes) {
    const hunk = hunks.at(-1);
    const previous = hunk?.at(-1);
    if (hunk !== undefined && previous !== undefined && change.oldStart - previous.oldEnd <= 2 * CONTEXT_LINES) {
      hunk.push(change);
    } else {
      hunks.push([change]);
    }
  }
  return hunks;
}

/** The range of a hunk. An empty one names the line before it. */
function rangeOf(start: number, count: number): string {
  return `${count === 0 ? start : start + 1},${count}`;
}

/** Lines of a text, with the usual note after a last line that has no line ending. */
function linesOf(sign: ' ' | '-' | '+', text: IndexedText, start: number, end: number): readonly Part[] {
  if (start === end) return [];
  const lines: Part = { type: 'lines', sign, text, start, end };
  const isUnended = end === text.count && !text.text.endsWith('\n');
  return isUnended ? [lines, { type: 'line', line: '\\ No newline at end of file' }] : [lines];
}

/** Renders a patch; a long one is truncated in the middle, with a note. */
function* render(parts: readonly Part[], limits: DiffLimits, showEnding: (line: string) => string): Steps<string> {
  const total = parts.reduce((sum, part) => sum + sizeOf(part), 0);
  const show = (line: string): string => truncateLine(showEnding(line), limits.lineLength);
  if (total <= limits.lines) return (yield* takeLines(parts, 0, total, show)).join('\n');
  const head = Math.ceil((limits.lines * 2) / 3);
  const tail = limits.lines - head;
  const start = yield* takeLines(parts, 0, head, show);
  const end = yield* takeLines(parts, total - tail, total, show);
  return [...start, omittedLines(total - limits.lines), ...end].join('\n');
}

function* takeLines(
  parts: readonly Part[],
  from: number,
  to: number,
  show: (line: string) => string,
): Steps<readonly string[]> {
  const lines: string[] = [];
  let position = 0;
  for (const part of parts) {
    const size = sizeOf(part);
    for (let index = Math.max(0, from - position); index < Math.min(size, to - position); index++) {
      if (lines.length % LINES_PER_STEP === LINES_PER_STEP - 1) yield;
      lines.push(part.type === 'line' ? part.line : part.sign + show(lineAt(part.text, part.start + index)));
    }
    position += size;
  }
  return lines;
}

function sizeOf(part: Part): number {
  return part.type === 'line' ? 1 : part.end - part.start;
}

/** Creates a function that removes the line ending of a line, or shows its CR. */
function createLineEndFormatter(before: string, after: string): (line: string) => string {
  const styles = [detectLineEndings(before), detectLineEndings(after)].filter((style) => style !== 'none');
  const isAllCrlf = styles.length > 0 && styles.every((style) => style === 'crlf');
  return (line) => {
    if (line.endsWith('\r\n')) return `${line.slice(0, -2)}${isAllCrlf ? '' : '␍'}`;
    return line.endsWith('\n') ? line.slice(0, -1) : line;
  };
}
