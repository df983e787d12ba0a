import type { Key } from './key.ts';

/** Milliseconds after a question is drawn, and after a key that is no answer, in which no key is an answer. */
export const QUIET_MS = 300;

/** Milliseconds without another key after which a letter answers; otherwise it is the start of a word. */
export const HELD_MS = 200;

/** Milliseconds in place of both while a message is being typed: the pause between two keys of a slow typist. */
export const TYPING_MS = 1_000;

/**
 * The state of the keys at a question. `quiet`: every key is text, because the question is new or something is being
 * typed. `held`: the key is an answer, or the first letter of a word. `typed`: text was typed at the question or just
 * before it, so Enter is for the text, and a letter may go on with it.
 */
export type QuestionState =
  | { readonly type: 'quiet' | 'open'; readonly typed: boolean }
  | { readonly type: 'held'; readonly typed: boolean; readonly key: Extract<Key, { type: 'text' }> };

/** The states of a question at which nothing has been typed. */
export const QUIET: QuestionState = { type: 'quiet', typed: false };
const OPEN: QuestionState = { type: 'open', typed: false };

/** The state of a new question, so many milliseconds after the last key of a message. Without letters it is open. */
export function startOf(letters: readonly string[] | undefined, idleMs: number): QuestionState {
  return letters === undefined ? OPEN : { type: 'quiet', typed: idleMs < TYPING_MS };
}

/** A key, or the end of the time that a state lasts. */
export type QuestionEvent = Key | { readonly type: 'time' };

/** The effect of an event. `message`: the keys that turned out to belong to the message that is being typed. */
export type QuestionStep =
  | { readonly type: 'answer'; readonly key: string }
  | { readonly type: 'end' }
  | { readonly type: 'wait'; readonly state: QuestionState; readonly message: readonly Key[] };

/** The time after which a state ends; `undefined` if only a key ends it. */
export function durationOf({ type, typed }: QuestionState): number | undefined {
  switch (type) {
    case 'quiet':
      return typed ? TYPING_MS : QUIET_MS;
    case 'held':
      return typed ? TYPING_MS : HELD_MS;
    case 'open':
      return undefined;
  }
}

/**
 * Takes an event at a question that the given lower-case letters answer. Only a letter alone answers: no letter of a word
 * does. Enter answers with the letter before it, and alone with an empty text, unless text was typed before. Pure.
 */
export function stepQuestion(state: QuestionState, event: QuestionEvent, letters: readonly string[]): QuestionStep {
  if (event.type === 'time') {
    if (state.type === 'held') return answer(state.key.text);
    return { type: 'wait', state: { type: 'open', typed: state.typed }, message: [] };
  }
  const name = event.type === 'key' ? event.name : '';
  if (name === 'Enter' && state.type === 'held') return answer(state.key.text);
  if (state.type === 'open') {
    if (name === 'Enter' && !state.typed) return answer('');
    if (name === 'C-d') return { type: 'end' };
    if (event.type === 'text' && letters.includes(event.text.toLowerCase()))
      return { type: 'wait', state: { type: 'held', typed: state.typed, key: event }, message: [] };
  }
  // Enter would send a message that nobody sees.
  const key: Key = name === 'Enter' ? { type: 'key', name: 'M-Enter' } : event;
  const message = state.type === 'held' ? [state.key, key] : [key];
  const typed = state.typed || message.some(({ type }) => type !== 'key');
  return { type: 'wait', state: { type: 'quiet', typed }, message };
}

function answer(text: string): QuestionStep {
  return { type: 'answer', key: text.toLowerCase() };
}
