import { describe, expect, it } from 'vitest';
import {
  durationOf,
  HELD_MS,
  type KeyState,
  type KeyStep,
  QUIET_MS,
  startOf,
  stepKeys,
  TYPING_MS,
} from '../../../src/web/page/question/question-keys.js';

const LETTERS = new Set(['y', 'a', 'n']);
const PAGING = new Set(['y', 'a']);
const NONE = new Set<string>();

const OPEN: KeyState = { type: 'open', typed: false };
const QUIET: KeyState = { type: 'quiet', typed: false };
const TYPED: KeyState = { type: 'open', typed: true };
const HELD: KeyState = { type: 'held', typed: false, key: 'y', counts: true };
const PAGED: KeyState = { type: 'paged', typed: false, key: 'y' };

type Keys = readonly (string | undefined)[];

/** Plays keys; `undefined` is the end of the time of a state. Returns the first step that is an answer or a text. */
function play(start: KeyState, keys: Keys, paging = NONE): KeyStep {
  let state = start;
  for (const key of keys) {
    const step = stepKeys(state, key, LETTERS, paging);
    if (step.type === 'answer' || step.type === 'text') return step;
    state = step.state;
  }
  return { type: 'wait', state };
}

describe('a question', () => {
  it.each<[string, Keys, string]>([
    ['a letter and silence', ['y', undefined], 'y'],
    ['a letter in upper case', ['Shift', 'Y', undefined], 'y'],
    ['a letter and Enter', ['n', 'Enter'], 'n'],
    ['a letter after an erased one', ['y', 'Backspace', 'n', undefined], 'n'],
    ['a letter after keys that scroll', ['PageDown', 'ArrowUp', 'a', undefined], 'a'],
  ])('is answered by %s', (_what, keys, key) => {
    expect(play(OPEN, keys)).toEqual({ type: 'answer', key });
    expect(play(TYPED, keys)).toEqual({ type: 'answer', key });
  });

  it.each<[string, readonly string[], string]>([
    ['a word that begins with an answer', ['y', 'e', 's'], 'ye'],
    ['a letter and a space', ['a', ' '], 'a '],
    ['a letter and one with Shift', ['n', 'Shift', 'O'], 'nO'],
    ['a letter that is not an answer', ['m', 'a', 'y'], 'm'],
    ['the same letter twice', ['y', 'y'], 'yy'],
  ])('takes %s for text', (_what, keys, text) => {
    for (const start of [OPEN, QUIET, TYPED]) expect(play(start, keys)).toEqual({ type: 'text', text });
  });

  it.each([
    [' ', ' '],
    ['Enter', ''],
    ['Tab', ''],
    ['Backspace', ''],
  ])('leaves %j to a message that is being typed, and otherwise to the page', (key, text) => {
    expect(play(TYPED, [key])).toEqual({ type: 'text', text });
    expect(stepKeys(OPEN, key, LETTERS, NONE)).toEqual({ type: 'ignored', state: OPEN });
  });

  it('takes an answer only after it has been shown for a moment', () => {
    expect(play(QUIET, ['y', undefined])).toEqual({ type: 'wait', state: QUIET });
    expect(play(QUIET, ['y', 'Enter'])).toEqual({ type: 'wait', state: QUIET });
    expect(play(QUIET, [undefined, 'y', undefined])).toEqual({ type: 'answer', key: 'y' });
  });

  it('takes the first Escape after a message, which must not stop the run, as the end of the message', () => {
    for (const state of [TYPED, { ...OPEN, typed: true }, { ...HELD, typed: true }])
      expect(stepKeys(state, 'Escape', LETTERS, NONE)).toEqual({ type: 'wait', state: QUIET });
    expect(stepKeys(QUIET, 'Escape', LETTERS, NONE)).toEqual({ type: 'ignored', state: QUIET });
  });

  it('leaves a key that stops the run to the page, and forgets the letter before it', () => {
    expect(play(HELD, ['Escape'])).toEqual({ type: 'wait', state: OPEN });
  });
});

describe('a letter that scrolls', () => {
  it.each<[string, KeyState, Keys]>([
    ['alone', OPEN, ['y', undefined]],
    ['pressed twice', OPEN, ['y', 'y']],
    ['pressed twice while the question is new', QUIET, ['y', 'Y']],
    ['pressed again', PAGED, ['y']],
  ])('scrolls when it is %s', (_what, start, keys) => {
    expect(play(start, keys, PAGING)).toEqual({ type: 'answer', key: 'y' });
  });

  it('does not scroll further at the end, and answers after a moment', () => {
    expect(play(PAGED, ['y', 'y', 'Y'])).toEqual({ type: 'wait', state: PAGED });
    expect(play(PAGED, ['y', undefined, 'y', undefined])).toEqual({ type: 'answer', key: 'y' });
  });

  it('begins a word when another letter follows', () => {
    expect(play(OPEN, ['y', 'e'], PAGING)).toEqual({ type: 'text', text: 'ye' });
    expect(play(PAGED, ['a', 'n'], PAGING)).toEqual({ type: 'text', text: 'an' });
  });
});

it.each<[string, KeyState, number | undefined]>([
  ['a new question', startOf(TYPING_MS), QUIET_MS],
  ['a new question while a message is typed', startOf(TYPING_MS - 1), TYPING_MS],
  ['a letter', HELD, HELD_MS],
  ['a letter that may continue a message', { ...HELD, typed: true }, TYPING_MS],
  ['a page of a question', PAGED, QUIET_MS],
  ['an open question', OPEN, undefined],
  ['an open question with a message', TYPED, undefined],
])('%s has a time limit', (_what, state, duration) => {
  expect(durationOf(state)).toBe(duration);
});
