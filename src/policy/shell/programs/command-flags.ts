import { ownEntry } from '../../../text/json/own-entry.ts';
import { hasUnquotedExpansion, type ShellWord, UNKNOWN_WORD } from '../parse/shell-word.ts';
import { GIT_OPTIONS_WITH_VALUE } from './git-command.ts';

/** The arguments of a program, split into flags and operands. */
export interface CommandArguments {
  /** Single letters, long names with `--`, and whole words for programs whose long options start with one dash. */
  readonly flags: ReadonlySet<string>;
  readonly operands: readonly ShellWord[];
  /** True if a computed word may contain flags. */
  readonly hiddenFlags: boolean;
}

/** Long options and letters that mean the same as another letter, by program. */
export const FLAG_ALIASES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  rm: { R: 'r', '--recursive': 'r', '--force': 'f' },
  srm: { R: 'r', '--recursive': 'r' },
  chmod: { '--recursive': 'R' },
  chown: { '--recursive': 'R' },
  chgrp: { '--recursive': 'R' },
  git: { '--force': 'f' },
};

/** Programs whose long options start with one dash, so that `-delete` is one flag. */
export const SINGLE_DASH_PROGRAMS: ReadonlySet<string> = new Set([
  'find',
  'go',
  'java',
  'terraform',
  'openssl',
  'ffmpeg',
]);

/** Splits the words after `program` into flags and operands. Every word after `--` is an operand. */
export function splitArguments(program: string, words: readonly ShellWord[]): CommandArguments {
  const flags = new Set<string>();
  const operands: ShellWord[] = [];
  let hiddenFlags = false;
  let isValue = false;
  for (const [index, word] of words.entries()) {
    if (isValue) {
      isValue = false;
      continue;
    }
    if (word.text === '--') {
      operands.push(...words.slice(index + 1));
      break;
    }
    if (word.text !== '-' && word.start.startsWith('-')) {
      for (const flag of parseFlags(program, word.start)) flags.add(flag);
      hiddenFlags ||= !word.static && !word.start.includes('=');
      // The expansion in `-r$X` may begin another word.
      if (hasUnquotedExpansion(word)) operands.push(UNKNOWN_WORD);
      isValue = program === 'git' && GIT_OPTIONS_WITH_VALUE.has(word.text);
    } else {
      operands.push(word);
      hiddenFlags ||= !word.static && word.start === '';
    }
  }
  return { flags, operands, hiddenFlags };
}

function parseFlags(program: string, text: string): readonly string[] {
  const [name = text] = text.split('=');
  const aliases = ownEntry(FLAG_ALIASES, program) ?? {};
  if (name.startsWith('--')) {
    // GNU programs accept any unambiguous beginning of a long option.
    const [, letter = name] = Object.entries(aliases).find(([flag]) => flag.startsWith(name)) ?? [];
    return [letter];
  }
  if (SINGLE_DASH_PROGRAMS.has(program)) return [name];
  return [...text.slice(1)].map((letter) => aliases[letter] ?? letter);
}
