import type { ShellWord } from './shell-word.ts';

/** The words after a program's name, sorted into flags and operands. */
export interface CommandShape {
  /** Single letters, long names with `--`, and whole words for programs whose long options have one dash. */
  readonly flags: ReadonlySet<string>;
  readonly operands: readonly ShellWord[];
  /** True when a computed word may contain flags. */
  readonly hiddenFlags: boolean;
}

/** Long options and other letters with the same meaning as a letter, by program. */
const SAME_FLAG: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  rm: { R: 'r', '--recursive': 'r', '--force': 'f' },
  chmod: { '--recursive': 'R' },
  chown: { '--recursive': 'R' },
  chgrp: { '--recursive': 'R' },
  git: { '--force': 'f' },
};

/** Options before the subcommand that take the next word as their value, by program. */
const GLOBAL_VALUES: Readonly<Record<string, ReadonlySet<string>>> = {
  git: new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path', '--config-env']),
};

/** Programs that write long options with one dash, so that `-delete` is one flag. */
const ONE_DASH_PROGRAMS: ReadonlySet<string> = new Set(['find', 'go', 'java', 'terraform', 'openssl', 'ffmpeg']);

/** Sorts the words after `program` into flags and operands; every word after `--` is an operand. */
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
    // GNU programs accept any unambiguous beginning of a long option.
    const [, letter = name] = Object.entries(same).find(([flag]) => flag.startsWith(name)) ?? [];
    return [letter];
  }
  if (ONE_DASH_PROGRAMS.has(program)) return [name];
  return [...text.slice(1)].map((letter) => same[letter] ?? letter);
}

function lookUp<Value>(table: Readonly<Record<string, Value>>, program: string): Value | undefined {
  return Object.hasOwn(table, program) ? table[program] : undefined;
}
