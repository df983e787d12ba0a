import type { Completion } from '../../app/commands/completion.ts';
import type { Choice } from '../../app/terminal.ts';
import { withSeparators } from '../../text/quantities.ts';
import { atEnd, type Buffer, insert } from './buffer.ts';
import type { ChoiceList } from './choice-list.ts';
import type { Search } from './history-search.ts';

/** The state of a line that is being edited. */
export interface LineState {
  readonly buffer: Buffer;
  /** Earlier messages, the last one at the end. */
  readonly history: readonly string[];
  /** The index of the earlier message in the line; absent: the line is new. */
  readonly recalled?: number | undefined;
  /** The lines that were left for an earlier or later message: the new one, and recalled ones that were changed. */
  readonly left: ReadonlyMap<number, Buffer>;
  /** Earlier states of the line, for undo. */
  readonly undo: readonly Buffer[];
  /** The text that was cut last. */
  readonly killed: string;
  /** The kind of the last change: typed characters are undone together, and cuts in a row are pasted together. */
  readonly last: 'type' | 'kill' | 'escape' | 'other';
  readonly search?: Search | undefined;
  /** Completions to choose from; `chosen` is in the line. */
  readonly menu?: Menu | undefined;
  /** The long pastes that are marks in the line and in its earlier states. */
  readonly pastes: readonly string[];
  /** The answers of a question to choose from. */
  readonly list?: ChoiceList | undefined;
}

/** Completions of a line, which was `before`. */
export interface Menu {
  readonly before: Buffer;
  readonly completion: Completion;
  readonly chosen: number | undefined;
  /** Present if the user has not asked for them: keys have the same effect as without a menu. */
  readonly isOffer?: true;
}

/** Maximum number of states that can be undone. */
const MAX_UNDO = 200;

/** A new line; with the answers to choose from, if it is that of a question with such answers. */
export function newLine(history: readonly string[] = [], text = '', choices?: readonly Choice[]): LineState {
  const list = choices === undefined ? undefined : { all: choices, chosen: 0 };
  return { buffer: atEnd(text), history, left: new Map(), undo: [], killed: '', last: 'other', pastes: [], list };
}

export function wholeText({ buffer, pastes }: LineState): string {
  return withPastes(buffer.text, pastes);
}

/** The text of a line with labels for long pastes. */
export function shownText({ buffer, pastes }: LineState): string {
  return withLabels(buffer.text, pastes);
}

/** The line with its pastes in the place of their marks; the same line if it has none. */
export function unfolded(state: LineState): LineState {
  const text = wholeText(state);
  if (text === state.buffer.text) return state;
  return change(state, {
    text,
    cursor: withPastes(state.buffer.text.slice(0, state.buffer.cursor), state.pastes).length,
  });
}

/** The line with a pasted text; if it is long and no list is filtered by it, as a mark. */
export function insertPaste(state: LineState, text: string): LineState {
  const folded = state.list === undefined ? foldPaste(text, state.pastes) : { text, pastes: state.pastes };
  return { ...change(state, insert(state.buffer, folded.text)), pastes: folded.pastes };
}

/** The state with another buffer, which can be undone. */
export function change(state: LineState, buffer: Buffer, last: LineState['last'] = 'other'): LineState {
  if (buffer.text === state.buffer.text) return { ...move(state, buffer.cursor), last };
  const isSameWord = last === 'type' && state.last === 'type' && !/\s$/.test(state.buffer.text);
  const before = isSameWord ? state.undo : [...state.undo, state.buffer].slice(-MAX_UNDO);
  return { ...state, buffer, undo: before, last, menu: undefined };
}

/** The state with the cursor in another place. */
export function move(state: LineState, cursor: number): LineState {
  return { ...state, buffer: { text: state.buffer.text, cursor }, last: 'other', menu: undefined };
}

/** A paste with more lines or characters than this is one mark in the line. */
const MAX_LINES = 10;
const MAX_LENGTH = 1_000;

/**
 * Private characters that stand for the long pastes of a line: one character each, so that it is moved over as a whole.
 */
const FIRST_MARK = 0x10_ff00;
const MAX_PASTES = 250;
const MARKS = /[\u{10ff00}-\u{10fff9}]/gu;

/** A text for a line: the text itself, or a mark with it in `pastes` if it is long. */
function foldPaste(text: string, pastes: readonly string[]): { text: string; pastes: readonly string[] } {
  const isLong = text.length > MAX_LENGTH || linesOf(text) > MAX_LINES;
  if (!isLong || pastes.length >= MAX_PASTES) return { text: withoutMarks(text), pastes };
  return { text: String.fromCodePoint(FIRST_MARK + pastes.length), pastes: [...pastes, text] };
}

/** A text for a line, without characters that would stand for a paste. */
export function withoutMarks(text: string): string {
  return text.replace(MARKS, '\ufffd');
}

/** A text with the pastes in the place of their marks. */
export function withPastes(text: string, pastes: readonly string[]): string {
  return pastes.length === 0 ? text : text.replace(MARKS, (mark) => pasteOf(mark, pastes) ?? mark);
}

/** A text with labels for people in the place of marks. */
export function withLabels(text: string, pastes: readonly string[]): string {
  if (pastes.length === 0) return text;
  return text.replace(MARKS, (mark) => {
    const paste = pasteOf(mark, pastes);
    if (paste === undefined) return mark;
    const lines = linesOf(paste);
    const size = lines > MAX_LINES ? `${withSeparators(lines)} lines` : `${withSeparators(paste.length)} characters`;
    return `[pasted ${size}]`;
  });
}

function pasteOf(mark: string, pastes: readonly string[]): string | undefined {
  return pastes[(mark.codePointAt(0) ?? 0) - FIRST_MARK];
}

/** Number of lines; a line feed at the end begins none. */
function linesOf(text: string): number {
  return text.replace(/\n$/, '').split('\n').length;
}
