import type { Completion } from '../../app/commands/completion.ts';
import { escapeForTerminal } from '../../text/escape.ts';
import type { Key } from '../keys/key.ts';
import {
  atEnd,
  insert,
  lineEnd,
  lineStart,
  moveLine,
  next,
  previous,
  previousTyped,
  replace,
  spaceStart,
  transpose,
  wordEnd,
  wordStart,
} from './buffer.ts';
import { pressInList } from './choice-list.ts';
import { continueSearch, type Search, startSearch } from './history-search.ts';
import {
  change,
  insertPaste,
  type LineState,
  type Menu,
  move,
  newLine,
  shownText,
  unfolded,
  wholeText,
  withoutMarks,
  withPastes,
} from './line-state.ts';

/** A key that is not only an edit of the line. `escape`: Esc that ended nothing in the line. */
export type LineEffect =
  /**
   * `shown`: the text with labels for long pastes. `isOther`: with the key for the other way to send it during a run.
   */
  | { readonly type: 'submit'; readonly text: string; readonly shown: string; readonly isOther?: true }
  | { readonly type: 'interrupt'; readonly cleared: boolean }
  /** `isAgain`: the key before it was the same one, in an empty line. */
  | { readonly type: 'escape'; readonly isAgain?: true }
  | { readonly type: 'end' | 'suspend' | 'clear_screen' | 'compose' | 'complete' | 'unfold' | 'mode' | 'picture' };

/** The state after a key, and the effect of the key, if any. */
export interface Pressed {
  readonly state: LineState;
  readonly effect?: LineEffect;
}

/** The state after a key. Pure. */
export function press(state: LineState, key: Key): Pressed {
  const { list, buffer } = state;
  const taken = list === undefined ? undefined : pressInList(list, buffer.text, key);
  if (typeof taken === 'string') return { state, effect: { type: 'submit', text: taken, shown: taken } };
  if (taken !== undefined) return { state: { ...state, list: taken } };
  const pressed = pressInLine(state, key);
  if (list === undefined || pressed.state.buffer.text === buffer.text) return pressed;
  return { ...pressed, state: { ...pressed.state, list: { ...list, chosen: 0 } } };
}

function pressInLine(state: LineState, key: Key): Pressed {
  if (state.search !== undefined) return pressInSearch(state, state.search, key);
  if (key.type === 'text') return { state: change(state, insert(state.buffer, withoutMarks(key.text)), 'type') };
  if (key.type === 'paste') return { state: insertPaste(state, pastedText(key.text)) };
  const menu = state.menu?.isOffer === true ? undefined : state.menu;
  const { text, cursor } = state.buffer;
  const edit = EDITS[SAME_EDIT[key.name] ?? key.name];
  if (edit !== undefined) return { state: edit(state) };
  switch (key.name) {
    case 'Enter':
      return enter(state);
    case 'C-q':
      return { state: cleared(state), effect: { ...submit(state), isOther: true } };
    case 'C-c':
      return { state: cleared(state), effect: { type: 'interrupt', cleared: text !== '' } };
    case 'C-d':
      if (text === '') return { state, effect: { type: 'end' } };
      return { state: erase(state, cursor, next(text, cursor)) };
    case 'Esc':
      if (menu !== undefined) return { state: { ...state, menu: undefined } };
      return {
        state: { ...state, last: 'escape' },
        effect: { type: 'escape', ...(isEscaped(state) && { isAgain: true }) },
      };
    case 'Tab':
      return menu === undefined ? { state, effect: { type: 'complete' } } : { state: choose(state, menu, 1) };
    case 'S-Tab':
      return menu === undefined ? { state, effect: { type: 'mode' } } : { state: choose(state, menu, -1) };
    case 'C-o': {
      const whole = unfolded(state);
      return whole === state ? { state, effect: { type: 'unfold' } } : { state: whole };
    }
    default: {
      const effect = EFFECTS[key.name];
      return effect === undefined ? { state } : { state, effect: { type: effect } };
    }
  }
}

/** Keys that do not change the line. */
const EFFECTS: Readonly<Record<string, 'suspend' | 'clear_screen' | 'compose' | 'picture'>> = {
  'C-z': 'suspend',
  'C-l': 'clear_screen',
  'C-g': 'compose',
  'C-v': 'picture',
};

/** Keys that only edit the line. */
const EDITS: Readonly<Record<string, (state: LineState) => LineState>> = {
  Left: (state) => move(state, previous(state.buffer.text, state.buffer.cursor)),
  Right: (state) => move(state, next(state.buffer.text, state.buffer.cursor)),
  'C-Left': (state) => move(state, wordStart(state.buffer.text, state.buffer.cursor)),
  'C-Right': (state) => move(state, wordEnd(state.buffer.text, state.buffer.cursor)),
  Home: (state) => move(state, lineStart(state.buffer.text, state.buffer.cursor)),
  End: (state) => move(state, lineEnd(state.buffer.text, state.buffer.cursor)),
  Up: (state) => upOrDown(state, 'up'),
  Down: (state) => upOrDown(state, 'down'),
  'C-p': (state) => recall(state, -1),
  'C-n': (state) => recall(state, 1),
  'C-r': (state) => ({ ...state, menu: undefined, search: startSearch(state.buffer) }),
  'M-Enter': (state) => change(state, insert(state.buffer, '\n')),
  Backspace: (state) => erase(state, previousTyped(state.buffer.text, state.buffer.cursor), state.buffer.cursor),
  Delete: (state) => erase(state, state.buffer.cursor, next(state.buffer.text, state.buffer.cursor)),
  'C-w': (state) => kill(state, spaceStart(state.buffer.text, state.buffer.cursor), state.buffer.cursor),
  'M-Backspace': (state) => kill(state, wordStart(state.buffer.text, state.buffer.cursor), state.buffer.cursor),
  'M-d': (state) => kill(state, state.buffer.cursor, wordEnd(state.buffer.text, state.buffer.cursor)),
  'C-u': (state) => kill(state, lineStart(state.buffer.text, state.buffer.cursor), state.buffer.cursor),
  'C-k': killToEnd,
  'C-y': (state) => insertPaste(state, state.killed),
  'C-t': (state) => change(state, transpose(state.buffer)),
  'C-_': undo,
};

/** Other keys of the same edits. */
const SAME_EDIT: Readonly<Record<string, string>> = {
  'C-b': 'Left',
  'C-f': 'Right',
  'M-b': 'C-Left',
  'M-f': 'C-Right',
  'M-Left': 'C-Left',
  'M-Right': 'C-Right',
  'C-a': 'Home',
  'C-e': 'End',
  'C-h': 'Backspace',
  'C-j': 'M-Enter',
  'S-Enter': 'M-Enter',
  'C-Backspace': 'M-Backspace',
  'C-Delete': 'M-d',
  'M-Delete': 'M-d',
};

/**
 * The line with the completions of its word: the only one, with a space if it is complete and ends the line, or else their
 * common start and a menu of them.
 */
export function withCompletion(state: LineState, completion: Completion): LineState {
  const { from, to, items } = completion;
  const [first] = items;
  if (first === undefined) return state;
  if (items.length === 1) {
    const isAtEnd = to === state.buffer.text.length && !/[/:!]$/.test(first);
    return change(state, replace(state.buffer, from, to, isAtEnd ? `${first} ` : first));
  }
  const common = items.reduce(commonStart);
  const isLonger = common.length > to - from && common.startsWith(state.buffer.text.slice(from, to));
  const buffer = isLonger ? replace(state.buffer, from, to, common) : state.buffer;
  const shown = { ...completion, to: from + (isLonger ? common.length : to - from) };
  return { ...change(state, buffer), menu: { before: buffer, completion: shown, chosen: undefined } };
}

/** The line with the completions of its whole text below it, unless it is the only one. */
export function withOffer(state: LineState, completion: Completion): LineState {
  const { text } = state.buffer;
  const more = completion.items.filter((item) => item !== text);
  if (more.length === 0 || !more.every((item) => item.startsWith(text))) return state;
  return { ...state, menu: { before: state.buffer, completion, chosen: undefined, isOffer: true } };
}

function choose(state: LineState, { before, completion, chosen }: Menu, step: 1 | -1): LineState {
  const { from, to, items } = completion;
  const index = chosen === undefined ? (step === 1 ? 0 : items.length - 1) : (chosen + step) % items.length;
  const item = (index + items.length) % items.length;
  const buffer = replace(before, from, to, items[item] ?? '');
  return { ...change(state, buffer), menu: { before, completion, chosen: item } };
}

function isEscaped({ last, buffer }: LineState): boolean {
  return last === 'escape' && buffer.text === '';
}

function submit(state: LineState): Extract<LineEffect, { type: 'submit' }> {
  return { type: 'submit', text: wholeText(state), shown: shownText(state) };
}

/** The line with a text that another program has made of the text `before`. What came in front of that meanwhile stays. */
export function withText(state: LineState, text: string, before: string): LineState {
  const now = wholeText(state);
  const front = (now.endsWith(before) ? now.slice(0, now.length - before.length) : now).replace(/\n$/, '');
  return change(state, atEnd(`${front}${front === '' ? '' : '\n'}${pastedText(text)}`));
}

function enter(state: LineState): Pressed {
  const { text, cursor } = state.buffer;
  // A backslash at the end of the text continues it in the next line, as in a shell; two do not.
  if (cursor === text.length && /(?<!\\)(?:\\\\)*\\$/.test(text))
    return { state: change(state, replace(state.buffer, cursor - 1, cursor, '\n')) };
  return { state: cleared(state), effect: submit(state) };
}

/** An empty line after this one. */
function cleared(state: LineState): LineState {
  return { ...newLine(state.history), killed: state.killed };
}

function erase(state: LineState, from: number, to: number): LineState {
  return change(state, replace(state.buffer, from, to, ''));
}

function kill(state: LineState, from: number, to: number): LineState {
  const { text, cursor } = state.buffer;
  if (from === to) return state;
  const cut = withPastes(text.slice(from, to), state.pastes);
  const before = state.last === 'kill' ? state.killed : '';
  const killed = from < cursor ? cut + before : before + cut;
  return { ...change(state, replace(state.buffer, from, to, ''), 'kill'), killed };
}

function killToEnd(state: LineState): LineState {
  const { text, cursor } = state.buffer;
  const end = lineEnd(text, cursor);
  // At the end of a line, its line feed is cut.
  return kill(state, cursor, end === cursor ? Math.min(end + 1, text.length) : end);
}

function undo(state: LineState): LineState {
  const buffer = state.undo.at(-1);
  if (buffer === undefined) return state;
  return { ...state, buffer, undo: state.undo.slice(0, -1), last: 'other', menu: undefined };
}

function upOrDown(state: LineState, direction: 'up' | 'down'): LineState {
  const buffer = moveLine(state.buffer, direction);
  if (buffer !== undefined) return move(state, buffer.cursor);
  return recall(state, direction === 'up' ? -1 : 1);
}

function recall(state: LineState, step: 1 | -1): LineState {
  const { history, recalled = history.length, buffer } = state;
  const index = recalled + step;
  if (index < 0 || index > history.length) return state;
  const left = new Map(state.left);
  if (buffer.text === history[recalled]) left.delete(recalled);
  else left.set(recalled, buffer);
  const shown = left.get(index) ?? atEnd(history[index] ?? '');
  return { ...newLine(history), killed: state.killed, pastes: state.pastes, buffer: shown, recalled: index, left };
}

function pressInSearch(state: LineState, search: Search, key: Key): Pressed {
  const next = continueSearch(search, key, state.history);
  if (next === 'accepted')
    return press({ ...change(state, search.buffer), recalled: undefined, search: undefined }, key);
  return { state: { ...state, search: next === 'cancelled' ? undefined : next } };
}

/** A pasted text in the form for a line: with line feeds, and with its control characters escaped. */
function pastedText(text: string): string {
  return escapeForTerminal(text.replaceAll(/\r\n?/g, '\n'));
}

function commonStart(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one.slice(0, length);
}
