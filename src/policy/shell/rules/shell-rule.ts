import { parseCommandLine } from '../parse/command-line.ts';
import type { ParsedCommandLine, RedirectTarget, SimpleCommand } from '../parse/parsed-command-line.ts';
import { programName, type ShellWord } from '../parse/shell-word.ts';
import type { StepBudget } from '../parse/step-budget.ts';
import { type CommandArguments, splitArguments } from '../programs/command-flags.ts';
import { TEMPORARY_DIRECTORIES } from '../removal/protected-directories.ts';
import { type Match, matchOperand, normaliseOperand } from './command-operands.ts';

/** A parsed line of a block list. A command line matches if it contains all of its commands and redirects. */
export interface ShellRule {
  readonly commands: readonly CommandPattern[];
  readonly redirects: readonly RedirectTarget[];
}

interface CommandPattern extends CommandArguments {
  readonly program: string;
  /** False if the mode in the operands of `chmod` is that of a temporary directory, which everybody may use. */
  readonly opensFiles: boolean;
}

/** A command line that is prepared for many rules: its commands by program. */
export interface MatchableLine {
  readonly programs: ReadonlyMap<string, readonly CommandPattern[]>;
  readonly redirects: readonly RedirectTarget[];
}

/**
 * Parses a line of a block list, such as `rm -rf /`; `undefined` if it cannot be parsed. The first word names a program
 * in any directory. Flags match in any spelling and among other flags, and operands match after normalisation. A
 * `run_shell:` before it is ignored.
 */
export function parseShellRule(source: string): ShellRule | undefined {
  const line = tryToParse(source.replace(/^run_shell:/, ''));
  if (line === undefined || !line.complete) return undefined;
  const patterns = line.commands.filter((command) => !command.wrapped).map(readPattern);
  if (patterns.length + line.redirects.length === 0 || patterns.includes(undefined)) return undefined;
  return { commands: patterns.filter((pattern) => pattern !== undefined), redirects: line.redirects };
}

function tryToParse(source: string): ParsedCommandLine | undefined {
  try {
    return parseCommandLine(source);
  } catch {
    // It takes too many steps.
    return undefined;
  }
}

/** Prepares a command line for `matchShellRule`. */
export function prepareToMatch({
  commands,
  redirects,
}: Pick<ParsedCommandLine, 'commands' | 'redirects'>): MatchableLine {
  const programs = new Map<string, CommandPattern[]>();
  for (const command of commands) {
    const pattern = readPattern(command);
    if (pattern === undefined) continue;
    const others = programs.get(pattern.program);
    if (others === undefined) programs.set(pattern.program, [pattern]);
    else others.push(pattern);
  }
  return { programs, redirects };
}

/** Matches a command line against a rule. `maybe`: the result depends on the value of a computed word. */
export function matchShellRule(rule: ShellRule, line: MatchableLine, budget: StepBudget): Match {
  const commands: Match[] = [];
  for (const pattern of rule.commands) {
    const candidates = line.programs.get(pattern.program);
    // Few rules name a program of the line.
    if (candidates === undefined) return 'no';
    commands.push(strongest(candidates.map((found) => matchCommand(pattern, found, budget))));
  }
  const redirects = rule.redirects.map((wanted) => {
    budget.spend(line.redirects.length);
    return strongest(line.redirects.map((found) => matchRedirect(wanted, found)));
  });
  return weakest([...commands, ...redirects]);
}

function readPattern(command: SimpleCommand): CommandPattern | undefined {
  const [name, ...words] = command.words;
  const program = programName(name);
  if (program === undefined) return undefined;
  const parsed = splitArguments(program, words);
  return { program, opensFiles: !sharesTemporary(parsed.operands), ...parsed };
}

/** True for the operands of `chmod 1777 /tmp/x`, the usual mode of a temporary directory. */
function sharesTemporary([mode, ...files]: readonly ShellWord[]): boolean {
  const isBelow = ({ text, static: isStatic }: ShellWord): boolean => {
    const path = normaliseOperand(text, '');
    return isStatic && TEMPORARY_DIRECTORIES.some((directory) => path.startsWith(`${directory}/`));
  };
  return mode !== undefined && /^0*1777$/.test(mode.text) && files.length > 0 && files.every(isBelow);
}

function matchCommand(pattern: CommandPattern, found: CommandPattern, budget: StepBudget): Match {
  budget.spend(1 + pattern.flags.size * found.flags.size + pattern.operands.length * found.operands.length);
  const flags = [...pattern.flags].map((flag) => matchFlag(flag, found));
  const operands = pattern.operands.map((operand, position) =>
    matchOperand(operand, position, found.operands, found.opensFiles ? pattern.program : ''),
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
