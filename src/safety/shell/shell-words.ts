import {
  type Command,
  forEachChild,
  type ParsedScript,
  parse,
  type RedirectOperator,
  type SyntaxNode,
  type Word,
} from 'unbash';
import { findUnseenCharacter } from '../../text/escape.ts';
import { isForkBomb } from './fork-bomb.ts';
import { type CommandWords, readWord, type ShellWord, staticWord } from './shell-word.ts';
import { unwrapCommand } from './unwrap-command.ts';

/** One program with its operands, found anywhere in a command line. */
export interface SimpleCommand {
  readonly words: CommandWords;
  /** Found inside another command, such as `ls` in `env A=1 ls` or in `sh -c ls`. */
  readonly wrapped: boolean;
}

/** Where a command's input or output goes. */
export interface RedirectTarget {
  readonly operator: RedirectOperator;
  readonly target: ShellWord;
}

/** Everything that a command line runs, as far as its text tells. */
export interface ParsedCommandLine {
  readonly commands: readonly SimpleCommand[];
  readonly redirects: readonly RedirectTarget[];
  /** A function that multiplies itself. */
  readonly forkBomb: boolean;
  /** The text was understood to its end, by the rules of a POSIX shell. Commands found before a problem are listed all the same. */
  readonly complete: boolean;
  /** Why it is not complete, or which part of what runs cannot be known from the text. */
  readonly doubts: readonly string[];
}

/** A longer command line is not read; in UTF-16 code units. */
export const LONGEST_COMMAND = 64 * 1024;
const DEEPEST_NESTING = 16;

/**
 * Reads a command line for bash or another POSIX shell. Pure; never throws, whatever the parser does with the text.
 */
export function parseCommandLine(text: string, parser: (source: string) => ParsedScript = parse): ParsedCommandLine {
  const found = new Findings(parser);
  if (text.length > LONGEST_COMMAND) {
    found.break(`the command is longer than ${LONGEST_COMMAND} characters`);
    return found;
  }
  const odd = findOddCharacter(text);
  if (odd !== undefined) found.break(`the command contains the character ${odd}`);
  try {
    collectScript(text, 0, found);
  } catch {
    // The parser is not ours: whatever it throws, a full stack and syntax of its own included, was not understood.
    found.break('the command cannot be parsed');
  }
  return found;
}

class Findings implements ParsedCommandLine {
  readonly commands: SimpleCommand[] = [];
  readonly redirects: RedirectTarget[] = [];
  readonly doubts: string[] = [];
  readonly parse: (source: string) => ParsedScript;
  forkBomb = false;
  complete = true;

  constructor(parser: (source: string) => ParsedScript) {
    this.parse = parser;
  }

  break(reason: string): void {
    this.complete = false;
    this.doubts.push(reason);
  }
}

/** Characters that a shell and its reader see differently: unseen ones, and blanks that do not separate words. */
function findOddCharacter(text: string): string | undefined {
  const unseen = findUnseenCharacter(text.replace(/[\n\t]/g, ' '));
  const blank = /(?! )\p{Zs}/u.exec(text)?.[0];
  return unseen ?? (blank && `\\u{${blank.charCodeAt(0).toString(16)}}`);
}

function collectScript(source: string, depth: number, found: Findings): void {
  if (depth > DEEPEST_NESTING) {
    found.break('commands are nested too deeply');
    return;
  }
  const pending: SyntaxNode[] = [found.parse(source)];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    collectNode(node, depth, found);
    const children: SyntaxNode[] = [];
    forEachChild(node, (child) => children.push(child));
    pending.push(...children.toReversed());
  }
}

function collectNode(node: SyntaxNode, depth: number, found: Findings): void {
  switch (node.type) {
    case 'Script': {
      const error = node.errors?.[0];
      if (error !== undefined) found.break(`the command cannot be parsed: ${error.message}`);
      return;
    }
    case 'Command': {
      // Without a name there are only assignments and redirects.
      if (node.name === undefined) return;
      collectCommand([readWord(node.name), ...node.args.map(readWord)], inputOf(node), depth, found);
      return;
    }
    case 'Redirect':
      if (node.target !== undefined) found.redirects.push({ operator: node.operator, target: readWord(node.target) });
      return;
    case 'HereDoc':
      if (node.closing === undefined) found.break('a here-document has no end');
      return;
    case 'Word':
      if (hidesSyntax(node)) found.break('a word contains operators that are not quoted');
      return;
    case 'Function':
      found.forkBomb ||= isForkBomb(node);
      return;
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion':
      if (node.script === undefined) found.break('a substitution cannot be parsed');
      return;
    case 'Transform':
      found.doubts.push('a variable is run as a prompt (@P) or rewritten (@)');
      return;
    case 'Unknown':
      found.break('an expansion is not known');
      return;
    default:
      // All other syntax runs nothing by itself, and what it contains is looked at on its own.
      return;
  }
}

function collectCommand(words: CommandWords, input: ShellWord | undefined, depth: number, found: Findings): void {
  if (depth > DEEPEST_NESTING) {
    found.break('commands are nested too deeply');
    return;
  }
  found.commands.push({ words, wrapped: depth > 0 });
  for (const inner of unwrapCommand(words, input)) {
    if (inner.type === 'script') collectScript(inner.text, depth + 1, found);
    else if (inner.type === 'unreadable') found.doubts.push(inner.reason);
    else collectCommand(inner.words, input, depth + 1, found);
  }
}

/** The parser takes `0<(ls)` for one plain word, bash for a word and a substitution. */
function hidesSyntax(word: Word): boolean {
  const plain = word.parts?.filter((part) => part.type === 'Literal') ?? [word];
  return plain.some((part) => /[<>();|&`]/.test(part.text.replace(/\\./gs, '')));
}

/** What a command is fed in its own text: the last here-document or here-string. */
function inputOf(command: Command): ShellWord | undefined {
  const last = command.redirects.findLast((redirect) => redirect.type !== 'Redirect');
  if (last?.type === 'HereString') return last.target && readWord(last.target);
  if (last?.type !== 'HereDoc') return undefined;
  const text = staticWord(last.body.text);
  return { ...text, static: last.body.parts === undefined };
}
