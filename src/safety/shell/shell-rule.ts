import { type CommandShape, shapeCommand } from './command-flags.ts';
import { type Match, matchOperand, normaliseOperand } from './command-operands.ts';
import { programName } from './program-name.ts';
import type { ShellWord } from './shell-word.ts';
import { type ParsedCommandLine, parseCommandLine, type RedirectTarget, type SimpleCommand } from './shell-words.ts';

/** A line of a block list, read: every command and every redirect in it has to be found. */
export interface ShellRule {
  readonly source: string;
  readonly commands: readonly CommandPattern[];
  readonly redirects: readonly RedirectTarget[];
}

interface CommandPattern extends CommandShape {
  readonly program: string;
}

/**
 * Reads a line of a block list, such as `rm -rf /`: the first word is a program wherever it lies, flags may be written
 * in any way and beside others, operands have to be there after normalisation. Nothing when the line cannot be read.
 */
export function parseShellRule(source: string): ShellRule | undefined {
  const { complete, commands, redirects } = parseCommandLine(source);
  const patterns = commands.filter((command) => !command.wrapped).map(readPattern);
  if (!complete || patterns.length + redirects.length === 0 || patterns.includes(undefined)) return undefined;
  return { source, commands: patterns.filter((pattern) => pattern !== undefined), redirects };
}

/** Whether a command line does what the rule names. `maybe`: a computed word decides it when the command runs. */
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
  return program === undefined ? undefined : { program, ...shapeCommand(program, words) };
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

function matchFlag(wanted: string, found: CommandShape): Match {
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
