import { withSeparators } from '../../../text/quantities.ts';
import { type ChatCommand, refused, shown } from '../chat-command.ts';

/** The longest text that terminals take for the clipboard, in bytes. */
const MAX_BYTES = 74_000;

/** A fenced block of code in Markdown, which may stand in a list. */
const BLOCK =
  /^(?<indent>[ \t]*)(?<fence>`{3,}|~{3,})[^`\n]*\n(?<code>.*?)\n?^(?:\k<indent>)? {0,3}\k<fence>[`~]*[ \t]*$/gms;

/** The last code of an answer. It has no line end behind it, with which a terminal would run it. */
function lastCode(answer: string): string | undefined {
  const { indent = '', code } = [...answer.matchAll(BLOCK)].at(-1)?.groups ?? {};
  return code?.replace(new RegExp(`^[ \\t]{0,${indent.length}}`, 'gm'), '');
}

/** `/copy`: gives the last answer to the clipboard of the terminal, which is that of the user's machine also over SSH. */
export const COPY_COMMAND: ChatCommand = {
  name: 'copy',
  argument: '[number] [code]',
  description: 'Copy the last answer, an earlier one, or its last code to the clipboard, also over SSH',
  async run(agent, argument, { copy }) {
    if (copy === undefined) return refused('ybs cannot write to a clipboard here. Select the text instead.');
    const answers = (await agent()).messages.filter(
      ({ role, content }) => role === 'assistant' && content.trim() !== '',
    );
    const [, number = '1', code] = /^([1-9]\d*)?\s*(code)?$/i.exec(argument) ?? ['', '0'];
    if (number === '0') return refused('Type /copy, /copy 2 for the answer before the last, or /copy code.');
    const answer = answers.at(-number)?.content;
    if (answer === undefined) {
      return refused(answers.length === 0 ? 'There is no answer yet.' : `Answers so far: ${answers.length}.`);
    }
    const text = code === undefined ? answer : lastCode(answer);
    if (text === undefined) return refused('There is no code block in it.');
    const { length } = new TextEncoder().encode(text);
    if (length > MAX_BYTES) {
      return refused(
        `The answer has ${withSeparators(length)} bytes, more than terminals copy. /export writes it to a file.`,
      );
    }
    copy(text);
    return shown(
      `Sent ${argument === '' ? 'the last answer' : `${withSeparators(text.length)} characters`} to the clipboard of the terminal, if the terminal supports it (OSC 52).`,
    );
  },
};
