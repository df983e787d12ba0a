import type { Key } from '../keys/key.ts';

/** Keys are ignored this long, in milliseconds, after a question is drawn and after a key that does not answer it. */
export const QUIET_MS = 300;

/** Milliseconds without another key after which a letter answers; otherwise it is the start of a word. */
export const HELD_MS = 200;

/** Milliseconds in place of both while a message is being typed: more than the pause between two keys of a typist. */
export const TYPING_MS = 500;

/** The number of keys in a row from which a message is being typed; fewer may be a mistake. */
export const TYPING_KEYS = 2;

/** Milliseconds after an answer in which Enter as the next key belongs to it, for users who end answers so. */
export const ENTER_MS = 1_000;

/**
 * The state of the keys at a question. `quiet`: every key is text, because the question is new or something is being
 * typed. `held`: the key is an answer, or the first letter of a word. `typed`: how many keys of a text were pressed at the
 * question, or just before it. After one, Enter is for the text; after two, a letter may go on with it.
 */
export type QuestionState =
  | { readonly type: 'quiet' | 'open'; readonly typed: number }
  | { readonly type: 'held'; readonly typed: number; readonly key: Extract<Key, { type: 'text' }> };

/** The states of a question before any input. */
export const QUIET_QUESTION: QuestionState = { type: 'quiet', typed: 0 };
const OPEN: QuestionState = { type: 'open', typed: 0 };

/** The state of a new question, `idleMs` after the last of several keys. Without letters it is open. */
export function startOf(letters: readonly string[] | undefined, idleMs: number): QuestionState {
  return letters === undefined ? OPEN : { type: 'quiet', typed: idleMs < TYPING_MS ? TYPING_KEYS : 0 };
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
  if (type === 'open') return undefined;
  if (typed >= TYPING_KEYS) return TYPING_MS;
  return type === 'quiet' ? QUIET_MS : HELD_MS;
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
    if (name === 'Enter' && state.typed === 0) return answer('');
    if (name === 'C-d') return { type: 'end' };
    if (event.type === 'text' && letters.includes(event.text.toLowerCase()))
      return { type: 'wait', state: { type: 'held', typed: state.typed, key: event }, message: [] };
  }
  // Enter would send a message that is not visible.
  const key: Key = name === 'Enter' ? { type: 'key', name: 'M-Enter' } : event;
  const message = state.type === 'held' ? [state.key, key] : [key];
  const typed = state.typed + message.filter(({ type }) => type !== 'key').length;
  return { type: 'wait', state: { type: 'quiet', typed }, message };
}

function answer(text: string): QuestionStep {
  return { type: 'answer', key: text.toLowerCase() };
}
