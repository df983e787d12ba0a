import { type Command, forEachChild, parse, type SyntaxNode, type Word } from 'unbash';
import type { Directories, Places } from './directories.ts';
import { parseCommandLine } from './parse/command-line.ts';
import { readWord } from './parse/shell-word.ts';

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

/**
 * Reads a command line that only runs commands, one after the other or in pipelines. Each word of them is known, and
 * nothing is set, expanded, put into the background or redirected, except to `/dev/null` and between the descriptors 0 to
 * 2. Pure.
 */
export function readPlainCommands(command: string, places?: Places): PlainCommands {
  try {
    return read(command, places);
  } catch {
    // The parser is a library and may throw anything, and a complex command takes too many steps.
    return other('it cannot be parsed');
  }
}

function read(command: string, places: Places | undefined): PlainCommands {
  const line = parseCommandLine(command, { places });
  const [uncertainty] = line.uncertainties;
  if (uncertainty !== undefined) return other(uncertainty);
  if (line.commands.length === 0) return other('it contains no command');
  const script = parse(command);
  const impurity = findImpurity(script) ?? findUnread(script, command);
  if (impurity !== undefined) return other(impurity);
  const commands = line.commands
    .filter(({ wrapped }) => !wrapped)
    .map(({ words: [program, ...rest], directories }): PlainCommand => {
      return { words: [program.text, ...rest.map(({ text }) => text)], directories };
    });
  return { type: 'plain', commands };
}

function other(reason: string): PlainCommands {
  return { type: 'other', reason };
}

/** The first part of a script that does more than running plain commands, one after the other or in pipelines. */
function findImpurity(node: SyntaxNode): string | undefined {
  switch (node.type) {
    case 'Script':
    case 'AndOr':
      return firstImpurity(node);
    case 'Statement':
      return node.background === true ? 'it runs in the background' : firstImpurity(node);
    case 'Pipeline':
      return node.prefixes.some(({ type }) => type === 'Time') ? 'it is timed' : firstImpurity(node);
    case 'Negation':
      return undefined;
    case 'Command':
      return commandImpurity(node);
    default:
      return 'it is more than a list of plain commands';
  }
}

function firstImpurity(node: SyntaxNode): string | undefined {
  const found: string[] = [];
  forEachChild(node, (child) => {
    const impurity = findImpurity(child);
    if (impurity !== undefined) found.push(impurity);
  });
  return found[0];
}

/** Finds text that belongs to no word, redirect or operator, because the parser may leave out what it cannot read. */
function findUnread(script: SyntaxNode, command: string): string | undefined {
  let rest = '';
  let position = 0;
  const visit = (node: SyntaxNode): void => {
    if (node.type !== 'Word' && node.type !== 'Redirect') {
      forEachChild(node, visit);
      return;
    }
    rest += command.slice(position, Math.max(position, node.pos));
    position = Math.max(position, node.end);
  };
  visit(script);
  rest += command.slice(position);
  return /^(?:[\s;|&!]|\\\n)*$/.test(rest) ? undefined : 'a part of it is not a command';
}

function commandImpurity({ name, prefix, args, redirects }: Command): string | undefined {
  if (name === undefined || prefix.some(({ type }) => type === 'Assignment')) return 'it sets a variable';
  const unknown = [name, ...args].find(
    (word) => !readWord(word).static || expandsTilde(word.text) || (word.type === 'Word' && hasAnsiQuotes(word)),
  );
  if (unknown !== undefined) return `the word ${unknown.text} depends on the shell`;
  const isHarmless = (redirect: (typeof redirects)[number]): boolean => {
    if (redirect.type !== 'Redirect' || redirect.target === undefined) return false;
    const { static: isStatic, text } = readWord(redirect.target);
    if (!isStatic || redirect.descriptor?.type === 'FileDescriptorVariable') return false;
    return text === '/dev/null' || (/^[<>]&$/.test(redirect.operator) && /^(?:[0-2]|-)$/.test(text));
  };
  return redirects.every(isHarmless) ? undefined : 'it redirects to or from a file';
}

/** Bash expands `a=~` like an assignment. */
function expandsTilde(text: string): boolean {
  return /^\w+\+?=(?:.*:)?~/s.test(text);
}

/** `$'…'` and `$"…"` mean something else in a plain POSIX shell. */
function hasAnsiQuotes({ parts }: Word): boolean {
  return parts?.some(({ type }) => type === 'AnsiCQuoted' || type === 'LocaleString') === true;
}
