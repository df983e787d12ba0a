/**
 * A decoded key. `text` was typed, `paste` arrived as one block; the name of any other key has its modifiers first:
 * `Enter`, `C-a`, `M-b`, `C-Left`, `S-Tab`, `M-Backspace`.
 */
export type Key =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'paste'; readonly text: string }
  | { readonly type: 'key'; readonly name: string };
