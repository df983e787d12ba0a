import { escapeForTerminal } from '../text/escape.ts';
import { type ArgumentToken, type Invocation, readArguments } from './arguments.ts';
import { EXIT_CODES, USAGE_ERROR } from './exit-codes.ts';
import { UsageError } from './usage-error.ts';
import type { World } from './world.ts';

/** Does what the command line asks for and returns the exit code. Never throws. */
export async function obey(tokens: readonly ArgumentToken[], world: World): Promise<number> {
  try {
    return await start(readArguments(tokens), world);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    await world.stderr(`ybs: ${escapeForTerminal(message)}\n`);
    return isUsersToRepair(error) ? USAGE_ERROR : EXIT_CODES.failed;
  }
}

/** Scenario files are read by the mock server, which has an error of its own for them. */
function isUsersToRepair(error: unknown): boolean {
  return error instanceof UsageError || (error instanceof Error && error.name === 'ScenarioError');
}

async function start(invocation: Invocation, world: World): Promise<number> {
  switch (invocation.type) {
    case 'help':
      await world.stdout((await import('./help.ts')).helpText());
      return EXIT_CODES.done;
    case 'version':
      await world.stdout(`${world.version()}\n`);
      return EXIT_CODES.done;
    case 'usage_error':
      throw new UsageError(invocation.message);
    case 'chat':
      return (await import('./run-chat.ts')).runChat(invocation.options, world);
    case 'prompt':
      return (await import('./run-prompt.ts')).runPrompt(invocation.prompt, invocation.options, world);
    case 'test':
      return (await import('./run-stories.ts')).runStories(invocation.stories, invocation.options, world);
    default:
      return invocation satisfies never;
  }
}
