/** Milliseconds without a key after which a question that has been drawn takes answers. */
export const QUIET_MS = 300;

/** Milliseconds without another key after which a letter answers; otherwise it begins a word. */
export const HELD_MS = 200;

/**
 * The state of the keys at a question. `quiet`: no key answers, because the question is new. `held`: the key is an
 * answer, unless it is the first letter of a word; `counts`: it was not pressed while the question was new.
 *
 * @typedef {{ readonly type: 'quiet' | 'open' }
 *   | { readonly type: 'held', readonly key: string, readonly counts: boolean }} KeyState
 */

/**
 * The effect of a key, or of the end of the time that a state lasts. `text`: these keys belong to the message.
 * `ignored`: the key is not for the question.
 *
 * @typedef {{ readonly type: 'wait', readonly state: KeyState }
 *   | { readonly type: 'answer', readonly key: string }
 *   | { readonly type: 'text', readonly text: string }
 *   | { readonly type: 'ignored', readonly state: KeyState }} KeyStep
 */

/** @type {KeyState} */
const QUIET = { type: 'quiet' };

/** @type {KeyState} */
const OPEN = { type: 'open' };

/** Keys that take back the letter before them. */
const CORRECTIONS = new Set(['Backspace', 'Delete', 'Escape']);

/**
 * Milliseconds after which a state ends; `undefined` if only a key ends it.
 *
 * @param {KeyState} state
 */
export function durationOf({ type }) {
  return { quiet: QUIET_MS, held: HELD_MS, open: undefined }[type];
}

/**
 * Takes the name of a key at a question that the given lower-case letters answer, or `undefined` at the end of the time
 * of the state. Only a letter alone answers, after a moment or with Enter. Pure.
 *
 * @param {KeyState} state
 * @param {string | undefined} key
 * @param {ReadonlySet<string>} letters
 * @returns {KeyStep}
 */
export function stepKeys(state, key, letters) {
  if (key === undefined) return state.type === 'held' ? settle(state) : { type: 'wait', state: OPEN };
  if (key === 'Enter' && state.type === 'held') return settle(state);
  if (CORRECTIONS.has(key) && state.type === 'held') return { type: 'ignored', state: OPEN };
  // Other keys with names scroll, or are the Shift of the next letter.
  if (key.length !== 1) return { type: 'ignored', state };
  if (state.type === 'held') return { type: 'text', text: state.key + key };
  if (key === ' ') return { type: 'ignored', state };
  if (!letters.has(key.toLowerCase())) return { type: 'text', text: key };
  return { type: 'wait', state: { type: 'held', key, counts: state.type === 'open' } };
}

/**
 * @param {Extract<KeyState, { type: 'held' }>} state
 * @returns {KeyStep}
 */
function settle({ key, counts }) {
  return counts ? { type: 'answer', key: key.toLowerCase() } : { type: 'wait', state: QUIET };
}
