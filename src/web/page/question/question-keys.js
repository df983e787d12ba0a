/** Milliseconds without a key after which a new question accepts answers. */
export const QUIET_MS = 300;

/** Milliseconds without another key after which a letter answers; otherwise it begins a word. */
export const HELD_MS = 200;

/** Milliseconds in place of both while a message is being typed: more than the pause between two keys of a typist. */
export const TYPING_MS = 500;

/**
 * The state of the keys at a question. `quiet`: no key answers, because the question is new or a message is being typed.
 * `held`: the key is an answer, unless it is the first letter of a word; `counts`: it was not pressed in `quiet`.
 * `paged`: the key scrolled to the next page of the question and was not an answer. `typed`: a message was typed at the
 * question or just before it, and a key may continue it.
 *
 * @typedef {{ readonly type: 'quiet' | 'open', readonly typed: boolean }
 *   | { readonly type: 'paged', readonly typed: boolean, readonly key: string }
 *   | { readonly type: 'held', readonly typed: boolean, readonly key: string, readonly counts: boolean }} KeyState
 */

/**
 * The effect of a key, or of the end of the time that a state lasts. `text`: these characters belong to the message; an
 * empty text only moves the focus there. `ignored`: the key is not for the question.
 *
 * @typedef {{ readonly type: 'wait', readonly state: KeyState }
 *   | { readonly type: 'answer', readonly key: string }
 *   | { readonly type: 'text', readonly text: string }
 *   | { readonly type: 'ignored', readonly state: KeyState }} KeyStep
 */

/** Keys that cancel the letter before them. */
const CORRECTIONS = new Set(['Backspace', 'Delete', 'Escape']);

/** Keys other than letters that continue a message. Others scroll. */
const EDITING = new Set(['Backspace', 'Enter', 'Tab']);

/**
 * The state of a new question, this many milliseconds after the last key of a message.
 *
 * @param {number} idleMs
 * @returns {KeyState}
 */
export function startOf(idleMs) {
  return { type: 'quiet', typed: idleMs < TYPING_MS };
}

/**
 * Milliseconds after which a state ends; `undefined` if only a key ends it.
 *
 * @param {KeyState} state
 */
export function durationOf({ type, typed }) {
  const [quiet, held] = typed ? [TYPING_MS, TYPING_MS] : [QUIET_MS, HELD_MS];
  return { quiet, held, paged: quiet, open: undefined }[type];
}

/**
 * Handles the name of a key at a question that the given lower-case letters answer, or `undefined` at the end of the time
 * of the state. Only a single letter answers, after a moment or with Enter. Letters in `paging` scroll instead, also when
 * pressed repeatedly. Pure.
 *
 * @param {KeyState} state
 * @param {string | undefined} key
 * @param {ReadonlySet<string>} letters
 * @param {ReadonlySet<string>} paging
 * @returns {KeyStep}
 */
export function stepKeys(state, key, letters, paging) {
  const { typed } = state;
  if (key === undefined)
    return state.type === 'held' ? settle(state) : { type: 'wait', state: { type: 'open', typed } };
  // The question shows a hint that Escape moves the focus to it.
  if (typed && key === 'Escape') return { type: 'wait', state: { type: 'quiet', typed: false } };
  const letter = key.toLowerCase();
  const again = (state.type === 'held' || state.type === 'paged') && letter === state.key.toLowerCase();
  if (again && paging.has(letter)) return { type: 'answer', key: letter };
  if (again && state.type === 'paged') return { type: 'wait', state };
  if (key === 'Enter' && state.type === 'held') return settle(state);
  if (CORRECTIONS.has(key) && state.type === 'held') return { type: 'ignored', state: { type: 'open', typed } };
  if (typed && EDITING.has(key)) return { type: 'text', text: '' };
  // Other keys with names scroll, or are the Shift of the next letter.
  if (key.length !== 1) return { type: 'ignored', state };
  if (state.type === 'held') return { type: 'text', text: state.key + key };
  if (key === ' ' && !typed) return { type: 'ignored', state };
  if (!letters.has(letter)) return { type: 'text', text: key };
  return { type: 'wait', state: { type: 'held', typed, key, counts: state.type === 'open' } };
}

/**
 * @param {Extract<KeyState, { type: 'held' }>} state
 * @returns {KeyStep}
 */
function settle({ key, counts, typed }) {
  return counts ? { type: 'answer', key: key.toLowerCase() } : { type: 'wait', state: { type: 'quiet', typed } };
}
