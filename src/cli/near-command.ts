import { UsageError } from '../agent/errors.ts';
import type { UserConsole } from '../terminal/output.ts';
import { escapeLine } from '../text/escape.ts';
import { askUntil } from './ask-until.ts';
import { nearProblem } from './command-line/arguments.ts';

/** A word of the command line that is no option. */
interface Word {
  readonly index: number;
  readonly value: string;
}

/**
 * Asks whether the words of a command line are the command with the words `near`, or a prompt. Returns the same
 * arguments for a prompt, and `undefined` if the user leaves. Throws `UsageError` without a terminal.
 */
export async function askForCommand(
  args: readonly string[],
  places: readonly Word[],
  near: readonly string[],
  user: UserConsole,
): Promise<readonly string[] | undefined> {
  const words = places.map(({ value }) => value);
  if (!user.interactive) throw new UsageError(nearProblem(words, near));
  const command = near.map(escapeLine).join(' ');
  const question = [
    `"${words.map(escapeLine).join(' ')}" is not a command. Did you mean ybs ${command}?\n`,
    `  y  yes: ybs ${command}\n  n  no: send it to the model\n`,
  ].join('');
  return askUntil(user, [question, 'Type y or n, or press Ctrl-D to leave.\n'], (typed) => {
    if (/^(?:y(?:es)?)?$/iu.test(typed))
      return places.reduce((all, { index }, at) => all.with(index, near[at] ?? ''), [...args]);
    return /^no?$/iu.test(typed) ? args : undefined;
  });
}
