import { BUILT_IN_LINES, findBuiltInViolation } from './built-in-rules.ts';
import { MAX_COMMAND_LENGTH, parseCommandLine } from './command-line.ts';
import { matchShellRule, parseShellRule } from './shell-rule.ts';

/**
 * The result of checking a command. `blocked`: it does something that is on a list. `unsure`: its text does not show
 * everything that will run. `plain`: it was read to the end and nothing is on a list, which does not make it harmless.
 */
export type CommandVerdict =
  | { readonly type: 'blocked'; readonly rule: string; readonly reason: string }
  | { readonly type: 'unsure'; readonly reason: string }
  | { readonly type: 'plain' };

/**
 * Checks a command line for a POSIX shell against the built-in list and `blockedCommands`, the lines of
 * `safety.blocked_commands`. Pure. Checks every program anywhere in the line, word by word. An unreadable line of the
 * list makes every command unsure.
 */
export function checkCommand(command: string, blockedCommands: readonly string[]): CommandVerdict {
  if (command.length > MAX_COMMAND_LENGTH) {
    // A command that is not read cannot be checked, and nobody needs one of this size.
    const reason = `The command is longer than ${MAX_COMMAND_LENGTH} characters. Put the text into a file with write_file.`;
    return { type: 'blocked', rule: 'longest command', reason };
  }
  const line = parseCommandLine(command);
  const violation = findBuiltInViolation(line);
  if (violation !== undefined) return blocked(`built-in: ${violation}`, violation);
  let uncertainty = line.uncertainties[0];
  for (const { list, source } of linesInForce(blockedCommands)) {
    const rule = parseShellRule(source);
    if (rule === undefined) {
      uncertainty ??= `the line ${JSON.stringify(source)} of ${list} cannot be read`;
      continue;
    }
    const match = matchShellRule(rule, line);
    if (match === 'yes') return blocked(`${list}: ${source}`, `\`${source}\``);
    if (match === 'maybe') uncertainty ??= `it may turn out to be \`${source}\``;
  }
  return uncertainty === undefined
    ? { type: 'plain' }
    : { type: 'unsure', reason: `It is not clear what this command runs: ${uncertainty}.` };
}

function linesInForce(
  blockedCommands: readonly string[],
): readonly { readonly list: string; readonly source: string }[] {
  return [
    ...blockedCommands.map((source) => ({ list: 'safety.blocked_commands', source })),
    ...BUILT_IN_LINES.map((source) => ({ list: 'built-in', source })),
  ];
}

function blocked(rule: string, what: string): CommandVerdict {
  const reason = `Blocked (${rule}). Do the task without ${what}, or tell the user which command to run by hand.`;
  return { type: 'blocked', rule, reason };
}
