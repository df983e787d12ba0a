import type { Palette } from '../../app/terminal.ts';
import { countOf } from '../../text/quantities.ts';
import { omittedLines } from '../../text/truncate.ts';
import { escapeLine, markLines } from '../output.ts';
import { diffRows } from './diff-rows.ts';
import { NO_OUTPUT, type OutputView, unfold, wholeOutput } from './output-view.ts';

/** An output or a diff of which lines are hidden, and the summary of its call. */
export type Folded =
  | { readonly type: 'output'; readonly summary: string; readonly output: OutputView }
  | { readonly type: 'diff'; readonly summary: string; readonly unified: string };

/** Text of the line that stands for hidden ones. `output`: they are lines of it, some of which may be lost. */
export function hiddenNote(
  { unfolds }: { readonly unfolds?: boolean },
  output: OutputView = NO_OUTPUT,
): (count: number) => string {
  const { lost } = wholeOutput(output);
  const shown = lost === 0 ? 'all' : keptRange(output, lost);
  return unfolds === true ? (count) => `[… ${countOf(count, 'line')} hidden; Ctrl-O shows ${shown} …]` : omittedLines;
}

function keptRange({ lines }: OutputView, lost: number): string {
  return `lines 1 to ${lines - lost}`;
}

/** The rows of a command's output. */
export function outputRows(lines: readonly string[], palette: Palette): string {
  return lines.map((row) => (row === '' ? '\n' : `    ${palette('dim', escapeLine(row))}\n`)).join('');
}

/** The shown part of the running command's output, and the output or diff that was hidden last. */
interface Foldable {
  readonly output: OutputView;
  readonly folded?: Folded | undefined;
}

/**
 * Shows the hidden lines of the running command, and from then on all its lines. Without hidden ones, shows all lines
 * of the last shortened output or diff, once, or says that no line is hidden. The cursor must be at the start of a
 * line.
 */
export function showHidden<State extends Foldable>(
  state: State,
  palette: Palette,
): { readonly state: State; readonly text: string } {
  const running = unfold(state.output);
  if (running !== undefined) {
    const rows = outputRows([...running.shown, ...lostNote(running.lost)], palette);
    return { state: { ...state, output: running.view, folded: undefined }, text: markLines(rows, palette) };
  }
  const { folded, output } = state;
  // The lines of an earlier command would look like those of the one that runs.
  const isRunning = output.lines > 0 || output.length > 0;
  if (folded === undefined || isRunning)
    return { state, text: markLines(`${palette('dim', '  no line is hidden')}\n`, palette) };
  const { shown, rows } = wholeRows(folded, palette);
  const title = `${palette('cyan', '●')} ${palette('bold', `${escapeLine(folded.summary)}, ${shown}`)}\n`;
  return { state: { ...state, folded: undefined }, text: markLines(title + rows, palette) };
}

function wholeRows(folded: Folded, palette: Palette): { readonly shown: string; readonly rows: string } {
  if (folded.type === 'diff') {
    const { rows } = diffRows(folded.unified, palette);
    return { shown: 'all lines', rows: rows.map((row) => `${row}\n`).join('') };
  }
  const { lines, lost } = wholeOutput(folded.output);
  const shown = lost === 0 ? 'all lines' : keptRange(folded.output, lost);
  return { shown, rows: outputRows([...lines, ...lostNote(lost)], palette) };
}

function lostNote(lost: number): readonly string[] {
  return lost === 0 ? [] : [`[… ${countOf(lost, 'more line')} not kept …]`];
}
