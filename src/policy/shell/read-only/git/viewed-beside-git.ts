import { ownEntry } from '../../../../text/json/own-entry.ts';
import type { ParsedCommandLine, SimpleCommand } from '../../parse/parsed-command-line.ts';
import type { ShellWord } from '../../parse/shell-word.ts';
import { isSelfDescription, programOf } from '../../programs/system-program.ts';
import { FOUND_BELOW } from '../../programs/unwrap-command.ts';

/** Variables of git, and those by which it or another program loads code; also as a word: `for PATH in .`. */
const CHANGES_GIT =
  /(?<![$\w{])(?:PATH|HOME|ENV|GIT_(?!(?:AUTHOR|COMMITTER)_IDENT\b)\w+|LD_\w+|BASH_\w+|XDG_\w+|PAGER|EDITOR|GCONV_PATH|RIPGREP_CONFIG_PATH)\b|:=/;

/** Programs that print names and facts of files, never what is in them, and parts of the shell. */
const PRINTS_NO_CONTENT: ReadonlySet<string> = new Set([
  ...['cd', 'pwd', 'ls', 'stat', 'du', 'wc', 'test', '[', 'echo', 'printf', 'basename', 'dirname', 'realpath'],
  ...['readlink', 'seq', 'date', 'sleep', 'whoami', 'hostname', 'uname', 'id', 'nproc', 'which', 'type', 'getconf'],
  ...['true', 'false', ':', 'set', 'shift', 'continue', 'break', 'return', 'exit', 'time', 'timeout', 'nice'],
  ...['command', 'builtin', 'xargs', 'sh', 'bash', 'find', 'read', 'tree'],
]);

/** Programs that print what is in files, and the words that each may have beside git. Absent: all words. */
const PRINTS_CONTENT: ReadonlyMap<string, RegExp | undefined> = new Map([
  ...[
    ...['cat', 'head', 'tail', 'uniq', 'cut', 'tr', 'nl', 'tac', 'rev', 'column', 'paste', 'comm', 'cmp', 'fold'],
    ...['fmt', 'jq', 'expr', 'diff', 'tee', 'cksum', 'md5sum', 'sha1sum', 'sha256sum', 'bc', 'join', 'numfmt'],
  ].map((name) => [name, undefined] as const),
  // As text, the objects of git would show their bytes.
  ...['grep', 'egrep', 'fgrep'].map((name) => [name, /^(?!-[a-zA-Z]*[aU]|--(?:te|bi))/] as const),
  ['rg', /^(?!-[a-zA-Z]*[azu]|--(?:text|search|no-ig|hid|unres|bin|pre|host))/],
  // Without running a program, as `isListed` has made sure of most: a bar outside of an expression is a pipe.
  ...['awk', 'gawk', 'mawk'].map(
    (name) => [name, /^(?!-[lE])(?!.*(?:getline|@))(?:[^|]|\|\||(?<=^|[{;}(!~&])\s*\/(?:[^/\\\n]|\\.)*\/)*$/s] as const,
  ),
  ['sed', /^(?!.*e)|^[^/;{}]*$|^\/[^/]*\/(?:,\/[^/]*\/)?[pd]$|^s([/|#,])(?:(?!\1).)*\1(?:(?!\1).)*\1[gpI\d]*$/s],
  ['sort', /^(?!--co)/],
  ['file', /^(?!-[a-zA-Z]*[zf]|--unc|--files)/],
]);

/** Programs that print their version without settings or code of the project. */
const PRINTS_VERSION = /^(?:node|npm|python3?|ruby|perl|gcc|cmake|curl)$/;

/** Options that take names of files from a file, and print those that do not exist, which may be any text. */
const NAMES_FROM_FILE: Readonly<Record<string, RegExp>> = {
  xargs: /^-[0rtpx]*a|^--arg/,
  date: /^-[a-zA-Z]*f|^--f/,
  find: /^-files0/,
  // Its standard input is a list of names.
  tree: /^--from(?!file$)/,
  wc: /^--f/,
  du: /^-[a-zA-Z]*X|^--(?:f|exclude-f)/,
};

/** A path into a directory of git. */
const IN_GIT = /(?:^|[/=])\.git(?:\/|$)/i;

/** Names that a pattern or a word without a dot at its start can have: never `.git`. */
const NO_DOT = /^(?:\.\.?\/)*(?!\.)(?!.*\/\.)/s;

/**
 * The command that could have git show any file, or show the objects of git itself, for people. Beside git that reads
 * objects, the view has the committed files, also those with secrets: no program may decode or print objects, run git with
 * other words, or change a variable of git. What a program prints must be files that the text names.
 */
export function unsafeBesideGit(command: string, line: ParsedCommandLine): SimpleCommand | 'variables' | undefined {
  const unsafe = line.commands.find((each) => programOf(each) !== 'git' && !isSafe(each));
  if (unsafe !== undefined) return unsafe;
  const redirect = line.redirects.find(
    ({ operator, target, directories }) => operator === '<' && !(isNamed(target) && isKnown(directories)),
  );
  return redirect !== undefined || line.arithmetic || CHANGES_GIT.test(command) ? 'variables' : undefined;
}

function isSafe(command: SimpleCommand): boolean {
  const program = programOf(command);
  const words = command.words.slice(1);
  if (PRINTS_VERSION.test(program) && isSelfDescription(command)) return true;
  const fromFile = ownEntry(NAMES_FROM_FILE, program);
  if (words.some((word) => fromFile?.test(word.text) === true)) return false;
  if (program === 'tree' && words.some(({ text }) => text === '--fromfile'))
    return words.every((word) => word.static && /^(?:-|\.$)/.test(word.text));
  // Another variable could be one of git, also by a name in quotes.
  if (program === 'read') return words.every((word) => word.static && /^(?:-[rs]+|[a-z_]\w*)$/.test(word.text));
  if (program === 'printf') return words.every(({ start }) => !/^-v/.test(start)) && words[0]?.start !== '';
  if (PRINTS_NO_CONTENT.has(program)) return true;
  if (!PRINTS_CONTENT.has(program)) return false;
  const allowed = PRINTS_CONTENT.get(program);
  if (!words.every((word) => isNamed(word) && (allowed === undefined || allowed.test(word.text)))) return false;
  return isKnown(command.directories) || words.every(({ text }) => text.startsWith('-'));
}

/** True for a word that no computed path can be: a text, a pattern that leaves out `.git`, or the output of a command. */
function isNamed(word: ShellWord): boolean {
  if (word.text === FOUND_BELOW.text) return false;
  if (word.static) return !IN_GIT.test(word.text) || word.text.startsWith('--exclude');
  if (word.pattern) return NO_DOT.test(word.text);
  return word.pieces.length === 1 && word.text.startsWith('<(');
}

function isKnown(directories: SimpleCommand['directories']): boolean {
  return [...directories].every((directory) => directory !== undefined && !IN_GIT.test(directory));
}
