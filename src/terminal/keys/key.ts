/**
 * A decoded key. `text` was typed, `paste` arrived as one block; the name of any other key has its modifiers first:
 * `Enter`, `C-a`, `M-b`, `C-Left`, `S-Tab`, `M-Backspace`.
 */
export type Key =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'paste'; readonly text: string }
  | { readonly type: 'key'; readonly name: string };

/** True for a key that has its effect at any time: it stops what runs, or concerns the screen. */
export const isControl = oneOf('C-c', 'C-l', 'C-o', 'C-z', 'Esc', 'S-Tab');

/** True for a key that stops what runs. */
export const isCancel = oneOf('C-c', 'Esc');

/** True for the key that opens another program for the message. */
export const isCompose = oneOf('C-g');

/** True for a key that needs the history. */
export const isRecall = oneOf('Up', 'C-p', 'C-r');

function oneOf(...names: readonly string[]): (key: Key) => boolean {
  return (key) => key.type === 'key' && names.includes(key.name);
}
