import type { ShellWord } from './shell-word.ts';

/** The words behind a program's name, told apart. */
export interface CommandShape {
  /** Single letters, long names with `--`, and whole words for programs whose long options have one dash. */
  readonly flags: ReadonlySet<string>;
  readonly operands: readonly ShellWord[];
  /** A computed word may bring flags that cannot be seen. */
  readonly hiddenFlags: boolean;
}

/** Long options and other letters that mean the same as a letter. */
const SAME_FLAG: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  rm: { R: 'r', '--recursive': 'r', '--force': 'f' },
  chmod: { '--recursive': 'R' },
  chown: { '--recursive': 'R' },
  chgrp: { '--recursive': 'R' },
  git: { '--force': 'f' },
};

/** Options before the subcommand that take the next word. */
const GLOBAL_VALUES: Readonly<Record<string, ReadonlySet<string>>> = {
  git: new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path', '--config-env']),
};

/** Programs that spell long options with one dash, so that `-delete` is not six letters. */
const ONE_DASH_PROGRAMS: ReadonlySet<string> = new Set(['find', 'go', 'java', 'terraform', 'openssl', 'ffmpeg']);

/** Sorts the words behind `program` into flags and operands; everything after `--` is an operand. */
export function shapeCommand(program: string, words: readonly ShellWord[]): CommandShape {
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
      for (const flag of readFlags(program, word.start)) flags.add(flag);
      hiddenFlags ||= !word.static && !word.start.includes('=');
      isValue = lookUp(GLOBAL_VALUES, program)?.has(word.text) === true;
    } else {
      operands.push(word);
      hiddenFlags ||= !word.static && word.start === '';
    }
  }
  return { flags, operands, hiddenFlags };
}

function readFlags(program: string, text: string): readonly string[] {
  const [name = text] = text.split('=');
  const same = lookUp(SAME_FLAG, program) ?? {};
  if (name.startsWith('--')) {
    // GNU programs take any beginning of a long option that is not ambiguous.
    const [, letter = name] = Object.entries(same).find(([flag]) => flag.startsWith(name)) ?? [];
    return [letter];
  }
  if (ONE_DASH_PROGRAMS.has(program)) return [name];
  return [...text.slice(1)].map((letter) => same[letter] ?? letter);
}

function lookUp<Value>(table: Readonly<Record<string, Value>>, program: string): Value | undefined {
  return Object.hasOwn(table, program) ? table[program] : undefined;
}
