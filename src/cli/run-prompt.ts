import type { Agent } from '../app/session.ts';
import type { Approver } from '../ports/approver.ts';
import type { Terminal } from '../ports/terminal.ts';
import { createTerminalApprover, NOBODY } from './approval.ts';
import type { CommandLineOptions } from './arguments.ts';
import { chooseModel } from './choose-model.ts';
import { EXIT_CODES } from './exit.ts';
import { followRun, type ShowEvent, showAsJson, showAsText } from './follow-run.ts';
import { openSession } from './open-session.ts';
import { loadSettings } from './settings.ts';
import type { World } from './world.ts';

/**
 * Runs one prompt and returns the exit code. With text output at a terminal the user is asked; JSON is read by
 * programs, so nobody is.
 */
export async function runPrompt(prompt: string, options: CommandLineOptions, world: World): Promise<number> {
  const settings = await loadSettings(options, world);
  const { config, render } = settings;
  const model = await chooseModel(config, world);
  const stop = new AbortController();
  const unsubscribe = world.onStop(() => stop.abort());
  const asks = options.outputFormat === 'text' && world.interactive;
  const terminal = asks ? await world.openTerminal() : undefined;
  terminal?.onInterrupt(() => stop.abort());
  const show = options.outputFormat === 'json' ? showAsJson(world.stdout) : showAsText(world.stdout, render);
  try {
    const approver = approverAt(terminal, stop, world, render.palette);
    const session = await openSession(
      { ...settings, approver, model: await model.ready(), modelName: model.name },
      world,
    );
    try {
      return await runOnce(session.agent, prompt, show, stop);
    } finally {
      await session.close();
    }
  } finally {
    unsubscribe();
    terminal?.close();
    await model.close();
  }
}

function approverAt(
  terminal: Terminal | undefined,
  stop: AbortController,
  world: World,
  palette: Parameters<typeof createTerminalApprover>[0]['palette'],
): Approver {
  if (terminal === undefined) return NOBODY;
  return createTerminalApprover({ terminal, write: world.stdout, palette, interruptRun: () => stop.abort() });
}

/** Runs one prompt to its end and returns the exit code. `stop` is what stops the run. */
export async function runOnce(agent: Agent, prompt: string, show: ShowEvent, stop: AbortController): Promise<number> {
  const outcome = await followRun(agent.run(prompt, stop.signal), show, () => stop.abort());
  return EXIT_CODES[outcome];
}
