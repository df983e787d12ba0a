import {
  type Command,
  type Function as FunctionNode,
  forEachChild,
  type ParsedScript,
  parse,
  type RedirectOperator,
  type SyntaxNode,
  type Word,
} from 'unbash';
import { findInvisibleCharacter } from '../../text/escape.ts';
import { type CommandWords, readWord, type ShellWord, staticWord } from './shell-word.ts';
import { unwrapCommand } from './unwrap-command.ts';

/** A program with its operands, found anywhere in a command line. */
export interface SimpleCommand {
  readonly words: CommandWords;
  /** True if another command runs it, as with `ls` in `env A=1 ls` or in `sh -c ls`. */
  readonly wrapped: boolean;
}

/** A redirect of a command's input or output. */
export interface RedirectTarget {
  readonly operator: RedirectOperator;
  readonly target: ShellWord;
}

/** Everything that a command line runs, as far as the text shows it. */
export interface ParsedCommandLine {
  readonly commands: readonly SimpleCommand[];
  readonly redirects: readonly RedirectTarget[];
  /** True if it contains a fork bomb. */
  readonly forkBomb: boolean;
  /** True if the whole text was parsed as POSIX shell. Commands before a problem are listed in either case. */
  readonly complete: boolean;
  /** Reasons why it is not complete, or why the text does not show everything that runs. */
  readonly uncertainties: readonly string[];
}

/** The maximum length of a command line that is parsed, in UTF-16 units. */
export const MAX_COMMAND_LENGTH = 64 * 1024;
const MAX_NESTING = 16;

/**
 * Parses a command line for Bash or another POSIX shell. Pure. Never throws, even if the parser does.
 */
export function parseCommandLine(text: string, parser: (source: string) => ParsedScript = parse): ParsedCommandLine {
  const found = new Findings(parser);
  if (text.length > MAX_COMMAND_LENGTH) {
    found.markIncomplete(`the command is longer than ${MAX_COMMAND_LENGTH} characters`);
    return found;
  }
  const deceptive = findDeceptiveCharacter(text);
  if (deceptive !== undefined) found.markIncomplete(`the command contains the character ${deceptive}`);
  try {
    collectScript(text, 0, found);
  } catch {
    // The parser is a library and may throw anything, a stack overflow included.
    found.markIncomplete('the command cannot be parsed');
  }
  return found;
}

class Findings implements ParsedCommandLine {
  readonly commands: SimpleCommand[] = [];
  readonly redirects: RedirectTarget[] = [];
  readonly uncertainties: string[] = [];
  readonly parse: (source: string) => ParsedScript;
  forkBomb = false;
  complete = true;

  constructor(parser: (source: string) => ParsedScript) {
    this.parse = parser;
  }

  markIncomplete(reason: string): void {
    this.complete = false;
    this.uncertainties.push(reason);
  }
}

/** The first character that deceives a reader: invisible, or a space that does not separate words. */
function findDeceptiveCharacter(text: string): string | undefined {
  const invisible = findInvisibleCharacter(text.replace(/[\n\t]/g, ' '));
  const space = /(?! )\p{Zs}/u.exec(text)?.[0];
  return invisible ?? (space && `\\u{${space.charCodeAt(0).toString(16)}}`);
}

function collectScript(source: string, depth: number, found: Findings): void {
  if (depth > MAX_NESTING) {
    found.markIncomplete('commands are nested too deeply');
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
      if (error !== undefined) found.markIncomplete(`the command cannot be parsed: ${error.message}`);
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
      if (node.closing === undefined) found.markIncomplete('a here-document has no end');
      return;
    case 'Word':
      if (hidesSyntax(node)) found.markIncomplete('a word contains operators that are not quoted');
      return;
    case 'Function':
      found.forkBomb ||= isForkBomb(node);
      return;
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion':
      if (node.script === undefined) found.markIncomplete('a substitution cannot be parsed');
      return;
    case 'Transform':
      found.uncertainties.push('a variable is transformed with @');
      return;
    case 'Unknown':
      found.markIncomplete('an expansion has an unknown form');
      return;
    default:
      // Other syntax runs nothing by itself, and its children are visited separately.
      return;
  }
}

function collectCommand(words: CommandWords, input: ShellWord | undefined, depth: number, found: Findings): void {
  if (depth > MAX_NESTING) {
    found.markIncomplete('commands are nested too deeply');
    return;
  }
  found.commands.push({ words, wrapped: depth > 0 });
  for (const inner of unwrapCommand(words, input)) {
    if (inner.type === 'script') collectScript(inner.text, depth + 1, found);
    else if (inner.type === 'unreadable') found.uncertainties.push(inner.reason);
    else collectCommand(inner.words, input, depth + 1, found);
  }
}

/** True for a word such as `0<(ls)`, which the parser takes for one plain word but Bash for a substitution. */
function hidesSyntax(word: Word): boolean {
  const plain = word.parts?.filter((part) => part.type === 'Literal') ?? [word];
  return plain.some((part) => /[<>();|&`]/.test(part.text.replace(/\\./gs, '')));
}

/** The input that the command line gives to a command: its last here-document or here-string. */
function inputOf(command: Command): ShellWord | undefined {
  const last = command.redirects.findLast((redirect) => redirect.type !== 'Redirect');
  if (last?.type === 'HereString') return last.target && readWord(last.target);
  if (last?.type !== 'HereDoc') return undefined;
  const text = staticWord(last.body.text);
  return { ...text, static: last.body.parts === undefined };
}

/** True for a function that calls itself at least twice at the same time: in a pipeline or in the background. */
function isForkBomb(definition: FunctionNode): boolean {
  const name = definition.name.value;
  let calls = 0;
  let concurrent = false;
  const pending: SyntaxNode[] = [definition.body];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === 'Command' && node.name?.value === name) calls++;
    if (node.type === 'Pipeline' && node.commands.length > 1) concurrent = true;
    if (node.type === 'Statement' && node.background === true) concurrent = true;
    forEachChild(node, (child) => pending.push(child));
  }
  return calls > 1 && concurrent;
}
