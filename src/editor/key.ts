/**
 * A decoded key. `text` was typed, `paste` arrived as one block; the name of any other key has its modifiers first:
 * `Enter`, `C-a`, `M-b`, `C-Left`, `S-Tab`, `M-Backspace`. `burst`: other keys arrived at the same moment, as a paste does
 * in a terminal that does not mark pastes.
 */
export type Key =
  | { readonly type: 'text'; readonly text: string; readonly burst?: true }
  | { readonly type: 'paste'; readonly text: string }
  | { readonly type: 'key'; readonly name: string; readonly burst?: true };

/** True for a key that has its effect at any time: it stops what runs, or concerns the screen. */
export function isControl(key: Key): boolean {
  return key.type === 'key' && ['C-c', 'C-l', 'C-o', 'C-z', 'Esc'].includes(key.name);
}

/** The text that a key of a burst stands for; `undefined` for other keys, and for those without a text. */
export function burstText(key: Key): string | undefined {
  if (key.type === 'paste' || key.burst !== true) return undefined;
  if (key.type === 'text') return key.text;
  return ['Enter', 'C-j'].includes(key.name) ? '\n' : undefined;
}

/** True for a key that needs the history. */
export function isRecall(key: Key): boolean {
  return key.type === 'key' && ['Up', 'C-p', 'C-r'].includes(key.name);
}
