import type { SyntaxNode } from 'unbash';
import { readWord } from './shell-word.ts';

/**
 * Builtins that take a word as arithmetic, or as the name of a variable with a subscript, which is arithmetic.
 * `printf`, `test` and `[` do so only after `-v` or `-R`.
 */
export const EVALUATORS: ReadonlyMap<string, 'always' | 'with -v'> = new Map([
  ['[', 'with -v'],
  ['declare', 'always'],
  ['export', 'always'],
  ['getopts', 'always'],
  ['let', 'always'],
  ['local', 'always'],
  ['mapfile', 'always'],
  ['printf', 'with -v'],
  ['read', 'always'],
  ['readarray', 'always'],
  ['readonly', 'always'],
  ['test', 'with -v'],
  ['typeset', 'always'],
  ['unset', 'always'],
  ['wait', 'always'],
]);

/** The tests of `[[` that evaluate arithmetic. */
export const ARITHMETIC_TESTS: ReadonlySet<string> = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge', '-v', '-R']);

/** True for a quoted text that runs a command if bash evaluates it as arithmetic: `'a[$(ls)]'`. */
export function holdsSubscript(node: SyntaxNode): boolean {
  if (node.type === 'HereDocBody') return node.parts === undefined && runsInSubscript(node.text);
  if (node.type !== 'Word') return false;
  // The brackets of a subscript look like those of a pattern, in which characters are still escaped.
  const known = readWord(node).pieces.filter(({ kind, text }) => !kind.endsWith('expansion') || text[0] === '[');
  return runsInSubscript(known.map(({ text }) => text.replaceAll('\\', '')).join(''));
}

function runsInSubscript(text: string): boolean {
  if (!text.includes('[')) return false;
  // Each part is searched once, so that brackets without an end take no more time than other text.
  return text.split(']').some((part) => part.includes('[') && /\$[({]|`/.test(part.slice(part.indexOf('['))));
}

/** True for syntax that evaluates arithmetic, which bash does again with the value of each variable in it. */
export function evaluatesArithmetic(node: SyntaxNode): boolean {
  switch (node.type) {
    case 'ArithmeticExpansion':
    case 'ArithmeticCommand':
    case 'ArithmeticFor':
    case 'Slice':
      return true;
    case 'ParameterExpansion':
      return node.index !== undefined || node.prefix === '!';
    case 'Assignment':
      return node.index !== undefined;
    case 'TestBinary':
    case 'TestUnary':
      return ARITHMETIC_TESTS.has(node.operator);
    default:
      return false;
  }
}

/** True for a builtin that evaluates its words as arithmetic. */
export function isEvaluator(program: string, words: readonly { readonly text: string }[]): boolean {
  const when = EVALUATORS.get(program);
  return when === 'always' || (when === 'with -v' && words.some(({ text }) => /^-[vR]/.test(text)));
}
