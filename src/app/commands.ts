import type { ToolDefinition } from '../ports/tool.ts';
import { suggest } from '../text/suggest.ts';

/** The commands of the chat; `exit` is another name for `quit`. */
const COMMANDS = [
  { name: 'help', description: 'Show this help' },
  { name: 'tools', description: 'List the tools the model can use' },
  { name: 'clear', description: 'Forget the conversation and what was allowed in it' },
  { name: 'quit', description: 'Leave' },
  { name: 'exit', description: 'Leave' },
] as const;

export type CommandName = (typeof COMMANDS)[number]['name'];

/** What a message typed in the chat asks for. */
export type ChatInput =
  | { readonly type: 'empty' }
  | { readonly type: 'prompt'; readonly text: string }
  | { readonly type: 'command'; readonly name: CommandName }
  | { readonly type: 'shell'; readonly command: string }
  | { readonly type: 'refused'; readonly message: string };

/**
 * Understands one message. Only a first line that starts with `/word` or `!` is special, so that pasted text that
 * holds slashes further in, or a path such as `/etc/hosts is wrong`, stays a prompt.
 */
export function readChatInput(message: string): ChatInput {
  const text = message.trim();
  if (text === '') return { type: 'empty' };
  if (text.startsWith('!')) {
    const command = text.slice(1).trim();
    if (command !== '') return { type: 'shell', command };
    return { type: 'refused', message: 'Type a command after the !, for example !git status' };
  }
  const [, word, rest] = /^\/([^\s/]*)(?:\s+(.*))?$/su.exec(text) ?? [];
  if (word === undefined) return { type: 'prompt', text: message };
  const command = COMMANDS.find(({ name }) => name === word);
  if (command === undefined) return { type: 'refused', message: unknownCommand(word) };
  if (rest === undefined) return { type: 'command', name: command.name };
  return { type: 'refused', message: `/${command.name} takes nothing after it.` };
}

/** The answer to `/help`. */
export function chatHelp(): string {
  const rows: readonly (readonly [string, string])[] = [
    ...COMMANDS.map(({ name, description }) => [`/${name}`, description] as const),
    ['!command', 'Run a command here and give its output to the model'],
    ['Ctrl-C', 'Stop the run; at the prompt clear the line, twice at an empty one to leave'],
    ['Ctrl-D', 'Leave'],
  ];
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `${left.padEnd(width)}  ${right}`).join('\n');
}

/** The answer to `/tools`: one line per tool, with the first sentence of what the model is told. */
export function toolList(tools: readonly ToolDefinition[]): string {
  const width = Math.max(0, ...tools.map(({ name }) => name.length));
  return tools.map(({ name, description }) => `${name.padEnd(width)}  ${firstSentence(description)}`).join('\n');
}

function unknownCommand(word: string): string {
  const [nearest] = suggest(
    word,
    COMMANDS.map(({ name }) => name),
  );
  return `Unknown command /${word}. ${nearest === undefined ? 'See /help.' : `Did you mean /${nearest}?`}`;
}

function firstSentence(text: string): string {
  const [line = ''] = text.split('\n', 1);
  return /^.*?[.!?](?=\s+\p{Lu}|\s*$)/u.exec(line)?.[0] ?? line;
}
