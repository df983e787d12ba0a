import { describe, expect, it } from 'vitest';
import {
  durationOf,
  HELD_MS,
  type KeyState,
  type KeyStep,
  QUIET_MS,
  stepKeys,
} from '../../../src/web/page/question/question-keys.js';

const LETTERS = new Set(['y', 'a', 'n']);

/** Plays keys; `undefined` is the end of the time of a state. Returns the first step that is an answer or a text. */
function play(start: KeyState['type'], ...keys: readonly (string | undefined)[]): KeyStep {
  let state: KeyState = start === 'held' ? { type: 'held', key: 'y', counts: true } : { type: start };
  for (const key of keys) {
    const step = stepKeys(state, key, LETTERS);
    if (step.type === 'answer' || step.type === 'text') return step;
    state = step.state;
  }
  return { type: 'wait', state };
}

describe('a question', () => {
  it.each<[string, readonly (string | undefined)[], string]>([
    ['a letter and silence', ['y', undefined], 'y'],
    ['a letter in upper case', ['Shift', 'Y', undefined], 'y'],
    ['a letter and Enter', ['n', 'Enter'], 'n'],
    ['a letter after one that was taken back', ['y', 'Backspace', 'n', undefined], 'n'],
    ['a letter after keys that scroll', [' ', 'PageDown', 'a', undefined], 'a'],
  ])('is answered by %s', (_what, keys, key) => {
    expect(play('open', ...keys)).toEqual({ type: 'answer', key });
  });

  it.each<[string, readonly string[], string]>([
    ['a word that begins with an answer', ['y', 'e', 's'], 'ye'],
    ['a letter and a space', ['a', ' '], 'a '],
    ['a letter and one with Shift', ['n', 'Shift', 'O'], 'nO'],
    ['a letter that is no answer', ['m', 'a', 'y'], 'm'],
    ['the same letter twice', ['y', 'y'], 'yy'],
  ])('takes %s for text', (_what, keys, text) => {
    expect(play('open', ...keys)).toEqual({ type: 'text', text });
    expect(play('quiet', ...keys)).toEqual({ type: 'text', text });
  });

  it('takes an answer only after it has been shown for a moment', () => {
    expect(play('quiet', 'y', undefined)).toEqual({ type: 'wait', state: { type: 'quiet' } });
    expect(play('quiet', 'y', 'Enter')).toEqual({ type: 'wait', state: { type: 'quiet' } });
    expect(play('quiet', undefined, 'y', undefined)).toEqual({ type: 'answer', key: 'y' });
  });

  it('never takes Enter alone for an answer', () => {
    expect(stepKeys({ type: 'open' }, 'Enter', LETTERS)).toEqual({ type: 'ignored', state: { type: 'open' } });
  });

  it('leaves a key that stops the run to the page, and forgets the letter before it', () => {
    expect(play('held', 'Escape')).toEqual({ type: 'wait', state: { type: 'open' } });
  });
});

it('a state that can end without a key has a duration', () => {
  expect(durationOf({ type: 'quiet' })).toBe(QUIET_MS);
  expect(durationOf({ type: 'held', key: 'y', counts: true })).toBe(HELD_MS);
  expect(durationOf({ type: 'open' })).toBeUndefined();
});
