import { forEachChild, parse, type SyntaxNode } from 'unbash';
import type { ParsedCommandLine, SimpleCommand } from '../parse/parsed-command-line.ts';
import { type Piece, programName, readWord, type ShellWord, UNKNOWN_WORD, wordOf } from '../parse/shell-word.ts';

/** Commands, also a computed one, that may give a variable another value, or change where its value counts from. */
const CHANGES =
  /^(?:eval|source|read|mapfile|readarray|getopts|declare|typeset|local|export|readonly|let|trap|alias|unset|shopt|enable|wait|exec|printf|cd|pushd|popd|\.|undefined)$/;

/** More values or loops than these are not followed. */
const MAX_VALUES = 20;

/**
 * The commands of a line, with each that uses the variable of a loop once for each word of the loop: `"$f"` becomes `*.md`
 * in `for f in *.md`. A command that uses several such variables, or runs in another program, stays as it is. Pure.
 */
export function withLoopWords(text: string, line: ParsedCommandLine): readonly SimpleCommand[] {
  const isClear = ({ words: [name] }: SimpleCommand): boolean => !CHANGES.test(`${programName(name)}`);
  if (!line.complete || line.arithmetic || /\bcoproc\b|\{\w+\}[<>]/.test(text) || !line.commands.every(isClear))
    return line.commands;
  const loops = loopsIn(parse(text));
  if (loops.length > MAX_VALUES) return line.commands;
  const wordsOf = (name: string): readonly ShellWord[] => {
    const own = loops.filter((loop) => loop.name.value === name);
    const words = own.flatMap(({ wordlist }) => wordlist?.map(readWord) ?? [UNKNOWN_WORD]);
    const sets = line.assignments.filter((each) => each.replace(/\W.*$/s, '') === name);
    const outside = own.reduce((rest, { pos, end }) => rest.fill(' ', pos, end), text.split('')).join('');
    const isKnown = words.every((word) => (word.static || word.pattern) && !word.text.includes('**'));
    // Bash gives names such as `_` and `REPLY` values of its own.
    const isOwn = /^[a-z]\w*$/.test(name) && sets.length === own.length && words.length <= MAX_VALUES;
    return isKnown && isOwn && !new RegExp(`\\$\\{?${name}\\b`).test(outside) ? words : [];
  };
  const values = new Map(loops.map(({ name }) => [`$${name.value}`, wordsOf(name.value)]));
  return line.commands.flatMap((command) => {
    const [first, ...rest] = command.words;
    const used = (piece: Piece): boolean => piece.kind === 'quoted-expansion' && values.has(piece.text);
    const [name, ...others] = new Set(rest.flatMap(({ pieces }) => pieces.filter(used).map((piece) => piece.text)));
    const words = values.get(name ?? '') ?? [];
    if (command.wrapped || others.length > 0 || words.length === 0) return [command];
    const put = (word: ShellWord, pieces: readonly Piece[]): ShellWord =>
      wordOf(word.pieces.flatMap((each) => (used(each) ? pieces : [each])));
    return words.map(({ pieces }) => ({ ...command, words: [first, ...rest.map((word) => put(word, pieces))] }));
  });
}

function loopsIn(node: SyntaxNode): readonly Extract<SyntaxNode, { type: 'For' }>[] {
  const found = node.type === 'For' ? [node] : [];
  forEachChild(node, (child) => void found.push(...loopsIn(child)));
  return found;
}
