import { type Assignment, type Command, type For, forEachChild, parse, type SyntaxNode, type Word } from 'unbash';
import type { Directories, Places } from './directories.ts';
import { parseCommandLine } from './parse/command-line.ts';
import { readWord, type ShellWord } from './parse/shell-word.ts';
import { LOOP_NAME } from './parse/unrolled-loops.ts';

/** A command of which every word is known. */
export interface PlainCommand {
  readonly words: readonly [string, ...string[]];
  /** The directories that it may run in. */
  readonly directories: Directories;
}

/** The commands of a line, without those that other commands run, or the reason why the line is more than commands. */
export type PlainCommands =
  | { readonly type: 'plain'; readonly commands: readonly PlainCommand[] }
  | { readonly type: 'other'; readonly reason: string };

/** The syntax that a line may have besides plain commands. Absent: none. */
export interface AlsoPlain {
  /** True for a variable that may be set for one command. */
  readonly variable: (name: string, value: string) => boolean;
  /** True for a word with patterns of file names that may stand, as written, for the names that it matches. */
  readonly pattern: (word: ShellWord) => boolean;
}

/**
 * Reads a command line that only runs commands, one after the other or in pipelines. Each word of them is known, and
 * nothing is set, expanded, put into the background or redirected, except to `/dev/null` and between the descriptors 0 to
 * 2. With `also`, a pipeline may be timed, too. Pure.
 */
export function readPlainCommands(command: string, places?: Places, also?: AlsoPlain): PlainCommands {
  try {
    return read(command, places, also);
  } catch {
    // The parser is a library and may throw anything, and a complex command takes too many steps.
    return other('it cannot be parsed');
  }
}

function read(command: string, places: Places | undefined, also: AlsoPlain | undefined): PlainCommands {
  const line = parseCommandLine(command, { places });
  const [uncertainty] = line.uncertainties;
  if (uncertainty !== undefined) return other(uncertainty);
  if (line.commands.length === 0) return other('it contains no command');
  const script = parse(line.text);
  const impurity = findImpurity(script, also) ?? findUnread(script, line.text, also !== undefined);
  if (impurity !== undefined) return other(impurity);
  const commands = line.commands
    .filter(({ wrapped }) => !wrapped)
    .map(({ words: [program, ...rest], directories }): PlainCommand => {
      return { words: [program.text, ...rest.map(({ text }) => text)], directories };
    });
  return { type: 'plain', commands };
}

const NOT_PLAIN = 'it is more than a list of plain commands';

function other(reason: string): PlainCommands {
  return { type: 'other', reason };
}

/** The first part of a script that does more than running plain commands, one after the other or in pipelines. */
function findImpurity(node: SyntaxNode, also: AlsoPlain | undefined): string | undefined {
  switch (node.type) {
    case 'Script':
    case 'AndOr':
    case 'Pipeline':
      return firstImpurity(node, also);
    case 'Statement':
      return node.background === true ? 'it runs in the background' : firstImpurity(node, also);
    case 'Time':
      return also === undefined ? 'it is timed' : undefined;
    case 'Negation':
      return undefined;
    case 'Command':
      return commandImpurity(node, also);
    case 'For':
      // It sets a variable that no command reads, such as what is left of a loop that was written out.
      return also !== undefined && isHarmlessLoop(node) ? findImpurity(node.body, also) : NOT_PLAIN;
    default:
      return also !== undefined && GROUPS.has(node.type) ? firstImpurity(node, also) : NOT_PLAIN;
  }
}

const GROUPS = new Set<SyntaxNode['type']>(['Subshell', 'BraceGroup', 'CompoundList', 'If', 'Elif']);

const isHarmlessLoop = ({ name, wordlist = [] }: For): boolean =>
  LOOP_NAME.test(name.value) && wordlist.every((word) => readWord(word).static);

function firstImpurity(node: SyntaxNode, also: AlsoPlain | undefined): string | undefined {
  let found: string | undefined;
  forEachChild(node, (child) => {
    found ??= findImpurity(child, also);
  });
  return found;
}

/** Finds text that belongs to no word, redirect or operator, because the parser may leave out what it cannot read. */
function findUnread(script: SyntaxNode, command: string, withPrefixes: boolean): string | undefined {
  let rest = '';
  let position = 0;
  const visit = (node: SyntaxNode): void => {
    const isPrefix = withPrefixes && (node.type === 'Assignment' || node.type === 'Time');
    if (node.type !== 'Word' && node.type !== 'Redirect' && !isPrefix) {
      forEachChild(node, visit);
      return;
    }
    rest += command.slice(position, Math.max(position, node.pos));
    position = Math.max(position, node.end);
  };
  visit(script);
  rest += command.slice(position);
  if (withPrefixes) rest = rest.replace(/\b(?:if|then|elif|else|fi|for|in|do|done)\b|[(){}]/g, '');
  return /^(?:[\s;|&!]|\\\n)*$/.test(rest) ? undefined : 'a part of it is not a command';
}

function commandImpurity({ name, prefix, args, redirects }: Command, also: AlsoPlain | undefined): string | undefined {
  const sets = prefix.some((part) => part.type === 'Assignment' && !maySet(part, also));
  if (name === undefined || sets) return 'it sets a variable';
  const unknown = [name, ...args].find((word) => {
    const read = readWord(word);
    const isKnown = read.static || (read.pattern && also?.pattern(read) === true);
    return !isKnown || expandsTilde(word.text) || (word.type === 'Word' && hasAnsiQuotes(word));
  });
  if (unknown !== undefined) return `the word ${unknown.text} depends on the shell`;
  const isHarmless = (redirect: (typeof redirects)[number]): boolean => {
    if (redirect.type !== 'Redirect' || redirect.target === undefined) return false;
    const { static: isStatic, text } = readWord(redirect.target);
    if (!isStatic || redirect.descriptor?.type === 'FileDescriptorVariable') return false;
    return text === '/dev/null' || (/^[<>]&$/.test(redirect.operator) && /^(?:[0-2]|-)$/.test(text));
  };
  return redirects.every(isHarmless) ? undefined : 'it redirects to or from a file';
}

/** True for `NAME=value` before a command, with a value that is known. */
function maySet({ name, value, append, index }: Assignment, also: AlsoPlain | undefined): boolean {
  if (also === undefined || append === true || index !== undefined || value.type !== 'Word') return false;
  return readWord(value).static && also.variable(name, value.value);
}

/** Bash expands `a=~` like an assignment. */
function expandsTilde(text: string): boolean {
  return /^\w+\+?=(?:.*:)?~/s.test(text);
}

/** `$'…'` and `$"…"` mean something else in a plain POSIX shell. */
function hasAnsiQuotes({ parts }: Word): boolean {
  return parts?.some(({ type }) => type === 'AnsiCQuoted' || type === 'LocaleString') === true;
}
