import { BUILT_IN_LINES, findBuiltInViolation } from './built-in-rules.ts';
import { MAX_COMMAND_LENGTH, parseCommandLine } from './command-line.ts';
import { matchShellRule, parseShellRule } from './shell-rule.ts';

/**
 * The result of checking a command. `blocked`: it does something that is on the block list. `unclear`: its text does
 * not show everything that will run. `unlisted`: nothing that it runs is on the list, which does not make it harmless.
 */
export type CommandVerdict =
  | { readonly type: 'blocked'; readonly rule: string; readonly reason: string }
  | { readonly type: 'unclear'; readonly reason: string }
  | { readonly type: 'unlisted' };

/**
 * Checks a command line for a POSIX shell against the built-in list and `blockedCommands`, the lines of
 * `safety.blocked_commands`. Pure. Checks every program anywhere in the line, word by word. If a line of the list
 * cannot be parsed, every command is `unclear`.
 */
export function checkCommand(command: string, blockedCommands: readonly string[]): CommandVerdict {
  if (command.length > MAX_COMMAND_LENGTH) {
    // A command that is not parsed cannot be checked, and no task needs one of this size.
    const reason = `The command is longer than ${MAX_COMMAND_LENGTH} characters. Write long text to a file with write_file.`;
    return { type: 'blocked', rule: 'maximum command length', reason };
  }
  const line = parseCommandLine(command);
  const violation = findBuiltInViolation(line);
  if (violation !== undefined) return blocked(`built-in: ${violation}`, violation);
  let uncertainty = line.uncertainties[0];
  for (const { list, source } of blockListLines(blockedCommands)) {
    const rule = parseShellRule(source);
    if (rule === undefined) {
      uncertainty ??= `the line ${JSON.stringify(source)} of ${list} cannot be parsed`;
      continue;
    }
    const match = matchShellRule(rule, line);
    if (match === 'yes') return blocked(`${list}: ${source}`, `\`${source}\``);
    if (match === 'maybe') uncertainty ??= `it may be \`${source}\``;
  }
  return uncertainty === undefined
    ? { type: 'unlisted' }
    : { type: 'unclear', reason: `It is not clear what this command runs: ${uncertainty}.` };
}

function blockListLines(
  blockedCommands: readonly string[],
): readonly { readonly list: string; readonly source: string }[] {
  return [
    ...blockedCommands.map((source) => ({ list: 'safety.blocked_commands', source })),
    ...BUILT_IN_LINES.map((source) => ({ list: 'built-in', source })),
  ];
}

function blocked(rule: string, what: string): CommandVerdict {
  const reason = `Blocked (${rule}). Do the task without ${what}, or tell the user which command to run.`;
  return { type: 'blocked', rule, reason };
}
