import path from 'node:path';
import type { ShellWord } from './shell-word.ts';

/** Whether a command has what a rule names: surely, perhaps (a computed word decides), or surely not. */
export type Match = 'yes' | 'maybe' | 'no';

/**
 * Looks for a rule's operand among a command's. A path may stand anywhere; another word, such as a subcommand, has to
 * stand at its own place and elsewhere only makes the command doubtful.
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

/** The form in which operands are compared: paths without `//`, `.`, `..` and a last `/`, modes of chmod as numbers. */
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

/** `/*` is everything in `/`, which comes to the same; `/b*` may be. */
function comparePattern(target: string, written: string): Match {
  const slash = written.lastIndexOf('/');
  if (slash < 0 || (written.slice(0, slash) || '/') !== target) return 'no';
  return /^(?:\*|\.\*|\?\*|\*\*)$/.test(written.slice(slash + 1)) ? 'yes' : 'maybe';
}

/** Whether some value of the computed part makes a word the target, judged by the known text around it. */
function couldBecome(target: string, operand: ShellWord): boolean {
  const { start, end } = operand;
  // One of several words can be anything.
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
