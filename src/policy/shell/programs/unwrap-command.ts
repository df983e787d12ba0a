import { ownEntry } from '../../../text/json/own-entry.ts';
import {
  type CommandWords,
  dropStart,
  hasUnquotedExpansion,
  programName,
  type ShellWord,
  splitAtExpansions,
  UNKNOWN_WORD,
  wordOf,
} from '../parse/shell-word.ts';
import { readFindCommand } from './find-command.ts';
import { type OptionGrammar, type ParsedOptions, parseOptions } from './options.ts';
import { isSelfDescription } from './system-program.ts';
import { unwrapGit } from './unwrap-git.ts';
import { joinScript, literalWord, scriptOf, type Unwrapped, unreadable, wordsAsCommand } from './unwrapped.ts';
import { HIDING, WRAPPER_SUBCOMMANDS, WRAPPERS, type Wrapper, type WrapperSubcommands } from './wrappers.ts';

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
  long: 'no-execute no-exec norc noprofile posix login noediting restricted verbose rcfile= init-file=',
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

/** The path of any file below the current directory, in place of the path that `find` puts there. */
export const FOUND_BELOW: ShellWord = literalWord('./found');

/**
 * The commands and scripts that a command runs directly. `input` is its here-document or here-string. Uses every word
 * for at most one result, so that following the results takes time linear in the length of the command.
 */
export function unwrapCommand(words: CommandWords, input: ShellWord | undefined): readonly Unwrapped[] {
  const [first, ...rest] = words;
  const name = programName(first);
  if (name === undefined) return unwrapComputedName(first, rest);
  if (rest.some(({ start }) => HIDING.test(`${name} ${start}`)))
    return [unreadable(`${name} makes the shell run something else`)];
  const wrapper = ownEntry(WRAPPERS, name);
  if (wrapper !== undefined) return isSelfDescription({ words }) ? [] : unwrapOperands(name, rest, wrapper);
  const subcommands = ownEntry(WRAPPER_SUBCOMMANDS, name);
  if (subcommands !== undefined) return unwrapSubcommand(name, rest, subcommands);
  if (SHELLS.has(name)) return unwrapShell(name, rest, input);
  const otherName = ownEntry(OTHER_NAMES, name);
  if (otherName !== undefined) return wordsAsCommand([literalWord(otherName), ...rest]);
  switch (name) {
    case 'eval':
      return joinScript(name, rest);
    case 'trap': {
      const script = rest[rest[0]?.text === '--' ? 1 : 0];
      return script === undefined || /^-[lp]$/.test(script.text) ? [] : scriptOf(name, script);
    }
    case 'alias':
      return rest.flatMap((word) => scriptOf(name, dropStart(word, word.text.indexOf('=') + 1)));
    case '.':
    case 'source':
      return isInputFile(rest[0]) ? runInput(name, input) : runFile(name, rest);
    case 'find':
      return unwrapFind(rest);
    case 'fd':
    case 'fdfind':
      return unwrapFd(rest);
    case 'git':
      return unwrapGit(rest);
    case 'install':
      // With `-d` it creates directories, as mkdir does.
      return rest.some(({ text }) => /^-[a-zA-Z]*d|^--dir/.test(text)) ? [] : unwrapMode(rest);
    default:
      return [];
  }
}

/** An unquoted expansion in the name may also be a space: `sudo$IFS/bin/id` runs `sudo`. */
function unwrapComputedName(first: ShellWord, rest: readonly ShellWord[]): readonly Unwrapped[] {
  const computed = unreadable('the name of the program is computed');
  return hasUnquotedExpansion(first)
    ? [computed, ...wordsAsCommand([...splitAtExpansions(first), ...rest])]
    : [computed];
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
  if (wrapper.templates) return [...found, ...unwrapTemplate(name, rest)];
  if (program === undefined) return found;
  // As in `flock file -c script`: a script takes the place of the command.
  if (program.text === '-c') return [...found, ...joinScript(name, others, directory)];
  if (wrapper.joins) return [...found, ...joinScript(name, [program, ...others], directory)];
  const command = wrapper.packages ? [withoutVersion(program), ...others] : [program, ...others];
  return [...found, ...wordsAsCommand(wrapper.appends ? withInput(command, options) : command, directory)];
}

/** The command of `xargs` with what it reads: at its end and as `{}`, also with another mark, such as that of `-I%`. */
function withInput(words: readonly ShellWord[], options: ParsedOptions['options']): readonly ShellWord[] {
  const option = options.findLast(({ name }) => ['I', 'J', 'i', 'replace'].includes(name));
  if (option === undefined) return [...words, UNKNOWN_WORD];
  const mark = option.value?.text || '{}';
  const filled = words.map((word, index) => {
    // The program, or the script of a shell
    if (word.text === mark && /^(?:-\w*c)?$/.test(words[index - 1]?.text ?? '')) return UNKNOWN_WORD;
    if (!word.static || !word.text.includes(mark)) return word;
    // In a script, the input stands like the value of a variable.
    return literalWord(word.text.replaceAll(mark, /[\s;|&$`()<>]/.test(word.text) ? '$ARGUMENT' : '{}'));
  });
  return [...filled, UNKNOWN_WORD];
}

/** A command with the placeholder `{}`, as one script if it has spaces, or a script in each word after `:::`. */
function unwrapTemplate(name: string, words: readonly ShellWord[]): readonly Unwrapped[] {
  if (words.length === 0) return [unreadable(`${name} runs what it reads from standard input`)];
  const end = words.findIndex((word) => /^::::?\+?$/.test(word.text));
  const template = end < 0 ? words : words.slice(0, end);
  if (template.length === 0) return words.slice(1).flatMap((word) => scriptOf(name, word));
  if (!template.some((word) => word.static && /[\s;|&$`()<>]/.test(word.text)))
    return wordsAsCommand(withUnknownPaths([...words, UNKNOWN_WORD]));
  const fill = (word: ShellWord): ShellWord =>
    word.static ? literalWord(word.text.replaceAll(/\{[^{}]*\}/g, '$ARGUMENT')) : word;
  return joinScript(name, template.map(fill));
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
  if (onlyChecks(options, words)) return uncertainties;
  if (options.some((option) => option.name === 'c')) {
    return script === undefined ? uncertainties : [...uncertainties, ...scriptOf(name, script)];
  }
  const fromInput = script === undefined || isInputFile(script) || options.some((option) => option.name === 's');
  return [...uncertainties, ...(fromInput ? runInput(name, input) : runFile(name, rest))];
}

/** True for a shell that only checks the syntax. One for a terminal runs the script nevertheless. */
function onlyChecks(options: readonly { readonly name: string }[], words: readonly ShellWord[]): boolean {
  const has = (names: RegExp): boolean => options.some(({ name }) => names.test(name));
  // Only the last word can be computed, because `+n` before it would have the script run.
  const mayUndo = words.some(
    (word, index) => word.start.startsWith('+') || (!word.static && (word.splits || index < words.length - 1)),
  );
  return has(/^(?:n|no-?exec(?:ute)?)$/) && !has(/^(?:i|o|interactive)$/) && !mayUndo;
}

/** True for the names of the standard input of a command. */
function isInputFile(word: ShellWord | undefined): boolean {
  return word !== undefined && /^(?:-|\/dev\/(?:stdin|fd\/0)|\/proc\/self\/fd\/0)$/.test(word.text);
}

function runInput(name: string, input: ShellWord | undefined): readonly Unwrapped[] {
  return input === undefined ? [unreadable(`${name} runs what it reads from standard input`)] : scriptOf(name, input);
}

/** The file of `sh file` or `. file` counts as a program, because the shell may find it on the search path. */
function runFile(name: string, words: readonly ShellWord[]): readonly Unwrapped[] {
  return words[0]?.static === false ? [unreadable(`${name} runs a computed file`)] : wordsAsCommand(words);
}

/** `install -m 777` copies a file and does the same as `chmod` with this mode. */
function unwrapMode(words: readonly ShellWord[]): readonly Unwrapped[] {
  return words.flatMap((word, index) => {
    const isValue = /^(?:-[A-Za-z]*m|--m(?:o(?:de?)?)?)$/.test(words[index - 1]?.text ?? '');
    const option = /^(?:-[A-Za-z]*?m|--m(?:o(?:de?)?)?=)(?=.)/.exec(word.start)?.[0];
    if (isValue) return wordsAsCommand([literalWord('chmod'), word]);
    return option === undefined ? [] : wordsAsCommand([literalWord('chmod'), dropStart(word, option.length)]);
  });
}

function unwrapFind(words: readonly ShellWord[]): readonly Unwrapped[] {
  const { starts, actions, isComputed } = readFindCommand(words);
  const startsBelow = starts.every(
    ({ static: isStatic, text }) => isStatic && !/^[/-]|(?:^|\/)\.\.(?:\/|$)/.test(text),
  );
  const commands = actions.flatMap((action) => {
    if (action.type !== 'run') return [];
    const isBelow = startsBelow && !action.everything;
    return wordsAsCommand(withUnknownPaths(isBelow ? action.words.map(asPathBelow) : action.words));
  });
  return isComputed ? [unreadable('a test or an action of find is computed'), ...commands] : commands;
}

function unwrapFd(words: readonly ShellWord[]): readonly Unwrapped[] {
  const found: Unwrapped[] = [];
  let command: ShellWord[] | undefined;
  for (const word of [...words, literalWord(';')]) {
    if (command === undefined) {
      const option = /^(?:-[xX]|--exec(?:-batch)?(?:=|$))/.exec(word.start)?.[0];
      if (option !== undefined) command = word.text === option ? [] : [dropStart(word, option.length)];
    } else if (word.text === ';') {
      // Without a placeholder, fd appends the paths.
      const hasPath = command.some(isFoundPath);
      found.push(...wordsAsCommand(withUnknownPaths(hasPath ? command : [...command, UNKNOWN_WORD])));
      command = undefined;
    } else {
      command.push(word);
    }
  }
  return found;
}

/** A found path as an operand. It is below the directory where the search starts, if a test selects files. */
function asPathBelow(word: ShellWord, index: number): ShellWord {
  return index > 0 && word.text === '{}' ? FOUND_BELOW : word;
}

/** Replaces the placeholders of found paths. Alone, one may become several words. */
function withUnknownPaths(words: readonly ShellWord[]): readonly ShellWord[] {
  return words.map((word) => {
    if (!isFoundPath(word)) return word;
    if (!word.static || /^\{[./]*\}$/.test(word.text)) return UNKNOWN_WORD;
    const parts = word.text.split(/(\{[./]*\})/);
    return wordOf(parts.map((text, index) => ({ kind: index % 2 === 0 ? 'literal' : 'quoted-expansion', text })));
  });
}

/** True for a word with a placeholder of `find` or `fd`, such as `{}` or `{/.}`. */
function isFoundPath(word: ShellWord): boolean {
  return /\{[./]*\}/.test(word.text);
}
