import type { Palette } from '../../ports/terminal.ts';
import { countOf } from '../../text/quantities.ts';
import { omittedLines } from '../../text/truncate.ts';
import { escapeLine, markLines } from '../output.ts';
import { diffRows } from './diff-rows.ts';
import { type OutputView, unfold, wholeOutput } from './output-view.ts';

/** An output or a diff of which lines are hidden, and the summary of its call. */
export type Folded =
  | { readonly type: 'output'; readonly summary: string; readonly output: OutputView }
  | { readonly type: 'diff'; readonly summary: string; readonly unified: string };

/** Text of the line that stands for hidden ones. */
export function hiddenNote({ unfolds }: { readonly unfolds?: boolean }): (count: number) => string {
  return unfolds === true ? (count) => `[… ${countOf(count, 'line')} hidden; Ctrl-O shows all …]` : omittedLines;
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
 * Shows hidden lines: those of the running command, and from then on all its lines, or else all lines of the output or
 * diff that was hidden last, once. Says so if nothing is hidden. The cursor must be at the start of a line.
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
  const title = `${palette('cyan', '●')} ${palette('bold', `${escapeLine(folded.summary)}, all lines`)}\n`;
  return { state: { ...state, folded: undefined }, text: markLines(title + wholeRows(folded, palette), palette) };
}

function wholeRows(folded: Folded, palette: Palette): string {
  if (folded.type === 'diff') {
    return diffRows(folded.unified, palette)
      .rows.map((row) => `${row}\n`)
      .join('');
  }
  const { lines, lost } = wholeOutput(folded.output);
  return outputRows([...lines, ...lostNote(lost)], palette);
}

function lostNote(lost: number): readonly string[] {
  return lost === 0 ? [] : [`[… ${countOf(lost, 'more line')} not kept …]`];
}
