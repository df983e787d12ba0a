import type { LineQuestion } from '../app/terminal.ts';
import type { UserConsole } from '../terminal/output.ts';

/** A question to the user; `again` follows an answer that is none. All texts are safe to print. */
interface Question extends Partial<Omit<LineQuestion, 'fresh'>> {
  readonly question: string;
  readonly again: string;
}

/** Asks in the terminal until `read` takes the answer; `undefined` if the user leaves. */
export async function askUntil<Answer>(
  user: UserConsole,
  { question, again, prompt = '> ', ...line }: Question,
  read: (typed: string) => Answer | undefined,
): Promise<Answer | undefined> {
  const terminal = await user.openTerminal();
  const unsubscribe = user.onStop(() => terminal.close());
  try {
    await user.write(question);
    for (;;) {
      const input = await terminal.readLine({ ...line, prompt, fresh: true });
      if (input.type !== 'line') return undefined;
      const answer = read(input.text.trim());
      if (answer !== undefined) return answer;
      await user.write(again);
    }
  } finally {
    unsubscribe();
    terminal.close();
  }
}
