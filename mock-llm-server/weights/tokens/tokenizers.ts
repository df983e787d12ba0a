import { byteTokens } from './byte-level.ts';
import { MERGES } from './merges.data.ts';

/** The names of the tokenizers of prompts. */
export const TOKENIZERS = ['bytes', 'words'] as const;
export type TokenizerName = (typeof TOKENIZERS)[number];

/** Byte-pair encoding: the merges, in the order in which they apply, and its tokens. */
export interface Tokenizer {
  readonly merges: readonly (readonly [left: string, right: string])[];
  readonly tokens: readonly string[];
  /** Merges stay within a word, as GPT-2 defines it. */
  readonly splitsWords: boolean;
}

/** Readers of GGUF want at least one merge. */
const ONE_MERGE = '! !';

/** A tokenizer: `bytes` makes the smaller model, `words` counts a prompt about as the tokenizer of a real model does. */
export function tokenizerOf(name: TokenizerName): Tokenizer {
  const merges = (name === 'words' ? MERGES : ONE_MERGE).split('\n').map((merge): readonly [string, string] => {
    const [left = '', right = ''] = merge.split(' ');
    return [left, right];
  });
  const tokens = [...byteTokens(), ...merges.map((merge) => merge.join(''))];
  return { merges, tokens: [...new Set(tokens)], splitsWords: name === 'words' };
}
