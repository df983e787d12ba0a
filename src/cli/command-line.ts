import { type ArgumentToken, readArguments } from './arguments.ts';
import { EXIT_CODES } from './exit.ts';
import { UsageError } from './usage-error.ts';
import type { World } from './world.ts';

/** Does what the command line asks for and returns the exit code. Rejects with what `reportFailure` puts into words. */
export async function obey(tokens: readonly ArgumentToken[], world: World): Promise<number> {
  const invocation = readArguments(tokens);
  switch (invocation.type) {
    case 'help':
      await world.stdout((await import('./options.ts')).helpText());
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
      return (await import('../stories/run-stories.ts')).runStories(invocation.stories, invocation.options, world);
    default:
      return invocation satisfies never;
  }
}
