import { UsageError } from '../agent/errors.ts';
import type { UserConsole } from '../terminal/output.ts';
import { escapeLine } from '../text/escape.ts';
import { nearProblem } from './command-line/arguments.ts';

/** The meaning of a word that may be a mistyped command; `undefined` if the user leaves. */
export type MeantWord = 'command' | 'prompt' | undefined;

/** Asks whether a single word is the command with a similar name, or a prompt. Throws `UsageError` without a terminal. */
export async function askForCommand(word: string, command: string, user: UserConsole): Promise<MeantWord> {
  if (!user.interactive) throw new UsageError(nearProblem(word, command));
  const terminal = await user.openTerminal();
  const unsubscribe = user.onStop(() => terminal.close());
  try {
    await user.write(`"${escapeLine(word)}" is not a command. Did you mean ybs ${command}?\n`);
    await user.write(`  y  yes: ybs ${command}\n  n  no: send the word to the model\n`);
    for (;;) {
      const input = await terminal.readLine({ prompt: '> ', fresh: true });
      if (input.type !== 'line') return undefined;
      if (/^\s*(?:y(?:es)?)?\s*$/iu.test(input.text)) return 'command';
      if (/^\s*no?\s*$/iu.test(input.text)) return 'prompt';
      await user.write('Type y or n, or press Ctrl-D to leave.\n');
    }
  } finally {
    unsubscribe();
    terminal.close();
  }
}
