import { describe, expect, it } from 'vitest';
import {
  durationOf,
  HELD_MS,
  QUIET_MS,
  type QuestionState,
  type QuestionStep,
  startOf,
  stepQuestion,
  TYPING_MS,
} from '../../../../src/terminal/editor/question-keys.ts';
import type { Key } from '../../../../src/terminal/keys/key.ts';

const LETTERS = ['y', 'a', 'n'];
const TIME = { type: 'time' } as const;

/** Plays keys at an open question: letters, `⏎` for Enter, `…` for the end of the time of a state. */
function play(keys: string, start: QuestionState = { type: 'open', typed: 0 }) {
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

function expectWait(step: QuestionStep) {
  if (step.type !== 'wait') throw new Error(`The question has ended: ${step.type}`);
  return step;
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
    ['maybe…⏎', 'maybe<M-Enter>'],
    ['maybe…⏎…⏎', 'maybe<M-Enter><M-Enter>'],
  ])('is not answered by %j, which becomes text', (keys, text) => {
    expect(play(keys)).toEqual({ answer: undefined, text, state: 'quiet' });
  });

  it.each(['y', 'n', '⏎'])('is not answered by %j before it has been drawn for a while', (key) => {
    expect(play(key, { type: 'quiet', typed: 0 })).toMatchObject({ answer: undefined, state: 'quiet' });
  });

  it('is answered by Enter after a key that types nothing', () => {
    const tab: Key = { type: 'key', name: 'Tab' };
    const { state, message } = expectWait(stepQuestion({ type: 'open', typed: 0 }, tab, LETTERS));
    expect([state, message]).toEqual([{ type: 'quiet', typed: 0 }, [tab]]);
    expect(play('…⏎', state).answer).toBe('');
  });

  it('takes a held letter as text when a paste or another key follows', () => {
    const held: QuestionState = { type: 'held', typed: 0, key: { type: 'text', text: 'y' } };
    for (const key of [
      { type: 'paste', text: 'a\nb' },
      { type: 'key', name: 'Backspace' },
      { type: 'key', name: 'C-d' },
    ] as const) {
      const step = stepQuestion(held, key, LETTERS);
      expect(step).toEqual({
        type: 'wait',
        state: { type: 'quiet', typed: key.type === 'paste' ? 2 : 1 },
        message: [{ type: 'text', text: 'y' }, key],
      });
    }
  });

  it('ends with Ctrl-D only while it is open', () => {
    const key = { type: 'key', name: 'C-d' } as const;
    expect(stepQuestion({ type: 'open', typed: 0 }, key, LETTERS)).toEqual({ type: 'end' });
    expect(stepQuestion({ type: 'quiet', typed: 0 }, key, LETTERS)).toMatchObject({ type: 'wait', message: [key] });
  });
});

it.each<[string, QuestionState['type'], number, number | undefined]>([
  ['a new question', 'quiet', 0, QUIET_MS],
  ['a question at which a key was pressed', 'quiet', 1, QUIET_MS],
  ['a question while a message is typed', 'quiet', 2, TYPING_MS],
  ['a letter', 'held', 0, HELD_MS],
  ['a letter after another key', 'held', 1, HELD_MS],
  ['a letter that may continue a message', 'held', 2, TYPING_MS],
  ['an open question', 'open', 0, undefined],
  ['an open question with a text', 'open', 2, undefined],
])('%s has a time limit', (_what, type, typed, duration) => {
  const state: QuestionState = type === 'held' ? { type, typed, key: { type: 'text', text: 'y' } } : { type, typed };
  expect(durationOf(state)).toBe(duration);
});

it.each([
  [TYPING_MS - 1, 2],
  [TYPING_MS, 0],
])('a question %i ms after the last of several keys detects whether a message is being typed', (idleMs, typed) => {
  expect(startOf(LETTERS, idleMs)).toEqual({ type: 'quiet', typed });
});

it('a question without letters is open from the start', () => {
  expect(startOf(undefined, 0)).toEqual({ type: 'open', typed: 0 });
});
