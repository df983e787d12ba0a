import { ToolError } from '../../agent/errors.ts';
import { findExact, type Matches, type TextRange } from '../../text/diff/exact-match.ts';
import { findNearestWindow, type NearestWindow, showWhitespace, showWindow } from '../../text/diff/nearest-window.ts';
import { lineNumberAt, lineNumbersAt } from '../../text/line-endings.ts';
import { countOf } from '../../text/quantities.ts';
import { LINES_PER_STEP, type Steps } from '../../text/steps.ts';

const MAX_LISTED_LINES = 500;

/** The error if `oldText` is not in the file, with the most similar lines and the first difference. */
export function* editNotFound(display: string, text: string, oldText: string, newText: string): Steps<ToolError> {
  const window = yield* findNearestWindow(text, oldText);
  const parts = [`old_text is not in ${display}. Nothing was written.`];
  const applied = yield* findApplied(text, newText);
  if (applied !== undefined) {
    const line = lineNumberAt(text, applied.start);
    parts.push(`new_text is already in the file at line ${line}: the edit seems to have been made already.`);
  }
  parts.push(window === undefined ? `Nothing in the file is similar. ${READ_ADVICE}` : describeWindow(window));
  return new ToolError('edit_not_found', parts.join('\n'));
}

/** The error if `oldText` occurs more than once in `text`, with the line numbers of the first matches. */
export function editAmbiguous(display: string, text: string, matches: Matches): ToolError {
  const named = Math.min(matches.count, MAX_LISTED_LINES);
  const starts = Array.from({ length: named }, (_, index) => matches.at(index).start);
  const left = matches.count - named;
  const listed = lineNumbersAt(text, starts).join(', ') + (left > 0 ? ` and ${countOf(left, 'more place')}` : '');
  return new ToolError(
    'edit_ambiguous',
    `old_text is in ${display} ${matches.count} times, at lines ${listed}. Nothing was written.\n` +
      'Add neighbouring lines to old_text until it matches only once, or set replace_all to true to replace all.',
  );
}

const READ_ADVICE = 'Read it with read_file and copy the text exactly, without the line numbers.';

function describeWindow(window: NearestWindow): string {
  const last = window.firstLine + window.lines.length - 1;
  const { line, column, found, wanted } = window.difference;
  return [
    `The closest match is at lines ${window.firstLine}–${last} (· is a space, → is a tab):`,
    showWindow(window),
    `First difference: line ${line}, column ${column}: the file has ${nameOf(found)}, old_text has ${nameOf(wanted)}.`,
    ...(window.onlyWhitespace ? ['Only whitespace differs.'] : []),
    'Copy the text of the file exactly, with real spaces and tabs and without the line numbers.',
  ].join('\n');
}

/** The name of a character in messages. The empty string stands for the end of the text. */
function nameOf(character: string): string {
  if (character === '') return 'no more text';
  return character === '\n' ? 'a line end' : `"${showWhitespace(character)}"`;
}

/** Finds `newText` as whole words. A part of a longer word, or mere punctuation, does not indicate an earlier edit. */
function* findApplied(text: string, newText: string): Steps<TextRange | undefined> {
  if (!WORD.test(newText)) return undefined;
  const matches = yield* findExact(text, newText);
  for (let index = 0; index < matches.count; index++) {
    if (index % LINES_PER_STEP === LINES_PER_STEP - 1) yield;
    const range = matches.at(index);
    if (!isInWord(text, range.start) && !isInWord(text, range.end)) return range;
  }
  return undefined;
}

const WORD = /[\p{L}\p{N}_]/u;

function isInWord(text: string, index: number): boolean {
  return WORD.test(text.charAt(index - 1)) && WORD.test(text.charAt(index));
}
