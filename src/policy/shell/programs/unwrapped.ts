import { type CommandWords, type ShellWord, wordOf } from '../parse/shell-word.ts';

/**
 * Something that a command runs, in `directory` if that is another one. `unreadable`: the words do not show what it is.
 */
export type Unwrapped =
  | { readonly type: 'command'; readonly words: CommandWords; readonly directory?: ShellWord | undefined }
  | { readonly type: 'script'; readonly word: ShellWord; readonly directory?: ShellWord | undefined }
  | { readonly type: 'unreadable'; readonly reason: string };

/** The words as one script, as a program passes them to a shell. */
export function joinScript(name: string, words: readonly ShellWord[], directory?: ShellWord): readonly Unwrapped[] {
  const pieces = words.flatMap((word) => [...word.pieces, ...literalWord(' ').pieces]);
  return scriptOf(name, wordOf(pieces), directory);
}

/** A script. A computed one is checked as written, and is also unreadable. */
export function scriptOf(name: string, word: ShellWord, directory?: ShellWord): readonly Unwrapped[] {
  const script: Unwrapped = { type: 'script', word, directory };
  return word.static ? [script] : [unreadable(`${name} runs a computed command`), script];
}

/** The words as a command; nothing if there are none. */
export function wordsAsCommand(words: readonly ShellWord[], directory?: ShellWord): readonly Unwrapped[] {
  const [program, ...operands] = words;
  return program === undefined ? [] : [{ type: 'command', words: [program, ...operands], directory }];
}

/** A word without an expansion. */
export function literalWord(text: string): ShellWord {
  return wordOf([{ kind: 'literal', text }]);
}

/** A part whose words do not show what it runs. */
export function unreadable(reason: string): Unwrapped {
  return { type: 'unreadable', reason };
}
