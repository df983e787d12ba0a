import { programName } from './program-name.ts';
import { type CommandWords, type ShellWord, staticWord, UNKNOWN_WORD } from './shell-word.ts';
import { type OptionGrammar, readOptions } from './wrapper-options.ts';

/** What a command runs beside itself. `unreadable`: something that its words do not tell. */
export type Unwrapped =
  | { readonly type: 'command'; readonly words: CommandWords }
  | { readonly type: 'script'; readonly text: string }
  | { readonly type: 'unreadable'; readonly reason: string };

/** Programs that run the command in their operands. */
interface Wrapper extends OptionGrammar {
  /** Operands before the command. */
  readonly operands?: number;
  /** `NAME=value` words come before the command. */
  readonly assignments?: true;
  /** Operands from somewhere else are added at the end. */
  readonly appends?: true;
  /** Options that only look the command up. */
  readonly inert?: string;
  /** An option whose value is a script. */
  readonly script?: readonly string[];
}

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  builtin: { short: '', long: '' },
  busybox: { short: '', long: '' },
  caffeinate: { short: 'disut:w:', long: '' },
  chroot: { short: '', long: 'groups= userspec= skip-chdir', operands: 1 },
  chrt: { short: 'abdfiormpRT:P:D:v', long: '', operands: 1 },
  command: { short: 'pvV', long: '', inert: 'vV' },
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

const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'mksh', 'ash', 'rbash', 'fish']);
const SHELL_OPTIONS: OptionGrammar = {
  short: 'abcefhiklmnprstuvxBCDEHPTo:O:',
  long: 'norc noprofile posix login noediting restricted verbose rcfile= init-file=',
};

/** What runs when these words run, one layer down. `input` is what the command reads from a here-document, if any. */
export function unwrapCommand(words: CommandWords, input: ShellWord | undefined): readonly Unwrapped[] {
  const [first, ...rest] = words;
  const name = programName(first);
  if (name === undefined) return [unreadable('the name of the program is computed')];
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
  if (wrapper !== undefined) return unwrapOperands(name, rest, wrapper);
  if (SHELLS.has(name)) return unwrapShell(name, rest, input);
  switch (name) {
    case 'eval':
      return joinScript(name, rest);
    case 'trap':
    case 'alias':
      return unwrapStoredScript(name, rest);
    case '.':
    case 'source':
      return runFile(name, rest);
    case 'find':
    case 'fd':
    case 'fdfind':
      return unwrapFind(rest);
    case 'git':
      return unwrapGit(rest);
    default:
      return [];
  }
}

function unwrapOperands(name: string, words: readonly ShellWord[], wrapper: Wrapper): readonly Unwrapped[] {
  const { options, rest, guessed } = readOptions(words, wrapper);
  if (options.some((option) => wrapper.inert?.includes(option.name))) return [];
  const scripts = options.flatMap(({ name: option, value }) =>
    value !== undefined && wrapper.script?.includes(option) ? scriptOf(name, value) : [],
  );
  // What runs is behind assignments and operands such as the seconds of `timeout`.
  const skipped = wrapper.assignments ? rest.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word.start)) : 0;
  const start = skipped < 0 ? rest.length : skipped + (wrapper.operands ?? 0);
  const doubtful = guessed || rest.slice(0, start).some((word) => word.splits);
  const command = rest.slice(start);
  const doubts = doubtful ? [unreadable(`the options of ${name} cannot be read`)] : [];
  const found = [...doubts, ...scripts];
  if (command.length === 0) return found;
  if (name === 'watch') return [...found, ...joinScript(name, command)];
  // `flock file -c script` and the like: a script where the command would be.
  if (command[0]?.text === '-c') return [...found, ...joinScript(name, command.slice(1))];
  return [...found, ...commandOf(wrapper.appends ? [...command, UNKNOWN_WORD] : command)];
}

function unwrapShell(name: string, words: readonly ShellWord[], input: ShellWord | undefined): readonly Unwrapped[] {
  const { options, rest, guessed } = readOptions(words, SHELL_OPTIONS);
  const doubts = guessed ? [unreadable(`the options of ${name} cannot be read`)] : [];
  const [script] = rest;
  if (options.some((option) => option.name === 'c')) {
    return script === undefined ? doubts : [...doubts, ...scriptOf(name, script)];
  }
  const fromInput = script === undefined || script.text === '-' || options.some((option) => option.name === 's');
  if (!fromInput) return [...doubts, ...runFile(name, rest)];
  if (input === undefined) return [...doubts, unreadable(`${name} runs what it reads from its input`)];
  return [...doubts, ...scriptOf(name, input)];
}

/** `sh file` and `. file` find the file on the search path too, so it counts as a program. */
function runFile(name: string, words: readonly ShellWord[]): readonly Unwrapped[] {
  return words[0]?.static === false ? [unreadable(`${name} runs a computed file`)] : commandOf(words);
}

function unwrapStoredScript(name: string, words: readonly ShellWord[]): readonly Unwrapped[] {
  const scripts = name === 'trap' ? words.filter((word) => word.text !== '--').slice(0, 1) : words;
  return scripts.flatMap((word) => {
    const text = name === 'trap' ? word.text : word.text.slice(word.text.indexOf('=') + 1);
    return scriptOf(name, { ...word, text });
  });
}

function unwrapFind(words: readonly ShellWord[]): readonly Unwrapped[] {
  const starts = words.flatMap((word, index) =>
    /^(?:-exec(?:dir)?|-ok(?:dir)?|-[xX]|--exec(?:-batch)?)$/.test(word.text) ? [index + 1] : [],
  );
  return starts.flatMap((start) => {
    const length = words.slice(start).findIndex((word) => word.text === ';' || word.text === '+');
    const command = words.slice(start, length < 0 ? words.length : start + length);
    return commandOf(command.map((word) => (word.text.includes('{}') ? UNKNOWN_WORD : word)));
  });
}

function unwrapGit(words: readonly ShellWord[]): readonly Unwrapped[] {
  return words.flatMap((word, index): readonly Unwrapped[] => {
    const before = words[index - 1]?.text;
    const alias = /^alias\.[^=]*=!(.*)$/s.exec(word.text)?.[1];
    if (before === '-c' && alias !== undefined) return scriptOf('git', { ...word, text: alias });
    if (before === '--exec' || before === '-x') return scriptOf('git', word);
    if (word.text.startsWith('--exec=')) return scriptOf('git', { ...word, text: word.text.slice('--exec='.length) });
    if (before === 'submodule' && word.text === 'foreach') return joinScript('git', words.slice(index + 1));
    if (before === 'bisect' && word.text === 'run') return commandOf(words.slice(index + 1));
    return [];
  });
}

function joinScript(name: string, words: readonly ShellWord[]): readonly Unwrapped[] {
  const text = words.map((word) => word.text).join(' ');
  return scriptOf(name, { ...staticWord(text), static: words.every((word) => word.static) });
}

/** A computed script is judged as it is written, and is unreadable beside. */
function scriptOf(name: string, word: ShellWord): readonly Unwrapped[] {
  const script: Unwrapped = { type: 'script', text: word.text };
  return word.static ? [script] : [unreadable(`${name} runs a computed command`), script];
}

function commandOf(words: readonly ShellWord[]): readonly Unwrapped[] {
  const [program, ...operands] = words;
  return program === undefined ? [] : [{ type: 'command', words: [program, ...operands] }];
}

function unreadable(reason: string): Unwrapped {
  return { type: 'unreadable', reason };
}
