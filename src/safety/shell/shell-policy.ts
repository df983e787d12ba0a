import { BUILT_IN_LINES, findBuiltInViolation } from './built-in-rules.ts';
import { matchShellRule, parseShellRule } from './shell-rule.ts';
import { LONGEST_COMMAND, parseCommandLine } from './shell-words.ts';

/**
 * What the words of a command say. `blocked`: it does something that is on a list. `unsure`: its text does not tell
 * all that will run. `plain`: read to the end, and nothing in it is on a list – which does not make it harmless.
 */
export type CommandVerdict =
  | { readonly type: 'blocked'; readonly rule: string; readonly reason: string }
  | { readonly type: 'unsure'; readonly reason: string }
  | { readonly type: 'plain' };

/**
 * Judges a command line for a POSIX shell against the built-in list and `blockedCommands`, the lines of
 * `safety.blocked_commands`. Pure. Every program found anywhere in the line is judged, by words and not by text.
 * A line of the list that cannot be read makes every command unsure.
 */
export function judgeCommand(command: string, blockedCommands: readonly string[]): CommandVerdict {
  if (command.length > LONGEST_COMMAND) {
    // What is not read is not judged, and no command of this size is typed by anybody.
    const reason = `The command is longer than ${LONGEST_COMMAND} characters. Put the text into a file with write_file.`;
    return { type: 'blocked', rule: 'longest command', reason };
  }
  const line = parseCommandLine(command);
  const violation = findBuiltInViolation(line);
  if (violation !== undefined) return blocked(`built-in: ${violation}`, violation);
  let doubt = line.doubts[0];
  for (const { list, source } of linesInForce(blockedCommands)) {
    const rule = parseShellRule(source);
    if (rule === undefined) {
      doubt ??= `the line ${JSON.stringify(source)} of ${list} cannot be read`;
      continue;
    }
    const match = matchShellRule(rule, line);
    if (match === 'yes') return blocked(`${list}: ${source}`, `\`${source}\``);
    if (match === 'maybe') doubt ??= `it may turn out to be \`${source}\``;
  }
  return doubt === undefined ? { type: 'plain' } : { type: 'unsure', reason: `What runs cannot be told: ${doubt}.` };
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
