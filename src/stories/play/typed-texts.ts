import { UsageError } from '../../agent/errors.ts';
import type { CommandContext } from '../../app/commands/chat-command.ts';
import { readChatInput } from '../../app/commands/commands.ts';
import { SESSION_COMMANDS } from '../../app/commands/session/session-commands.ts';
import { readTypedMessage } from '../../app/commands/typed-message.ts';
import type { Agent, Prompt } from '../../app/session.ts';

const NO_MODELS: CommandContext['models'] = {
  use: () => Promise.reject(new UsageError('A story does not change its model.')),
  list: async () => [],
};

/** The result of a text that the user of a story types. */
interface TypedText {
  /** Absent after a command. */
  readonly prompt?: Prompt;
  /** Messages that the chat shows about the text. */
  readonly notes: readonly string[];
}

/**
 * Types a text of a story in the chat: runs a command, or returns the prompt of a message. Throws `UsageError` for a
 * text that a story cannot type, and for a command that is refused.
 */
export async function typeText(text: string, agent: Agent, signal: AbortSignal): Promise<TypedText> {
  const context = { models: NO_MODELS, signal };
  const input = readChatInput(text);
  switch (input.type) {
    case 'prompt':
    case 'other_command': {
      const { prompt, notes } = await readTypedMessage(input, agent, context);
      return prompt.text === '' ? { notes } : { prompt, notes };
    }
    case 'command': {
      // The stored sessions belong to the user, and differ between machines.
      if (SESSION_COMMANDS.includes(input.command)) break;
      const result = await input.command.run(async () => agent, input.argument, context);
      if (result.type !== 'text') break;
      if (result.isRefused === true) throw new UsageError(`${text}: ${result.text}`);
      return { notes: [result.text] };
    }
    case 'refused':
      throw new UsageError(input.message);
    case 'shell':
    case 'empty':
      break;
    default:
      input satisfies never;
  }
  throw new UsageError(`a story cannot type ${text}`);
}

/** True for a text that is a message, with or without files, and neither a command nor the choice of an agent. */
export function isMessageText(text: string): boolean {
  return readChatInput(text).type === 'prompt' && !/(?:^|\s)@agent:/u.test(text);
}
