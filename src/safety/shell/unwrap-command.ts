import { type CommandWords, programName, type ShellWord, staticWord, UNKNOWN_WORD } from './shell-word.ts';
import { type OptionGrammar, parseOptions, WRAPPERS, type Wrapper } from './wrappers.ts';

/** Something that a command runs. `unreadable`: the words do not show what it is. */
export type Unwrapped =
  | { readonly type: 'command'; readonly words: CommandWords }
  | { readonly type: 'script'; readonly text: string }
  | { readonly type: 'unreadable'; readonly reason: string };

const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'mksh', 'ash', 'rbash', 'fish']);
const SHELL_OPTIONS: OptionGrammar = {
  short: 'abcefhiklmnprstuvxBCDEHPTo:O:',
  long: 'norc noprofile posix login noediting restricted verbose rcfile= init-file=',
};

/** The commands and scripts that a command runs directly. `input` is its here-document or here-string. */
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
  const { options, rest, guessed } = parseOptions(words, wrapper);
  if (options.some((option) => wrapper.lookupOnly?.includes(option.name))) return [];
  const scripts = options.flatMap(({ name: option, value }) =>
    value !== undefined && wrapper.script?.includes(option) ? scriptOf(name, value) : [],
  );
  // The command comes after assignments and operands, such as the duration of `timeout`.
  const skipped = wrapper.assignments ? rest.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word.start)) : 0;
  const start = skipped < 0 ? rest.length : skipped + (wrapper.operands ?? 0);
  const isGuess = guessed || rest.slice(0, start).some((word) => word.splits);
  const command = rest.slice(start);
  const uncertainties = isGuess ? [unreadable(`the options of ${name} cannot be parsed`)] : [];
  const found = [...uncertainties, ...scripts];
  if (command.length === 0) return found;
  if (name === 'watch') return [...found, ...joinScript(name, command)];
  // As in `flock file -c script`: a script takes the place of the command.
  if (command[0]?.text === '-c') return [...found, ...joinScript(name, command.slice(1))];
  return [...found, ...commandOf(wrapper.appends ? [...command, UNKNOWN_WORD] : command)];
}

function unwrapShell(name: string, words: readonly ShellWord[], input: ShellWord | undefined): readonly Unwrapped[] {
  const { options, rest, guessed } = parseOptions(words, SHELL_OPTIONS);
  const uncertainties = guessed ? [unreadable(`the options of ${name} cannot be parsed`)] : [];
  const [script] = rest;
  if (options.some((option) => option.name === 'c')) {
    return script === undefined ? uncertainties : [...uncertainties, ...scriptOf(name, script)];
  }
  const fromInput = script === undefined || script.text === '-' || options.some((option) => option.name === 's');
  if (!fromInput) return [...uncertainties, ...runFile(name, rest)];
  if (input === undefined) return [...uncertainties, unreadable(`${name} runs what it reads from standard input`)];
  return [...uncertainties, ...scriptOf(name, input)];
}

/** The file of `sh file` or `. file` counts as a program, because the shell may find it on the search path. */
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

/** A computed script is checked as written, and is also unreadable. */
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
