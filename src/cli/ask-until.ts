import type { LineQuestion } from '../app/terminal.ts';
import type { UserConsole } from '../terminal/output.ts';

/** Asks in the terminal, and `again` after an answer that `read` does not take; `undefined` if the user leaves. */
export async function askUntil<Answer>(
  user: UserConsole,
  [question, again]: readonly [question: string, again: string],
  read: (typed: string) => Answer | undefined,
  line: Omit<LineQuestion, 'fresh'> = { prompt: '> ' },
): Promise<Answer | undefined> {
  const terminal = await user.openTerminal();
  const unsubscribe = user.onStop(() => terminal.close());
  try {
    for (let text = question; ; text = again) {
      await user.write(text);
      const input = await terminal.readLine({ ...line, fresh: true });
      if (input.type !== 'line') return undefined;
      const answer = read(input.text.trim());
      if (answer !== undefined) return answer;
    }
  } finally {
    unsubscribe();
    terminal.close();
  }
}
