import type { Agent } from '../app/agent.ts';
import type { WriteText } from '../ports/terminal.ts';
import { escapeForTerminal } from '../text/escape.ts';
import { escapeChunk } from './escape-stream.ts';

/**
 * Runs a command that the user typed as `!command` and prints its output as it comes; one that printed nothing is
 * answered with the text for the model. Returns that text, or nothing when the user stopped the command, which it says.
 */
export async function showUserCommand(
  agent: Agent,
  command: string,
  ports: { readonly write: WriteText; readonly currentDirectory: string },
  stop: AbortController,
): Promise<string | undefined> {
  const output = agent.runUserCommand(command, ports.currentDirectory, stop.signal);
  let held = '';
  let atLineStart = true;
  let silent = true;
  const print = async (text: string) => {
    if (text === '') return;
    silent = false;
    atLineStart = text.endsWith('\n');
    if (!(await ports.write(text))) stop.abort();
  };
  for (;;) {
    const step = await output.next();
    if (step.done === true) {
      await print(escapeForTerminal(held));
      if (!atLineStart) await print('\n');
      if (!stop.signal.aborted) {
        if (silent) await print(`${escapeForTerminal(step.value)}\n`);
        return step.value;
      }
      await print('Stopped. The model was not told.\n');
      return undefined;
    }
    const chunk = escapeChunk(held, step.value.text);
    held = chunk.held;
    await print(chunk.text);
  }
}
