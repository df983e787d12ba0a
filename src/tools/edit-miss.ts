import { ToolError } from '../core/errors.ts';
import { findExact } from '../text/exact-match.ts';
import { lineNumberAt } from '../text/line-endings.ts';
import { findNearestWindow, type NearestWindow, showWhitespace, showWindow } from '../text/nearest-window.ts';
import { count } from './file-texts.ts';

const MAX_LISTED_LINES = 500;

/** What to tell the model when `oldText` is not in the file: the place that is most like it, and where they differ. */
export function editNotFound(display: string, text: string, oldText: string, newText: string): ToolError {
  const window = findNearestWindow(text, oldText);
  const parts = [`old_text is not in ${display}. Nothing was written.`];
  const [applied] = newText.trim() === '' ? [] : findExact(text, newText);
  if (applied !== undefined) {
    const line = lineNumberAt(text, applied.start);
    parts.push(`new_text is there, at line ${line}: the edit seems to be already applied.`);
  }
  parts.push(window === undefined ? `Nothing in the file is like it. ${READ}` : describeWindow(window));
  return new ToolError('edit_not_found', parts.join('\n'));
}

/** What to tell the model when `oldText` stands in more than one place; `starts` are its offsets in the text. */
export function editAmbiguous(display: string, lines: readonly number[]): ToolError {
  const left = lines.length - MAX_LISTED_LINES;
  const listed = lines.slice(0, MAX_LISTED_LINES).join(', ') + (left > 0 ? ` and ${count(left, 'more place')}` : '');
  return new ToolError(
    'edit_ambiguous',
    `old_text is in ${display} ${lines.length} times, at lines ${listed}. Nothing was written.\n` +
      'Add neighbouring lines to old_text until it fits one place only, or set replace_all to true to change all.',
  );
}

const READ = 'Read it with read_file and copy the text exactly, without the line numbers.';

function describeWindow(window: NearestWindow): string {
  const last = window.firstLine + window.lines.length - 1;
  const { line, column, found, wanted } = window.difference;
  return [
    `The nearest text is at lines ${window.firstLine}–${last} (· is a blank, → a tab):`,
    showWindow(window),
    `First difference: line ${line}, column ${column}: the file has ${name(found)}, old_text has ${name(wanted)}.`,
    ...(window.onlyWhitespace ? ['Only whitespace differs.'] : []),
    'Copy the text of the file exactly, with real blanks and tabs and without the line numbers.',
  ].join('\n');
}

function name(character: string): string {
  if (character === '') return 'the end of the line';
  return `"${showWhitespace(character)}"`;
}
