import type { ShellWord } from '../parse/shell-word.ts';
import { type OptionGrammar, parseMixedOptions } from './options.ts';

/** The options of the programs that copy or move files. */
export const COPIERS: Readonly<Record<'cp' | 'install' | 'mv', OptionGrammar>> = {
  cp: {
    short: 'abcdfHiklLnNpPrRsuvVxXZS:t:T',
    long: 'archive attributes-only backup copy-contents debug dereference force interactive keep-directory-symlink link no-clobber no-dereference no-preserve= no-target-directory one-file-system parents preserve recursive reflink remove-destination sparse= strip-trailing-slashes suffix= symbolic-link target-directory= update verbose',
  },
  install: {
    short: 'bcCdDpsTvZg:m:o:S:t:',
    long: 'backup compare directory group= mode= no-target-directory owner= preserve-timestamps strip strip-program= suffix= target-directory= verbose',
  },
  mv: {
    short: 'bfinuvTZS:t:',
    long: 'backup debug exchange force interactive no-clobber no-copy no-target-directory strip-trailing-slashes suffix= target-directory= update verbose',
  },
};

/** The files that such a program copies or moves, and their target. */
export function copiedFiles(
  program: keyof typeof COPIERS,
  words: readonly ShellWord[],
): { readonly sources: readonly ShellWord[]; readonly target: ShellWord | undefined } {
  const { options, operands } = parseMixedOptions(words, COPIERS[program]);
  const directory = options.find(({ name }) => name === 't' || name === 'target-directory')?.value;
  return directory === undefined
    ? { sources: operands.slice(0, -1), target: operands.at(-1) }
    : { sources: operands, target: directory };
}
