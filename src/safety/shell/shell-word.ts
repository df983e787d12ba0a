import type { CommandArgument, Word, WordPart } from 'unbash';
import { foldName } from '../paths/path-policy.ts';

/** One word of a command, without quotes. */
export interface ShellWord {
  /** The text of the word. It contains expansions as written, except that `${NAME}` becomes `$NAME`. */
  readonly text: string;
  /** True if the shell uses exactly `text`: the word has no expansion, pattern, brace or tilde. */
  readonly static: boolean;
  /** True if only file name patterns make it non-static: it can become other names, but not in other directories. */
  readonly pattern: boolean;
  /** True for an unquoted expansion, which may become several words. */
  readonly splits: boolean;
  /** The known text before the first and after the last unknown part; the whole text of a static word. */
  readonly start: string;
  readonly end: string;
}

interface Piece {
  readonly kind: 'literal' | 'pattern' | 'quoted-expansion' | 'expansion';
  readonly text: string;
}

/** A program's name and its operands. */
export type CommandWords = readonly [ShellWord, ...ShellWord[]];

/** Creates a word whose text is fully known. */
export function staticWord(text: string): ShellWord {
  return { text, static: true, pattern: false, splits: false, start: text, end: text };
}

/** A word about which nothing is known, such as an operand that `xargs` reads from its input. */
export const UNKNOWN_WORD: ShellWord = {
  text: '…',
  static: false,
  pattern: false,
  splits: true,
  start: '',
  end: '',
};

/** Converts a word of the syntax tree. */
export function readWord(argument: CommandArgument): ShellWord {
  if (argument.type === 'Word') return fromPieces(piecesOf(argument));
  const value = argument.value.type === 'Word' ? piecesOf(argument.value) : [unknown(argument.text)];
  return fromPieces([literal(`${argument.name}=`), ...value]);
}

function fromPieces(pieces: readonly Piece[]): ShellWord {
  const text = pieces.map((piece) => piece.text).join('');
  const unknowns = pieces.filter((piece) => piece.kind !== 'literal');
  const first = pieces.findIndex((piece) => piece.kind !== 'literal');
  const last = pieces.findLastIndex((piece) => piece.kind !== 'literal');
  if (unknowns.length === 0) return staticWord(text);
  return {
    text,
    static: false,
    pattern: unknowns.every((piece) => piece.kind === 'pattern'),
    splits: unknowns.some((piece) => piece.kind === 'expansion' || piece.kind === 'pattern'),
    start: pieces
      .slice(0, first)
      .map((piece) => piece.text)
      .join(''),
    end: pieces
      .slice(last + 1)
      .map((piece) => piece.text)
      .join(''),
  };
}

function piecesOf(word: Word): readonly Piece[] {
  const parts = word.parts?.flatMap(piecesOfPart) ?? [literal(word.value)];
  const tilde = /^~[^/]*/.exec(word.text)?.[0];
  const [first, ...rest] = parts;
  if (tilde === undefined || first === undefined) return parts;
  // `~` and `~name` stand for a home directory; the path after them is known.
  return [{ kind: 'quoted-expansion', text: tilde }, literal(first.text.slice(tilde.length)), ...rest];
}

function piecesOfPart(part: WordPart): readonly Piece[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [literal(part.value)];
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.flatMap(piecesOfPart).map((piece) => (piece.kind === 'expansion' ? quoted(piece.text) : piece));
    case 'Glob':
      return [{ kind: 'pattern', text: part.text }];
    case 'ParameterExpansion': {
      const plain = part.operation === undefined && part.prefix === undefined && part.index === undefined;
      return [unknown(plain ? `$${part.parameter}` : part.text)];
    }
    // Nothing is known about expansions, braces and syntax that a later version of the parser adds.
    default:
      return [unknown(part.text)];
  }
}

function literal(text: string): Piece {
  return { kind: 'literal', text };
}

function quoted(text: string): Piece {
  return { kind: 'quoted-expansion', text };
}

function unknown(text: string): Piece {
  return { kind: 'expansion', text };
}

/**
 * The program that the first word of a command names: the last part of its path, in lower case, without the extension
 * of Windows. `undefined` if that part is computed.
 */
export function programName(word: ShellWord): string | undefined {
  const known = word.static ? word.text : word.end.includes('/') ? word.end : undefined;
  return known === undefined
    ? undefined
    : foldName(known.replace(/^.*[/\\]/s, '')).replace(/\.(?:exe|com|cmd|bat)$/, '');
}
