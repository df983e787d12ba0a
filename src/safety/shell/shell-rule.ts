import { type CommandArguments, splitArguments } from './command-flags.ts';
import { type ParsedCommandLine, parseCommandLine, type RedirectTarget, type SimpleCommand } from './command-line.ts';
import { type Match, matchOperand, normaliseOperand } from './command-operands.ts';
import type { ShellWord } from './shell-word.ts';
import { programName } from './shell-word.ts';

/** A parsed line of a block list. A command line matches if it contains all of its commands and redirects. */
export interface ShellRule {
  readonly source: string;
  readonly commands: readonly CommandPattern[];
  readonly redirects: readonly RedirectTarget[];
}

interface CommandPattern extends CommandArguments {
  readonly program: string;
}

/**
 * Parses a line of a block list, such as `rm -rf /`; `undefined` if it cannot be parsed. The first word names a program
 * in any directory. Flags match in any spelling and among other flags, and operands match after normalisation.
 */
export function parseShellRule(source: string): ShellRule | undefined {
  const { complete, commands, redirects } = parseCommandLine(source);
  const patterns = commands.filter((command) => !command.wrapped).map(readPattern);
  if (!complete || patterns.length + redirects.length === 0 || patterns.includes(undefined)) return undefined;
  return { source, commands: patterns.filter((pattern) => pattern !== undefined), redirects };
}

/** Matches a command line against a rule. `maybe`: the result depends on the value of a computed word. */
export function matchShellRule(rule: ShellRule, line: ParsedCommandLine): Match {
  const commands = rule.commands.map((pattern) =>
    strongest(line.commands.map((found) => matchCommand(pattern, found))),
  );
  const redirects = rule.redirects.map((wanted) =>
    strongest(line.redirects.map((found) => matchRedirect(wanted, found))),
  );
  return weakest([...commands, ...redirects]);
}

function readPattern(command: SimpleCommand): CommandPattern | undefined {
  const [name, ...words] = command.words;
  const program = programName(name);
  return program === undefined ? undefined : { program, ...splitArguments(program, words) };
}

function matchCommand(pattern: CommandPattern, command: SimpleCommand): Match {
  const found = readPattern(command);
  if (found?.program !== pattern.program) return 'no';
  const flags = [...pattern.flags].map((flag) => matchFlag(flag, found));
  const operands = pattern.operands.map((operand, position) =>
    matchOperand(operand, position, found.operands, pattern.program),
  );
  return weakest([...flags, ...operands]);
}

function matchFlag(wanted: string, found: CommandArguments): Match {
  if (found.flags.has(wanted)) return 'yes';
  const shortened = [...found.flags].some((flag) => flag.startsWith('--') && wanted.startsWith(flag));
  return shortened || found.hiddenFlags ? 'maybe' : 'no';
}

function matchRedirect(wanted: RedirectTarget, found: RedirectTarget): Match {
  if (wanted.operator.startsWith('<') !== found.operator.startsWith('<')) return 'no';
  if (normalise(wanted.target) === normalise(found.target)) return 'yes';
  return found.target.static ? 'no' : 'maybe';
}

function normalise(word: ShellWord): string {
  return normaliseOperand(word.text, '');
}

function weakest(matches: readonly Match[]): Match {
  return matches.includes('no') ? 'no' : matches.includes('maybe') ? 'maybe' : 'yes';
}

function strongest(matches: readonly Match[]): Match {
  return matches.includes('yes') ? 'yes' : matches.includes('maybe') ? 'maybe' : 'no';
}
