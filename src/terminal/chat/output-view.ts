import { clusterStart } from '../../text/width.ts';

/** Limits for the part of a command's output that is shown. */
export interface OutputLimits {
  /** The number of lines that are shown from its start. */
  readonly head: number;
  /** Maximum length of a shown line, in UTF-16 units. */
  readonly lineLength: number;
}

/** The limits for a command of the model. */
const SHORTENED: OutputLimits = { head: 8, lineLength: 1_000 };

/** Maximum length of a kept line, in UTF-16 units. */
const MAX_LINE = 100_000;

/** The limits for a command that the user typed: all its lines. */
export const WHOLE: OutputLimits = { head: Number.POSITIVE_INFINITY, lineLength: MAX_LINE };

/** The number of lines that are shown from the end of the output. */
const TAIL_LINES = 12;

/** Length in UTF-16 units from which on no further lines are kept for the user who asks for all of them. */
const MAX_KEPT = 2_000_000;

/** The output of one command, as far as it has arrived. Untrusted text. */
export interface OutputView {
  readonly lines: number;
  /** Number of the lines that have been shown, which are the first ones. */
  readonly shown: number;
  /** All lines are shown, because the user has asked for them. */
  readonly unfolded: boolean;
  /** A line was shown without its end. */
  readonly shortened: boolean;
  /** The last complete lines that have not been shown. */
  readonly tail: readonly string[];
  /** The complete lines, each with a line feed: all, or the first ones of a very long output. */
  readonly kept: string;
  /** The start of the line that is not complete, without what a carriage return has overwritten. */
  readonly line: string;
  /** Length of that whole line. */
  readonly length: number;
  /** The line ends with a carriage return; only a line feed or more text tells whether that overwrites it. */
  readonly returned: boolean;
}

/** The view of a command without output. */
export const NO_OUTPUT: OutputView = {
  lines: 0,
  shown: 0,
  unfolded: false,
  shortened: false,
  tail: [],
  kept: '',
  line: '',
  length: 0,
  returned: false,
};

/** Adds a piece of output. Returns the lines to show at once: the first ones, as they become complete. */
export function addOutput(
  view: OutputView,
  chunk: string,
  limits: OutputLimits = SHORTENED,
): { readonly view: OutputView; readonly shown: readonly string[] } {
  const shown: string[] = [];
  const tail = [...view.tail];
  const head = view.unfolded ? Number.POSITIVE_INFINITY : limits.head;
  const lineLength = view.unfolded ? MAX_LINE : limits.lineLength;
  let { lines, shortened, kept, line, length, returned } = view;
  for (const [part] of chunk.matchAll(/[^\r\n]+|\r|\n/g)) {
    if (part === '\n') {
      if (lines < head) shown.push(startOf(line, length, lineLength));
      else tail.push(startOf(line, length, lineLength));
      if (tail.length > TAIL_LINES) tail.shift();
      if (kept.length < MAX_KEPT) kept += `${startOf(line, length)}\n`;
      lines += 1;
      shortened ||= line.length > lineLength;
      [line, length, returned] = ['', 0, false];
    } else if (part === '\r') {
      returned = true;
    } else {
      if (returned) [line, length, returned] = ['', 0, false];
      line += part.slice(0, MAX_LINE - line.length);
      length += part.length;
    }
  }
  const next = { lines, shown: view.shown + shown.length, shortened, tail, kept, line, length, returned };
  return { view: { ...view, ...next }, shown };
}

/** The lines that remain when an output has ended. */
export interface OutputEnd {
  /** The number of lines that are not shown. */
  readonly hidden: number;
  /** The end of a shown line is not shown. */
  readonly shortened: boolean;
  /** The last lines, after the hidden ones. */
  readonly last: readonly string[];
}

/** The lines to show when the output has ended, with the unfinished one. */
export function endOutput(view: OutputView, { lineLength }: OutputLimits = SHORTENED): OutputEnd {
  const { lines, shown, tail, line, length } = view;
  const last = length === 0 ? tail : [...tail, startOf(line, length, lineLength)].slice(-TAIL_LINES);
  const hidden = lines + (length === 0 ? 0 : 1) - shown - last.length;
  return { hidden, shortened: view.shortened || line.length > lineLength, last };
}

/**
 * The lines of a running command that have not been shown, and the view that shows all later ones at once; `undefined`
 * if nothing is hidden.
 */
export function unfold(
  view: OutputView,
): { readonly view: OutputView; readonly shown: readonly string[]; readonly lost: number } | undefined {
  if (view.lines === view.shown) return undefined;
  const all = keptLines(view);
  const shown = all.slice(view.shown);
  const lost = view.lines - all.length;
  return { view: { ...view, shown: view.lines, tail: [], unfolded: true }, shown, lost };
}

/** All lines of an output that has ended, but for those that a very long one has lost. */
export function wholeOutput(view: OutputView): { readonly lines: readonly string[]; readonly lost: number } {
  const all = keptLines(view);
  const lost = view.lines - all.length;
  return { lines: view.length === 0 ? all : [...all, startOf(view.line, view.length)], lost };
}

function keptLines({ kept }: OutputView): readonly string[] {
  return kept.split('\n').slice(0, -1);
}

/** The start of a line of this length, not cut within a character, and a note about the rest. */
function startOf(line: string, length: number, limit = MAX_LINE): string {
  if (length <= limit) return line;
  const start = line.length > limit ? line.slice(0, clusterStart(line, limit)) : line;
  return `${start} [… ${length - start.length} more characters …]`;
}
