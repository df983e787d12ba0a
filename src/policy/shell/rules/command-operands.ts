import path from 'node:path';
import type { ShellWord } from '../parse/shell-word.ts';

/** The result of a match. `maybe`: the result depends on the value of a computed word. */
export type Match = 'yes' | 'maybe' | 'no';

/**
 * Matches an operand of a rule against the operands of a command. A path matches at any position. Any other word, such
 * as a subcommand, matches at the same position; at another position the result is `maybe`.
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

/** Normalises an operand: a path to one without `//`, `.`, `..` and a final `/`; an open mode of chmod to `777`. */
export function normaliseOperand(text: string, program: string): string {
  if (program === 'chmod' && isOpenMode(text)) return '777';
  if (!text.includes('/')) return text;
  const normal = path.posix.normalize(text);
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

/** `/*` matches the rule `/`, because it is everything in that directory; `/b*` may match. */
function comparePattern(target: string, written: string): Match {
  const slash = written.lastIndexOf('/');
  if (slash < 0 || (written.slice(0, slash) || '/') !== target) return 'no';
  return /^(?:\*|\.\*|\?\*|\*\*)$/.test(written.slice(slash + 1)) ? 'yes' : 'maybe';
}

/** True if some value of the computed part makes the operand equal to the target, given the known text around it. */
function couldBecome(target: string, operand: ShellWord): boolean {
  const { start, end } = operand;
  // An expansion into several words can produce any word.
  if (operand.splits) return true;
  if (start !== '' && !start.startsWith('/') && target.startsWith('/')) return false;
  if (!target.includes('/') && !target.startsWith(start)) return false;
  const lastName = end.slice(end.lastIndexOf('/') + 1);
  return /^\.{0,2}$/.test(lastName) || target.endsWith(lastName);
}

/** True for a mode that lets everybody read, write and execute, in digits or letters. */
function isOpenMode(text: string): boolean {
  // The bits before the last three digits, as in 1777, do not restrict access.
  if (/^[+=]?[0-7]*777$/.test(text)) return true;
  const granted = new Map([...'ugo'].map((user) => [user, new Set<string>()]));
  for (const clause of text.split(',')) {
    const [who] = /^[ugoa]*(?=[-+=])/.exec(clause) ?? [];
    if (who === undefined) continue;
    const users = who === '' || who.includes('a') ? 'ugo' : who;
    for (const [operator = '', ...letters] of clause.slice(who.length).split(/(?=[-+=])/)) {
      for (const [user, before] of granted) {
        if (users.includes(user)) granted.set(user, change(before, operator, expandLetters(letters, granted)));
      }
    }
  }
  return [...granted.values()].every((permissions) => [...'rwx'].every((permission) => permissions.has(permission)));
}

/** The permissions that letters of a symbolic mode name. `u`, `g` and `o` copy; `X` means `x` for directories. */
function expandLetters(letters: readonly string[], granted: ReadonlyMap<string, Set<string>>): Set<string> {
  return new Set(letters.flatMap((letter) => [...(granted.get(letter) ?? letter.replace('X', 'x'))]));
}

function change(before: Set<string>, operator: string, permissions: Set<string>): Set<string> {
  if (operator === '=') return permissions;
  if (operator === '+') return new Set([...before, ...permissions]);
  return new Set([...before].filter((permission) => !permissions.has(permission)));
}
