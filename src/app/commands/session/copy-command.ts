import { withSeparators } from '../../../text/quantities.ts';
import { type ChatCommand, refused, shown } from '../chat-command.ts';

/** The longest text that terminals take for the clipboard, in bytes. */
const MAX_BYTES = 74_000;

/** `/copy`: gives the last answer to the clipboard of the terminal, which is that of the user's machine also over SSH. */
export const COPY_COMMAND: ChatCommand = {
  name: 'copy',
  description: 'Copy the last answer to the clipboard, also over SSH and in tmux',
  async run(agent, _argument, { copy }) {
    if (copy === undefined) return refused('ybs cannot write to a clipboard here. Select the text instead.');
    const answers = (await agent()).messages.filter(
      ({ role, content }) => role === 'assistant' && content.trim() !== '',
    );
    const text = answers.at(-1)?.content;
    if (text === undefined) return refused('There is no answer yet.');
    const { length } = new TextEncoder().encode(text);
    if (length > MAX_BYTES) {
      return refused(
        `The answer has ${withSeparators(length)} bytes, more than terminals copy. /export writes it to a file.`,
      );
    }
    copy(text);
    return shown('Sent the last answer to the clipboard of the terminal, if the terminal supports it (OSC 52).');
  },
};
