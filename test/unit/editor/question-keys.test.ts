import { describe, expect, it } from 'vitest';
import type { Key } from '../../../src/editor/key.ts';
import {
  durationOf,
  HELD_MS,
  QUIET_MS,
  type QuestionState,
  type QuestionStep,
  stepQuestion,
} from '../../../src/editor/question-keys.ts';

const LETTERS = ['y', 'a', 'n'];
const TIME = { type: 'time' } as const;

/** Plays keys at an open question: letters, `⏎` for Enter, `…` for the end of the time of a state. */
function play(keys: string, start: QuestionState = { type: 'open' }) {
  let state = start;
  const message: Key[] = [];
  let last: QuestionStep = { type: 'wait', state, message };
  for (const character of keys) {
    const enter: Key = { type: 'key', name: 'Enter' };
    const key: Key = character === '⏎' ? enter : { type: 'text', text: character };
    last = stepQuestion(state, character === '…' ? TIME : key, LETTERS);
    if (last.type !== 'wait') break;
    state = last.state;
    message.push(...last.message);
  }
  const text = message.map((key) => (key.type === 'key' ? `<${key.name}>` : key.text)).join('');
  return { answer: last.type === 'answer' ? last.key : undefined, text, state: state.type };
}

describe('a question', () => {
  it.each([
    ['a letter and silence', 'y…', 'y'],
    ['a letter in upper case', 'Y…', 'y'],
    ['a letter and Enter', 'y⏎', 'y'],
    ['Enter alone', '⏎', ''],
    ['a letter after a word and silence', 'yay…n…', 'n'],
    ['a letter after a key that is not offered, and silence', 'x…n…', 'n'],
  ])('is answered by %s', (_what, keys, answer) => {
    expect(play(keys).answer).toBe(answer);
  });

  it.each([
    ['yay', 'yay'],
    ['no', 'no'],
    ['maybe⏎yes⏎', 'maybe<M-Enter>yes<M-Enter>'],
    ['yy', 'yy'],
    ['Ya…not', 'Yanot'],
  ])('is not answered by %j, which becomes text', (keys, text) => {
    expect(play(keys)).toEqual({ answer: undefined, text, state: 'quiet' });
  });

  it.each(['y', 'n', '⏎'])('is not answered by %j before it has been drawn for a while', (key) => {
    expect(play(key, { type: 'quiet' })).toMatchObject({ answer: undefined, state: 'quiet' });
  });

  it('takes a held letter as text when a paste or another key follows', () => {
    const held: QuestionState = { type: 'held', key: { type: 'text', text: 'y' } };
    for (const key of [
      { type: 'paste', text: 'a\nb' },
      { type: 'key', name: 'Backspace' },
      { type: 'key', name: 'C-d' },
    ] as const) {
      const step = stepQuestion(held, key, LETTERS);
      expect(step).toEqual({ type: 'wait', state: { type: 'quiet' }, message: [{ type: 'text', text: 'y' }, key] });
    }
  });

  it('ends with Ctrl-D only while it is open', () => {
    const key = { type: 'key', name: 'C-d' } as const;
    expect(stepQuestion({ type: 'open' }, key, LETTERS)).toEqual({ type: 'end' });
    expect(stepQuestion({ type: 'quiet' }, key, LETTERS)).toMatchObject({ type: 'wait', message: [key] });
  });
});

it('limits the time of a state that is not open', () => {
  expect(durationOf({ type: 'quiet' })).toBe(QUIET_MS);
  expect(durationOf({ type: 'held', key: { type: 'text', text: 'y' } })).toBe(HELD_MS);
  expect(durationOf({ type: 'open' })).toBeUndefined();
});
