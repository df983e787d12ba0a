import type { Places } from './directories.ts';
import { MAX_COMMAND_LENGTH, parseCommandLine } from './parse/command-line.ts';
import { StepBudget, TooManySteps } from './parse/step-budget.ts';
import { findForbiddenRemoval, removedGlobs, removedPaths } from './removal/recursive-removal.ts';
import { BUILT_IN_LINES, findBuiltInViolation, isProjectFile } from './rules/built-in-rules.ts';
import { matchShellRule, parseShellRule, prepareToMatch, type ShellRule } from './rules/shell-rule.ts';

/**
 * The result of checking a command. `blocked`: it does something that is on the block list. `unclear`: its text does
 * not show everything that will run. `unlisted`: nothing that it runs is on the list, which does not make it harmless.
 */
export type CommandVerdict =
  | { readonly type: 'blocked'; readonly rule: string; readonly reason: string }
  | { readonly type: 'unclear'; readonly reason: string }
  | { readonly type: 'unlisted' };

/** The commands that never run. */
export interface BlockList {
  /** `rule` is `undefined` if the line cannot be parsed. `list` names where the line comes from. */
  readonly lines: readonly { readonly list: string; readonly source: string; readonly rule: ShellRule | undefined }[];
}

const BUILT_IN = 'built-in';

/**
 * Parses the lines of `safety.blocked_commands`, and adds the lines that always apply. They are parsed with the first
 * command, because many runs have none and parsing takes a tenth of the start.
 */
export function parseBlockList(blockedCommands: readonly string[]): BlockList {
  const parse = (list: string, sources: readonly string[]): BlockList['lines'] =>
    sources.map((source) => ({ list, source, rule: parseShellRule(source) }));
  let lines: BlockList['lines'] | undefined;
  return {
    get lines() {
      lines ??= [...parse('safety.blocked_commands', blockedCommands), ...parse(BUILT_IN, BUILT_IN_LINES)];
      return lines;
    },
  };
}

/**
 * Checks a command line for a POSIX shell against the block list and the actions that are always blocked. Pure. Checks
 * every program anywhere in the line, word by word, and resolves the targets of recursive removals from `places`. If a
 * line of the list cannot be parsed, every command is `unclear`. A command that takes more steps than `budget` has is
 * blocked.
 */
export function checkCommand(
  command: string,
  blockList: BlockList,
  places: Places,
  budget: StepBudget = new StepBudget(),
): CommandVerdict {
  if (command.length > MAX_COMMAND_LENGTH) {
    // A command that is not parsed cannot be checked, and no task needs one of this size.
    const reason = `The command is longer than ${MAX_COMMAND_LENGTH} characters. Write long text to a file with write_file.`;
    return { type: 'blocked', rule: 'maximum command length', reason };
  }
  if (command.includes('\0')) {
    const reason = 'The command contains a NUL, which no program can receive. Write it without.';
    return { type: 'blocked', rule: 'NUL character', reason };
  }
  try {
    return checkWithin(budget, command, blockList, places);
  } catch (error) {
    if (!(error instanceof TooManySteps)) throw error;
    const reason = 'Checking this command takes too many steps. Split it into several simpler commands.';
    return { type: 'blocked', rule: 'maximum command complexity', reason };
  }
}

/**
 * The absolute paths that a command removes, as far as its text shows them, with links not resolved, and the directories
 * in which a pattern on the way to them may match a link. Pure. Empty for a command that is refused before its removals
 * are looked at.
 */
export function removalsIn(
  command: string,
  places: Places,
): { readonly paths: readonly string[]; readonly globs: ReturnType<typeof removedGlobs> } {
  try {
    const { commands } = parseCommandLine(command, { places });
    return { paths: removedPaths(commands, places), globs: removedGlobs(commands, places) };
  } catch {
    // It takes too many steps to read.
    return { paths: [], globs: [] };
  }
}

function checkWithin(budget: StepBudget, command: string, blockList: BlockList, places: Places): CommandVerdict {
  const line = parseCommandLine(command, { places, budget });
  const violation = findBuiltInViolation(line, places, budget);
  if (violation !== undefined) return blocked(`built-in: ${violation}`, violation);
  let uncertainty = line.uncertainties[0];
  const all = prepareToMatch(line);
  const { commands, redirects } = line;
  const programs = commands.filter((each) => !isProjectFile(each, places));
  const ofSystem = programs.length === commands.length ? all : prepareToMatch({ commands: programs, redirects });
  for (const { list, source, rule } of blockList.lines) {
    if (rule === undefined) {
      uncertainty ??= `the line ${JSON.stringify(source)} of ${list} cannot be parsed`;
      continue;
    }
    // A user means a program in any directory, and the built-in list only those of the system.
    const match = matchShellRule(rule, list === BUILT_IN ? ofSystem : all, budget);
    if (match === 'yes') return blocked(`${list}: ${source}`, `\`${source}\``);
    if (match === 'maybe') uncertainty ??= `it may be \`${source}\``;
  }
  const removal = findForbiddenRemoval(line.commands, places, budget);
  if (removal?.match === 'yes') return blockedRemoval(removal.directory);
  if (removal !== undefined) uncertainty ??= `it may remove ${removal.directory}`;
  return uncertainty === undefined
    ? { type: 'unlisted' }
    : { type: 'unclear', reason: `It is not clear what this command runs: ${uncertainty}.` };
}

function blockedRemoval(directory: string): CommandVerdict {
  const rule = 'built-in: recursive removal';
  const reason = `Blocked (${rule}). The command would remove everything in ${directory}. Name the files and directories to remove, write && after each cd, or tell the user which command to run.`;
  return { type: 'blocked', rule, reason };
}

function blocked(rule: string, what: string): CommandVerdict {
  const reason = `Blocked (${rule}). Do the task without ${what}, or tell the user which command to run.`;
  return { type: 'blocked', rule, reason };
}
