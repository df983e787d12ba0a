import type { CommandArgument, Word, WordPart } from 'unbash';
import { foldName } from '../../paths/fold-name.ts';
import type { StepBudget } from './step-budget.ts';

/** One word of a command, without quotes. */
export interface ShellWord {
  /** The text of the word. It contains expansions as written, except that `${NAME}` becomes `$NAME`. */
  readonly text: string;
  /** True if the shell uses exactly `text`: the word has no expansion, pattern, brace or tilde. */
  readonly static: boolean;
  /** True if only file name patterns make it non-static: it can become other names, but not in other directories. */
  readonly pattern: boolean;
  /** True for an unquoted expansion or pattern, which may become several words. */
  readonly splits: boolean;
  /** The known text before the first and after the last unknown part; the whole text of a static word. */
  readonly start: string;
  readonly end: string;
  /** The parts of the word, in order; none of a literal word that is empty. */
  readonly pieces: readonly Piece[];
}

/** A part of a word. An `expansion` is not quoted, so it may become several words. */
export interface Piece {
  readonly kind: 'literal' | 'pattern' | 'quoted-expansion' | 'expansion';
  readonly text: string;
  /** The alternatives of a simple brace expansion: `a` and `b` for `{a,b}`. */
  readonly alternatives?: readonly string[];
}

/** A program's name and its operands. */
export type CommandWords = readonly [ShellWord, ...ShellWord[]];

/** Creates a word whose text is fully known. */
export function staticWord(text: string): ShellWord {
  return { text, static: true, pattern: false, splits: false, start: text, end: text, pieces: [literal(text)] };
}

/** A word about which nothing is known, such as an operand that `xargs` reads from its input. */
export const UNKNOWN_WORD: ShellWord = wordOf([unknown('…')]);

/** Converts a word of the syntax tree. */
export function readWord(argument: CommandArgument): ShellWord {
  if (argument.type === 'Word') return wordOf(piecesOf(argument));
  const value = argument.value.type === 'Word' ? piecesOf(argument.value) : [unknown(argument.text)];
  return wordOf([literal(`${argument.name}=`), ...value]);
}

/** Creates a word from its parts. */
export function wordOf(pieces: readonly Piece[]): ShellWord {
  const first = pieces.findIndex((piece) => piece.kind !== 'literal');
  if (first < 0) return staticWord(textOf(pieces));
  const last = pieces.findLastIndex((piece) => piece.kind !== 'literal');
  const unknowns = pieces.filter((piece) => piece.kind !== 'literal');
  return {
    text: textOf(pieces),
    static: false,
    pattern: unknowns.every((piece) => piece.kind === 'pattern'),
    splits: unknowns.some((piece) => piece.kind === 'expansion' || piece.kind === 'pattern'),
    start: textOf(pieces.slice(0, first)),
    end: textOf(pieces.slice(last + 1)),
    pieces,
  };
}

function textOf(pieces: readonly Piece[]): string {
  let text = '';
  for (const piece of pieces) text += piece.text;
  return text;
}

/** The word without its first `length` characters, such as the value in `--name=value`. */
export function dropStart(word: ShellWord, length: number): ShellWord {
  let left = length;
  const pieces: Piece[] = [];
  for (const { kind, text } of word.pieces) {
    if (text.length > left) pieces.push({ kind, text: text.slice(left) });
    left = Math.max(0, left - text.length);
  }
  return wordOf(pieces);
}

/** True if the word contains an expansion that is not quoted and no file name pattern, such as `$X` in `a$X`. */
export function hasUnquotedExpansion(word: ShellWord): boolean {
  return word.pieces.some((piece) => piece.kind === 'expansion');
}

/** The words that a word becomes if each of its unquoted expansions is a space. */
export function splitAtExpansions(word: ShellWord): readonly ShellWord[] {
  return splitWord(word, (piece) => piece.kind === 'expansion');
}

/** The words that a word with `$IFS` becomes, because its value is whitespace: `rm$IFS-r` is `rm -r`. */
export function splitAtSeparators(word: ShellWord): readonly ShellWord[] {
  const isSeparator = (piece: Piece): boolean => piece.kind === 'expansion' && /^\$\{?IFS\b/.test(piece.text);
  return word.pieces.some(isSeparator) ? splitWord(word, isSeparator) : [word];
}

/** The words that a word with one simple brace expansion becomes; the word itself if it has none or several. */
export function expandBraces(word: ShellWord, budget: StepBudget): readonly ShellWord[] {
  const [brace, ...others] = word.pieces.filter((piece) => piece.alternatives !== undefined);
  if (brace?.alternatives === undefined || others.length > 0) return [word];
  budget.spend(brace.alternatives.length * (word.pieces.length + word.text.length));
  return brace.alternatives
    .map((text) => wordOf(word.pieces.map((piece) => (piece === brace ? literal(text) : piece))))
    .filter((expanded) => expanded.text !== '');
}

/** The word with `$HOME` as one word: a home directory is a path, unless the command line gives it another value. */
export function keepHomeWhole(word: ShellWord): ShellWord {
  return wordOf(
    word.pieces.map((piece) => (piece.text === '$HOME' && piece.kind === 'expansion' ? quoted(piece.text) : piece)),
  );
}

function splitWord(word: ShellWord, isSeparator: (piece: Piece) => boolean): readonly ShellWord[] {
  const words: Piece[][] = [[]];
  for (const piece of word.pieces) {
    if (isSeparator(piece)) words.push([]);
    else words.at(-1)?.push(piece);
  }
  return words.filter((pieces) => pieces.length > 0).map(wordOf);
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
      // A value may end the bracket that it is in: `[$X]` with `a][b`.
      return [/[$`]/.test(part.text) ? unknown(part.text) : { kind: 'pattern', text: part.text }];
    case 'ParameterExpansion': {
      const plain = part.operation === undefined && part.prefix === undefined && part.index === undefined;
      return [unknown(plain ? `$${part.parameter}` : part.text)];
    }
    case 'BraceExpansion': {
      const isSimple = /^\{[^{}$`"'\\*?[\]]*,[^{}$`"'\\*?[\]]*\}$/.test(part.text);
      return [
        isSimple ? { ...unknown(part.text), alternatives: part.text.slice(1, -1).split(',') } : unknown(part.text),
      ];
    }
    // Nothing is known about other expansions and syntax that a later version of the parser adds.
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
 * of Windows. `undefined` if that part is computed, or if the word may become several words: in `sudo$IFS/bin/id` the
 * program is `sudo`.
 */
export function programName(word: ShellWord): string | undefined {
  const isKnown = word.static || (word.end.includes('/') && !hasUnquotedExpansion(word));
  const known = isKnown ? word.end : undefined;
  return known === undefined
    ? undefined
    : foldName(known.replace(/^.*[/\\]/s, '')).replace(/\.(?:exe|com|cmd|bat)$/, '');
}
