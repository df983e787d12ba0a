import type { UserMessage } from '../agent/ports/messages.ts';

/**
 * True for a message that a wire with system messages inside the conversation sends as one: the text of a file that the
 * user named. Servers accept pictures from the user only.
 */
export function isSystemMessage({ file, images }: UserMessage): boolean {
  return file !== undefined && images === undefined;
}
