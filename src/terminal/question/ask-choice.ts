import type { Choice, Terminal, WriteText } from '../../app/terminal.ts';
import { escapeLine } from '../../text/escape.ts';

/** A question whose answer is one of a list. */
export interface ChoiceQuestion {
  /** Safe to print. */
  readonly title: string;
  readonly prompt: string;
  /** The most likely one first. */
  readonly choices: readonly Choice[];
}

/**
 * Asks for one of several answers: in a list, or where none can be drawn, by its number in rows above the prompt.
 * Returns the value of the answer, or what was typed if that fits none; `undefined` if the user leaves the question.
 */
export async function askChoice(
  { terminal, say }: { readonly terminal: Terminal; readonly say: WriteText },
  { title, prompt, choices }: ChoiceQuestion,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const isDrawn = terminal.drawsChoices === true;
  // A long list scrolls: the first row is beside the prompt.
  const rows = choices.map(({ label }, index) => `${String(index + 1).padStart(3)}. ${escapeLine(label)}\n`).reverse();
  const keys = isDrawn
    ? 'Arrow keys or typing choose, Enter takes one, Esc leaves.'
    : 'Type a number; Enter takes 1, Ctrl-C leaves.';
  await say(`${isDrawn ? '' : rows.join('')}${title}\n${keys}\n`);
  for (;;) {
    const input = await terminal.readLine({ prompt, fresh: true, text: '', choices }, signal);
    if (input.type !== 'line') return undefined;
    const typed = input.text.trim();
    if (isDrawn || !/^\d{0,6}$/.test(typed)) return typed;
    const numbered = choices[typed === '' ? 0 : Number(typed) - 1];
    if (numbered !== undefined) return numbered.value;
    await say(`Type a number from 1 to ${choices.length}.\n`);
  }
}
