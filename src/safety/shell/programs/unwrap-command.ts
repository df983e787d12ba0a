import {
  type CommandWords,
  dropStart,
  hasUnquotedExpansion,
  programName,
  type ShellWord,
  splitAtExpansions,
  UNKNOWN_WORD,
  wordOf,
} from '../shell-word.ts';
import { readFindCommand } from './find-command.ts';
import { GIT_SCRIPT_OPTIONS, readGitCommand } from './git-command.ts';
import { type OptionGrammar, parseOptions } from './options.ts';
import { WRAPPER_SUBCOMMANDS, WRAPPERS, type Wrapper, type WrapperSubcommands } from './wrappers.ts';

/**
 * Something that a command runs, in `directory` if that is another one. `unreadable`: the words do not show what it is.
 */
export type Unwrapped =
  | { readonly type: 'command'; readonly words: CommandWords; readonly directory?: ShellWord | undefined }
  | { readonly type: 'script'; readonly word: ShellWord; readonly directory?: ShellWord | undefined }
  | { readonly type: 'unreadable'; readonly reason: string };

/** The programs that run a script of the shell language. */
export const SHELLS: ReadonlySet<string> = new Set([
  'sh',
  'bash',
  'dash',
  'zsh',
  'ksh',
  'mksh',
  'ash',
  'rbash',
  'fish',
]);
const SHELL_OPTIONS: OptionGrammar = {
  short: 'abcefhiklmnprstuvxBCDEHPTo:O:',
  long: 'norc noprofile posix login noediting restricted verbose rcfile= init-file=',
};

/** Programs of GNU that Homebrew and the BSDs install with the prefix `g`, as in `grm`. */
export const GNU_PROGRAMS: readonly string[] = [
  'chgrp',
  'chmod',
  'chown',
  'cp',
  'dd',
  'env',
  'find',
  'install',
  'mkdir',
  'mkfifo',
  'mknod',
  'mv',
  'nice',
  'nohup',
  'rm',
  'shred',
  'stdbuf',
  'tee',
  'timeout',
  'truncate',
  'xargs',
];

/** Programs that do the same as another one: `sudoedit` is `sudo -e`. */
export const OTHER_NAMES: Readonly<Record<string, string>> = {
  sudoedit: 'sudo',
  'sudo-rs': 'sudo',
  ...Object.fromEntries(GNU_PROGRAMS.map((name) => [`g${name}`, name])),
};

/** Programs that create files with the mode in `-m`, like `chmod` with this mode. */
export const MODE_PROGRAMS: ReadonlySet<string> = new Set(['install', 'mkdir', 'mkfifo', 'mknod']);

/**
 * The commands and scripts that a command runs directly. `input` is its here-document or here-string. Uses every word
 * for at most one result, so that following the results takes time linear in the length of the command.
 */
export function unwrapCommand(words: CommandWords, input: ShellWord | undefined): readonly Unwrapped[] {
  const [first, ...rest] = words;
  const name = programName(first);
  if (name === undefined) return unwrapComputedName(first, rest);
  const wrapper = lookUp(WRAPPERS, name);
  if (wrapper !== undefined) return unwrapOperands(name, rest, wrapper);
  const subcommands = lookUp(WRAPPER_SUBCOMMANDS, name);
  if (subcommands !== undefined) return unwrapSubcommand(name, rest, subcommands);
  if (SHELLS.has(name)) return unwrapShell(name, rest, input);
  const otherName = lookUp(OTHER_NAMES, name);
  if (otherName !== undefined) return commandOf([literalWord(otherName), ...rest]);
  if (MODE_PROGRAMS.has(name)) return unwrapMode(rest);
  switch (name) {
    case 'eval':
      return joinScript(name, rest);
    case 'trap':
      return rest
        .filter((word) => word.text !== '--')
        .slice(0, 1)
        .flatMap((word) => scriptOf(name, word));
    case 'alias':
      return rest.flatMap((word) => scriptOf(name, dropStart(word, word.text.indexOf('=') + 1)));
    case '.':
    case 'source':
      return runFile(name, rest);
    case 'find':
      return unwrapFind(rest);
    case 'fd':
    case 'fdfind':
      return unwrapFd(rest);
    case 'git':
      return unwrapGit(rest);
    default:
      return [];
  }
}

/** An unquoted expansion in the name may also be a space: `sudo$IFS/bin/id` runs `sudo`. */
function unwrapComputedName(first: ShellWord, rest: readonly ShellWord[]): readonly Unwrapped[] {
  const computed = unreadable('the name of the program is computed');
  return hasUnquotedExpansion(first) ? [computed, ...commandOf([...splitAtExpansions(first), ...rest])] : [computed];
}

function unwrapOperands(name: string, words: readonly ShellWord[], wrapper: Wrapper): readonly Unwrapped[] {
  const skipsFirst = wrapper.leadingOperand === true && words[0]?.start.startsWith('-') === false;
  const parsed = parseOptions(skipsFirst ? words.slice(1) : words, wrapper);
  const { options, guessed } = parsed;
  // A lone `-` is an option of `env` and `runuser`.
  const rest = parsed.rest[0]?.text === '-' ? parsed.rest.slice(1) : parsed.rest;
  const has = (names: string | readonly string[] | undefined): boolean =>
    options.some((option) => names?.includes(option.name));
  if (has(wrapper.lookupOnly)) return [];
  const directory = options.findLast((option) => wrapper.directory?.includes(option.name))?.value;
  const scripts = options.flatMap(({ name: option, value }) =>
    value !== undefined && wrapper.script?.includes(option) ? scriptOf(name, value, directory) : [],
  );
  // The command comes after assignments and operands, such as the duration of `timeout`.
  const skipped = wrapper.assignments ? rest.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word.start)) : 0;
  const operands = has(wrapper.operandOptions) ? 0 : (wrapper.operands ?? 0);
  const start = skipped < 0 ? rest.length : skipped + operands;
  const isGuess = guessed || rest.slice(0, start).some((word) => word.splits);
  const [program, ...others] = rest.slice(start);
  const uncertainties = isGuess ? [unreadable(`the options of ${name} cannot be parsed`)] : [];
  const found = [...uncertainties, ...scripts];
  if (program === undefined) return found;
  // As in `flock file -c script`: a script takes the place of the command.
  if (program.text === '-c') return [...found, ...joinScript(name, others, directory)];
  if (wrapper.joins) return [...found, ...joinScript(name, [program, ...others], directory)];
  const command = wrapper.packages ? [withoutVersion(program), ...others] : [program, ...others];
  return [...found, ...commandOf(wrapper.appends ? [...command, UNKNOWN_WORD] : command, directory)];
}

/** The package `rimraf@5` has the program `rimraf`. */
function withoutVersion(word: ShellWord): ShellWord {
  return word.static ? literalWord(word.text.replace(/(?<=[^/])@[^@/]*$/, '')) : word;
}

function unwrapSubcommand(
  name: string,
  words: readonly ShellWord[],
  { names, wrapper }: WrapperSubcommands,
): readonly Unwrapped[] {
  const { rest, guessed } = parseOptions(words, wrapper);
  const [subcommand, ...others] = rest;
  if (subcommand === undefined) return [];
  if (names.includes(subcommand.text)) {
    // Options mean the same before and after the subcommand.
    const before = words.slice(0, words.length - rest.length);
    return unwrapOperands(`${name} ${subcommand.text}`, [...before, ...others], wrapper);
  }
  const mayRun = guessed && others.some((word) => names.includes(word.text));
  return !subcommand.static || mayRun ? [unreadable(`the subcommand of ${name} is unknown`)] : [];
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

function unwrapMode(words: readonly ShellWord[]): readonly Unwrapped[] {
  return words.flatMap((word, index) => {
    const isValue = /^(?:-[A-Za-z]*m|--m(?:o(?:de?)?)?)$/.test(words[index - 1]?.text ?? '');
    const option = /^(?:-[A-Za-z]*?m|--m(?:o(?:de?)?)?=)(?=.)/.exec(word.start)?.[0];
    if (isValue) return commandOf([literalWord('chmod'), word]);
    return option === undefined ? [] : commandOf([literalWord('chmod'), dropStart(word, option.length)]);
  });
}

function unwrapFind(words: readonly ShellWord[]): readonly Unwrapped[] {
  const { actions, isComputed } = readFindCommand(words);
  const commands = actions.flatMap((action) =>
    action.type === 'run' ? commandOf(withUnknownPaths(action.words)) : [],
  );
  return isComputed ? [unreadable('a test or an action of find is computed'), ...commands] : commands;
}

function unwrapFd(words: readonly ShellWord[]): readonly Unwrapped[] {
  const found: Unwrapped[] = [];
  let command: ShellWord[] | undefined;
  for (const word of [...words, literalWord(';')]) {
    if (command === undefined) {
      if (/^(?:-[xX]|--exec(?:-batch)?)$/.test(word.text)) command = [];
    } else if (word.text === ';') {
      // Without a placeholder, fd appends the paths.
      const hasPath = command.some(isFoundPath);
      found.push(...commandOf(withUnknownPaths(hasPath ? command : [...command, UNKNOWN_WORD])));
      command = undefined;
    } else {
      command.push(word);
    }
  }
  return found;
}

/** Replaces the words that stand for the found paths. */
function withUnknownPaths(words: readonly ShellWord[]): readonly ShellWord[] {
  return words.map((word) => (isFoundPath(word) ? UNKNOWN_WORD : word));
}

/** True for a word with a placeholder of `find` or `fd`, such as `{}` or `{/.}`. */
function isFoundPath(word: ShellWord): boolean {
  return /\{[./]*\}/.test(word.text);
}

function unwrapGit(words: readonly ShellWord[]): readonly Unwrapped[] {
  const { directories, settings, subcommand, rest } = readGitCommand(words);
  const directory = directories.at(-1);
  const aliases = settings.flatMap((setting): readonly Unwrapped[] => {
    if (!setting.static && !setting.start.includes('=')) return [unreadable('a setting of git is computed')];
    const start = /^alias\.[^=]*=!/s.exec(setting.text)?.[0];
    return start === undefined ? [] : scriptOf('git', dropStart(setting, start.length), directory);
  });
  if (subcommand === undefined) return aliases;
  if (!subcommand.static) return [...aliases, unreadable('the subcommand of git is computed')];
  return [...aliases, ...unwrapGitSubcommand(subcommand.text, rest, directory)];
}

function unwrapGitSubcommand(
  subcommand: string,
  words: readonly ShellWord[],
  directory: ShellWord | undefined,
): readonly Unwrapped[] {
  if (subcommand === 'bisect') return words[0]?.text === 'run' ? commandOf(words.slice(1), directory) : [];
  if (subcommand === 'submodule') {
    const foreach = words.findIndex((word) => word.text === 'foreach');
    const script = words.slice(foreach + 1);
    const start = script.findIndex((word) => !word.start.startsWith('-'));
    return foreach < 0 || start < 0 ? [] : joinScript('git', script.slice(start), directory);
  }
  const scriptOptions = lookUp(GIT_SCRIPT_OPTIONS, subcommand) ?? [];
  return words.flatMap((word, index) => {
    if (scriptOptions.includes(words[index - 1]?.text ?? '')) return scriptOf('git', word, directory);
    const option = scriptOptions.find((name) => name.startsWith('--') && word.text.startsWith(`${name}=`));
    return option === undefined ? [] : scriptOf('git', dropStart(word, option.length + 1), directory);
  });
}

function joinScript(name: string, words: readonly ShellWord[], directory?: ShellWord): readonly Unwrapped[] {
  const pieces = words.flatMap((word) => [...word.pieces, ...literalWord(' ').pieces]);
  return scriptOf(name, wordOf(pieces), directory);
}

/** A computed script is checked as written, and is also unreadable. */
function scriptOf(name: string, word: ShellWord, directory?: ShellWord): readonly Unwrapped[] {
  const script: Unwrapped = { type: 'script', word, directory };
  return word.static ? [script] : [unreadable(`${name} runs a computed command`), script];
}

function commandOf(words: readonly ShellWord[], directory?: ShellWord): readonly Unwrapped[] {
  const [program, ...operands] = words;
  return program === undefined ? [] : [{ type: 'command', words: [program, ...operands], directory }];
}

function literalWord(text: string): ShellWord {
  return wordOf([{ kind: 'literal', text }]);
}

function unreadable(reason: string): Unwrapped {
  return { type: 'unreadable', reason };
}

function lookUp<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
