/**
 * A decoded key. `text` was typed, `paste` arrived as one block; the name of any other key has its modifiers first:
 * `Enter`, `C-a`, `M-b`, `C-Left`, `S-Tab`, `M-Backspace`.
 */
export type Key =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'paste'; readonly text: string }
  | { readonly type: 'key'; readonly name: string };

/** True for a key that has its effect at any time: it stops what runs, or concerns the screen. */
export function isControl(key: Key): boolean {
  return key.type === 'key' && ['C-c', 'C-l', 'C-o', 'C-z', 'Esc'].includes(key.name);
}

/** True for a key that stops what runs. */
export function isCancel(key: Key): boolean {
  return key.type === 'key' && ['C-c', 'Esc'].includes(key.name);
}

/** True for the key that opens another program for the message. */
export function isCompose(key: Key): boolean {
  return key.type === 'key' && key.name === 'C-g';
}

/** True for a key that needs the history. */
export function isRecall(key: Key): boolean {
  return key.type === 'key' && ['Up', 'C-p', 'C-r'].includes(key.name);
}
