import type { Wiring } from '../app/wiring.ts';
import { createTerminalApprover, unavailableApprover } from './approval.ts';
import type { CommandLineOptions } from './arguments.ts';
import { EXIT_CODES } from './exit.ts';
import { followRun, showAsJson, showAsText } from './follow-run.ts';
import type { UserConsole } from './output.ts';
import { renderSettings } from './render.ts';

/**
 * Runs one prompt and returns the exit code. With text output at a terminal the user is asked for approval; JSON is
 * for programs, so nobody is asked.
 */
export async function runPrompt(
  prompt: string,
  options: CommandLineOptions,
  { loadSettings, openSession }: Wiring,
  user: UserConsole,
): Promise<number> {
  const asText = options.outputFormat === 'text';
  const settings = await loadSettings(options);
  const render = renderSettings(settings.config.ui, user);
  const stop = new AbortController();
  const unsubscribe = user.onStop(() => stop.abort());
  const terminal = asText && user.interactive ? await user.openTerminal() : undefined;
  terminal?.onInterrupt(() => stop.abort());
  const { write } = user;
  const approver =
    terminal === undefined
      ? unavailableApprover
      : createTerminalApprover({ terminal, write, palette: render.palette, interruptRun: () => stop.abort() });
  try {
    const { agent, close } = await openSession(settings, approver);
    try {
      const show = asText ? showAsText(write, render) : showAsJson(write);
      return EXIT_CODES[await followRun(agent.run(prompt, stop.signal), show, stop)];
    } finally {
      await close();
    }
  } finally {
    unsubscribe();
    terminal?.close();
  }
}
