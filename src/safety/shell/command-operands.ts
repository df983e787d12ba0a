import path from 'node:path';
import type { ShellWord } from './shell-word.ts';

/** The result of a match. `maybe`: it depends on the value of a computed word. */
export type Match = 'yes' | 'maybe' | 'no';

/**
 * Matches an operand of a rule against those of a command. A path matches at any position; another word, such as a
 * subcommand, matches at its own position, and elsewhere only `maybe`.
 */
export function matchOperand(
  wanted: ShellWord,
  position: number,
  operands: readonly ShellWord[],
  program: string,
): Match {
  const anywhere = /^[~$.*]|\//.test(wanted.text);
  const matches = operands.map((operand, index): Match => {
    const match = compareOperand(wanted, operand, program);
    if (anywhere) return match;
    if (match === 'yes') return index === position ? 'yes' : 'maybe';
    return index <= position ? match : 'no';
  });
  return matches.includes('yes') ? 'yes' : matches.includes('maybe') ? 'maybe' : 'no';
}

/** Normalises an operand: a path without `//`, `.`, `..` and a last `/`, an open mode of chmod as `777`. */
export function normaliseOperand(text: string, program: string): string {
  if (program === 'chmod' && isOpenMode(text)) return '777';
  if (!text.includes('/')) return text;
  const normal = path.posix.normalize(text).replace(/^\/\//, '/');
  return normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal;
}

function compareOperand(wanted: ShellWord, operand: ShellWord, program: string): Match {
  const target = normaliseOperand(wanted.text, program);
  const written = normaliseOperand(operand.text, program);
  if (wanted.static === operand.static && written === target) return 'yes';
  if (operand.static) return 'no';
  if (operand.pattern) return comparePattern(target, written);
  return couldBecome(target, operand) ? 'maybe' : 'no';
}

/** `/*` matches the rule `/`, because it is everything in it; `/b*` may match. */
function comparePattern(target: string, written: string): Match {
  const slash = written.lastIndexOf('/');
  if (slash < 0 || (written.slice(0, slash) || '/') !== target) return 'no';
  return /^(?:\*|\.\*|\?\*|\*\*)$/.test(written.slice(slash + 1)) ? 'yes' : 'maybe';
}

/** True when a value of the computed part could make the operand the target; the known text around it decides. */
function couldBecome(target: string, operand: ShellWord): boolean {
  const { start, end } = operand;
  // An expansion into several words can contain any word.
  if (operand.splits) return true;
  if (start !== '' && !start.startsWith('/') && target.startsWith('/')) return false;
  if (!target.includes('/') && !target.startsWith(start)) return false;
  const lastName = end.slice(end.lastIndexOf('/') + 1);
  return /^\.{0,2}$/.test(lastName) || target.endsWith(lastName);
}

/** True for a mode that lets everybody read, write and execute, in digits or letters. */
function isOpenMode(text: string): boolean {
  if (/^0*777$/.test(text)) return true;
  const open = new Set<string>();
  for (const clause of text.split(',')) {
    const [, who = '', permissions = ''] = /^([ugoa]*)[+=]([rwxXst]+)$/.exec(clause) ?? [];
    for (const person of who === '' || who.includes('a') ? 'ugo' : who) {
      for (const permission of permissions) open.add(person + permission);
    }
  }
  return [...'ugo'].every((person) => [...'rwx'].every((permission) => open.has(person + permission)));
}
