import type { ShellWord } from './shell-word.ts';

/**
 * The options of a program that runs another program, from its manual page. `short` uses the notation of getopt (`n:`
 * takes a value, `i::` takes one only in the same word); `long` lists names, with `=` after those that take a value.
 */
export interface OptionGrammar {
  readonly short: string;
  readonly long: string;
}

/** The command-line syntax of a program that runs the command in its operands. */
export interface Wrapper extends OptionGrammar {
  /** The number of operands before the command. */
  readonly operands?: number;
  /** `NAME=value` words may come before the command. */
  readonly assignments?: true;
  /** The program appends operands, for example from its input. */
  readonly appends?: true;
  /** Options with which the command is only looked up, not run. */
  readonly lookupOnly?: string;
  /** Options whose value is a script. */
  readonly script?: readonly string[];
}

/** The programs that run the command in their operands. */
export const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  builtin: { short: '', long: '' },
  busybox: { short: '', long: '' },
  caffeinate: { short: 'disut:w:', long: '' },
  chroot: { short: '', long: 'groups= userspec= skip-chdir', operands: 1 },
  chrt: { short: 'abdfiormpRT:P:D:v', long: '', operands: 1 },
  command: { short: 'pvV', long: '', lookupOnly: 'vV' },
  doas: { short: 'nsLu:C:', long: '', assignments: true },
  env: {
    short: 'i0vu:C:P:S:a:',
    long: 'ignore-environment null debug unset= chdir= split-string= argv0= list-signal-handling',
    assignments: true,
    script: ['S', 'split-string'],
  },
  exec: { short: 'cla:', long: '' },
  flock: {
    short: 'sexnuoFE:w:c:',
    long: 'shared exclusive nonblock unlock close timeout= conflict-exit-code= command= no-fork verbose',
    operands: 1,
    script: ['c', 'command'],
  },
  ionice: { short: 'tc:n:p:P:u:', long: 'ignore class= classdata= pid= pgid= uid=' },
  nice: { short: '0123456789n:', long: 'adjustment=' },
  nohup: { short: '', long: '' },
  parallel: {
    short: '0kuXmj:n:N:I:a:d:P:S:',
    long: 'jobs= halt= keep-group keep-order line-buffer tag',
    appends: true,
  },
  script: {
    short: 'aefqc:O:I:B:E:T:m:o:',
    long: 'command= quiet append flush return',
    operands: 1,
    script: ['c', 'command'],
  },
  setsid: { short: 'cfw', long: 'ctty fork wait' },
  stdbuf: { short: 'i:o:e:', long: 'input= output= error=' },
  strace: { short: 'fFcCkvqrtTxywa:b:e:o:O:p:P:s:S:u:E:I:', long: '' },
  sudo: {
    short: 'AbEeHnPSkKVisu:g:C:c:D:h:p:R:r:T:t:U:',
    long: 'user= group= host= prompt= chdir= preserve-env login shell non-interactive stdin background set-home askpass',
    assignments: true,
  },
  taskset: { short: 'apc', long: 'all-tasks pid cpu-list', operands: 1 },
  time: { short: 'apvqf:o:', long: 'portability append verbose quiet format= output=' },
  timeout: { short: 'fvps:k:', long: 'foreground verbose preserve-status signal= kill-after=', operands: 1 },
  unshare: { short: 'mupiUCnTrcfR:w:S:G:', long: 'fork map-root-user net pid mount root= wd=' },
  watch: { short: 'bcdegprtwxn:q:', long: 'interval= differences errexit chgexit exec no-title precise' },
  xargs: {
    short: '0rtpoxi::l::e::I:n:P:L:s:d:a:E:J:R:S:',
    long: 'null no-run-if-empty verbose interactive exit open-tty arg-file= delimiter= max-args= max-procs= max-lines= max-chars= process-slot-var= replace show-limits',
    appends: true,
  },
};

/** The options of a command, in order. `rest` starts at the first word that is not an option. */
export interface ParsedOptions {
  readonly options: readonly { readonly name: string; readonly value?: ShellWord }[];
  readonly rest: readonly ShellWord[];
  /** True if an option is computed or not in the grammar, so that the start of the command is a guess. */
  readonly guessed: boolean;
}

/** Parses the options at the start of `words`, which are the words after the program's name. */
export function parseOptions(words: readonly ShellWord[], grammar: OptionGrammar): ParsedOptions {
  const options: { name: string; value?: ShellWord }[] = [];
  let guessed = false;
  let index = 0;
  for (; index < words.length; index++) {
    const word = words[index];
    if (word === undefined || word.text === '-' || !/^[-+]/.test(word.start)) break;
    if (word.text === '--') return { options, rest: words.slice(index + 1), guessed };
    const read = word.start.startsWith('--')
      ? parseLongOption(word, grammar.long)
      : parseShortOptions(word, grammar.short);
    guessed ||= read.guessed;
    const next = words[index + 1];
    for (const name of read.names) options.push({ name });
    if (read.needsValue !== undefined && next !== undefined) {
      options.push({ name: read.needsValue, value: next });
      guessed ||= !next.static;
      index++;
    } else if (read.value !== undefined) {
      options.push(read.value);
    }
  }
  return { options, rest: words.slice(index), guessed };
}

interface ParsedWord {
  readonly names: readonly string[];
  /** The option that takes the next word as its value. */
  readonly needsValue?: string;
  readonly value?: { readonly name: string; readonly value: ShellWord };
  readonly guessed: boolean;
}

function parseLongOption(word: ShellWord, long: string): ParsedWord {
  const [name = '', ...values] = word.text.slice(2).split('=');
  const known = long.split(' ').find((candidate) => candidate !== '' && candidate.startsWith(name));
  const guessed = known === undefined || !word.static;
  const full = known?.replace(/=$/, '') ?? name;
  if (values.length > 0) return { names: [], value: { name: full, value: tail(word, values.join('=')) }, guessed };
  return known?.endsWith('=') ? { names: [], needsValue: full, guessed } : { names: [full], guessed };
}

function parseShortOptions(word: ShellWord, short: string): ParsedWord {
  const names: string[] = [];
  const letters = word.text.slice(1);
  for (let index = 0; index < letters.length; index++) {
    const name = letters.charAt(index);
    const at = short.indexOf(name);
    if (at < 0 || name === ':') return { names, guessed: true };
    if (short[at + 1] !== ':') {
      names.push(name);
      continue;
    }
    const value = letters.slice(index + 1);
    if (value !== '') return { names, value: { name, value: tail(word, value) }, guessed: !word.static };
    return short[at + 2] === ':'
      ? { names: [...names, name], guessed: false }
      : { names, needsValue: name, guessed: false };
  }
  return { names, guessed: !word.static };
}

/** Creates a word from the end of another word. */
function tail(word: ShellWord, text: string): ShellWord {
  return { ...word, text, start: word.static ? text : '' };
}
