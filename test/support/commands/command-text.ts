import type { ChatCommand, CommandContext } from '../../../src/app/commands/chat-command.ts';
import type { Agent } from '../../../src/app/session.ts';

/** The context of a command that uses no other model and is not stopped. */
export const COMMAND_CONTEXT: CommandContext = {
  models: { use: () => Promise.reject(new Error('not used here')), list: async () => [] },
  signal: new AbortController().signal,
};

/** The text with which a command answers; the type of an answer without a text. */
export async function commandText(
  command: ChatCommand | undefined,
  agent: Agent,
  argument = '',
  context = COMMAND_CONTEXT,
): Promise<string | undefined> {
  const result = await command?.run(async () => agent, argument, context);
  return result?.type === 'text' ? result.text : result?.type;
}
