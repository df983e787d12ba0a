import type { Message, UserMessage } from '../agent/ports/messages.ts';

/**
 * True for a message that a wire with system messages inside the conversation sends as one: the text of a file that the
 * user named. Servers accept pictures from the user only.
 */
export function isSystemMessage({ file, images }: UserMessage): boolean {
  return file !== undefined && images === undefined;
}

/** The messages with the texts of files in front of the message that follows them, because two in a row may be refused, too. */
export function withUserTexts(history: readonly Message[]): readonly Message[] {
  const messages: Message[] = [];
  let texts: string[] = [];
  const end = (): void => {
    if (texts.length > 0) messages.push({ role: 'user', content: texts.join('\n\n') });
    texts = [];
  };
  for (const message of history) {
    if (message.role === 'user' && isSystemMessage(message)) texts.push(message.content);
    else if (message.role === 'user' && texts.length > 0) {
      messages.push({ ...message, content: [...texts, message.content].join('\n\n') });
      texts = [];
    } else {
      end();
      messages.push(message);
    }
  }
  end();
  return messages;
}
