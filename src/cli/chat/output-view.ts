import { countOf } from '../../text/quantities.ts';

/** Limits for the part of a command's output that is shown. */
export interface OutputLimits {
  /** The number of lines that are shown from its start. */
  readonly head: number;
  /** Maximum length of a shown line, in UTF-16 units. */
  readonly lineLength: number;
}

/** The limits for a command of the model. */
const SHORTENED: OutputLimits = { head: 8, lineLength: 1_000 };

/** The limits for a command that the user typed: all its lines. */
export const WHOLE: OutputLimits = { head: Number.POSITIVE_INFINITY, lineLength: 100_000 };

/** The number of lines that are shown from the end of the output. */
const TAIL_LINES = 12;

/** The output of one command, as far as it has arrived. Untrusted text. */
export interface OutputView {
  /** Number of complete lines. */
  readonly lines: number;
  /** The last complete lines that have not been shown. */
  readonly tail: readonly string[];
  /** The start of the line that is not complete, without what a carriage return has overwritten. */
  readonly line: string;
  /** Length of that whole line. */
  readonly length: number;
  /** The line ends with a carriage return; only a line feed or more text tells whether that overwrites it. */
  readonly returned: boolean;
}

/** The view of a command without output. */
export const NO_OUTPUT: OutputView = { lines: 0, tail: [], line: '', length: 0, returned: false };

/** Adds a piece of output. Returns the lines to show at once: the first ones, as they become complete. */
export function addOutput(
  view: OutputView,
  chunk: string,
  limits: OutputLimits = SHORTENED,
): { readonly view: OutputView; readonly shown: readonly string[] } {
  const shown: string[] = [];
  const tail = [...view.tail];
  let { lines, line, length, returned } = view;
  for (const [part] of chunk.matchAll(/[^\r\n]+|\r|\n/g)) {
    if (part === '\n') {
      const whole = wholeLine(line, length);
      if (lines < limits.head) shown.push(whole);
      else tail.push(whole);
      if (tail.length > TAIL_LINES) tail.shift();
      lines += 1;
      [line, length, returned] = ['', 0, false];
    } else if (part === '\r') {
      returned = true;
    } else {
      if (returned) [line, length, returned] = ['', 0, false];
      line += part.slice(0, limits.lineLength - line.length);
      length += part.length;
    }
  }
  return { view: { lines, tail, line, length, returned }, shown };
}

/** The lines to show when the output has ended: a count of the omitted ones, the last ones, and the unfinished one. */
export function endOutput(
  { lines, tail, line, length }: OutputView,
  limits: OutputLimits = SHORTENED,
): readonly string[] {
  const last = length === 0 ? tail : [...tail, wholeLine(line, length)].slice(-TAIL_LINES);
  const omitted = lines + (length === 0 ? 0 : 1) - Math.min(lines, limits.head) - last.length;
  return omitted === 0 ? last : [`[… ${countOf(omitted, 'line')} omitted …]`, ...last];
}

function wholeLine(line: string, length: number): string {
  return length === line.length ? line : `${line} [… ${length - line.length} more characters …]`;
}
