import type { Command, SyntaxNode, Word, WordPart } from 'unbash';
import { findInvisibleCharacter } from '../../../text/escape.ts';
import type { CopiedText } from './parsed-command-line.ts';
import { readWord, type ShellWord, staticWord } from './shell-word.ts';

/** The first character that deceives a reader: invisible, or a space that does not separate words. */
export function findDeceptiveCharacter(text: string): string | undefined {
  const invisible = findInvisibleCharacter(text.replace(/[\n\t]/g, ' '));
  const space = /(?! )\p{Zs}/u.exec(text)?.[0];
  return invisible ?? (space && `\\u{${space.charCodeAt(0).toString(16)}}`);
}

/** A reason why a node does not show everything that runs; `incomplete` if it was not even parsed. */
export interface SyntaxProblem {
  readonly type: 'incomplete' | 'uncertain';
  readonly reason: string;
}

/** The problem of a node itself; its children have their own. */
export function findProblem(node: SyntaxNode): SyntaxProblem | undefined {
  switch (node.type) {
    case 'Script': {
      const error = node.errors?.[0];
      return error && incomplete(`the command cannot be parsed: ${error.message}`);
    }
    case 'HereDoc':
      return node.closing === undefined ? incomplete('a here-document has no end') : undefined;
    case 'Word':
      return hidesSyntax(node) ? incomplete('a word contains operators that are not quoted') : undefined;
    case 'CommandExpansion':
      if (node.script === undefined) return incomplete('a substitution cannot be parsed');
      // Bash 5.2 loses quotes in it, so that it may run `b` in `"$(A=$((ls) $'a;b'))"`.
      return node.text.startsWith('$((') ? incomplete('a substitution begins like arithmetic, with $((') : undefined;
    case 'ArithmeticExpansion':
      // Bash runs a text with other parentheses as commands.
      return hasPairs(node.text) ? undefined : incomplete('arithmetic has parentheses without a pair');
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion':
      return node.script === undefined ? incomplete('a substitution cannot be parsed') : undefined;
    case 'ArithmeticWord':
      return hidesInQuotes(node.parts) ? QUOTED_ARITHMETIC : undefined;
    case 'Assignment':
      if (RUN_VALUE.test(node.text)) return { type: 'uncertain', reason: `the shell uses the value of ${node.name}` };
      return hidesInQuotes(node.index?.parts) ? QUOTED_ARITHMETIC : undefined;
    case 'ParameterExpansion':
      return hidesInQuotes(node.index?.parts) ? QUOTED_ARITHMETIC : undefined;
    case 'Transform':
      return { type: 'uncertain', reason: 'a variable is transformed with @' };
    case 'Unknown':
      return incomplete('an expansion has an unknown form');
    default:
      // Other syntax runs nothing by itself.
      return undefined;
  }
}

const RUN_VALUE = /^(?:PS4\+?=.*(?:\$\(|`)|(?:OLD)?PWD\+?=)/s;
const QUOTED_ARITHMETIC = incomplete('arithmetic contains a substitution in quotes');

function hasPairs(text: string): boolean {
  return text.split('(').length === text.split(')').length;
}

/** Single quotes do not quote in arithmetic: `$(('$(ls)'))` runs `ls`. */
function hidesInQuotes(parts: readonly WordPart[] | undefined): boolean {
  return (
    parts?.some((part) => (part.type === 'SingleQuoted' || part.type === 'AnsiCQuoted') && /[$`]/.test(part.value)) ===
    true
  );
}

function incomplete(reason: string): SyntaxProblem {
  return { type: 'incomplete', reason };
}

/** The assignments of a node itself, as `A=b`; that of a loop, or in an expansion, without its value: `A=`. */
export function assignedBy(node: SyntaxNode): readonly string[] {
  if (node.type === 'Assignment') return [node.text];
  if (node.type === 'For' || node.type === 'Select') return [`${node.name.value}=`];
  if (node.type !== 'ParameterExpansion') return [];
  return /^:?=$/.test(node.operation?.operator ?? '') ? [`${node.parameter}=`] : [];
}

/** The parser reads many here-documents of one line in quadratic time. */
export function costOfHereDocuments(source: string): number {
  const counts = source.split('\n').map((line) => line.match(/(?<!<)<<(?!<)/g)?.length ?? 0);
  return counts.reduce((cost, count) => cost + Math.floor(count ** 2 / 256), 0);
}

/** True for a word such as `0<(ls)`, which the parser takes for one plain word but Bash for a substitution. */
function hidesSyntax(word: Word): boolean {
  const plain = word.parts?.filter((part) => part.type === 'Literal') ?? [word];
  return plain.some((part) => /[<>();|&`]/.test(part.text.replace(/\\./gs, '')));
}

/** The here-document that a command copies to the files behind its `>`. */
export function copiedBy(command: Command): readonly CopiedText[] {
  const text = command.name?.value === 'cat' && command.args.length === 0 ? inputOf(command) : undefined;
  if (text === undefined) return [];
  return command.redirects.flatMap((redirect) =>
    redirect.type === 'Redirect' && redirect.operator === '>' && redirect.target !== undefined
      ? [{ target: readWord(redirect.target), text }]
      : [],
  );
}

/** The input that the command line gives to a command: its last here-document or here-string. */
export function inputOf(command: Command): ShellWord | undefined {
  const last = command.redirects.findLast((redirect) => redirect.type !== 'Redirect');
  if (last?.type === 'HereString') return last.target && readWord(last.target);
  if (last?.type !== 'HereDoc') return undefined;
  const text = staticWord(last.body.text);
  return { ...text, static: last.body.parts === undefined };
}
