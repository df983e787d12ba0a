import { REASONING_EFFORTS } from '../../agent/ports/language-model.ts';
import { choiceProblem, suggest } from '../../text/suggest.ts';
import { checklist } from '../../tools/tasks/task-list.ts';
import type { MarkdownCommand } from '../extensions/command-file.ts';
import { AGENT_COMMAND } from './agent-command.ts';
import { type ChatCommand, type CommandResult, chatCommand, type HelpRow, refused, shown } from './chat-command.ts';
import { CONFIG_COMMANDS } from './config-commands.ts';
import { MODEL_COMMANDS } from './model/model-commands.ts';
import { commandElsewhere, commandOfBareWord } from './other-agents.ts';
import { PERMISSION_COMMANDS } from './permissions-command.ts';
import { COPY_COMMAND } from './session/copy-command.ts';
import { COST_COMMAND } from './session/cost-command.ts';
import { DIFF_COMMAND } from './session/diff-command.ts';
import { REWIND_COMMAND } from './session/rewind-command.ts';
import { SESSION_COMMANDS } from './session/session-commands.ts';
import { UNDO_COMMANDS } from './session/undo-commands.ts';
import { TOOL_COMMANDS } from './tool-commands.ts';

const LEAVE: CommandResult = { type: 'leave' };

/** The commands of the chat, in the order of the help. */
export const COMMANDS: readonly ChatCommand[] = [
  {
    name: 'help',
    description: 'Show this help',
    async run(agent, _argument, { keys }) {
      const { commands, problems } = await (await agent()).extensions();
      return shown([chatHelp(commands, keys), ...problems.map((problem) => `! ${problem}`)].join('\n'));
    },
  },
  ...TOOL_COMMANDS,
  ...PERMISSION_COMMANDS,
  {
    name: 'tasks',
    description: 'Show the list of tasks that the model keeps',
    async run(agent) {
      const rows = checklist((await agent()).tasks);
      return shown(rows.length === 0 ? 'The model keeps no list of tasks.' : rows.join('\n'));
    },
  },
  {
    name: 'clear',
    description: 'Begin a new session, without the conversation and the permissions given in it',
    async run(agent, _argument, { signal }) {
      const current = await agent();
      const { permissionMode: before } = current;
      await current.clear(signal);
      const { permissionMode: mode } = current;
      const also = mode === before ? '' : ` The permission mode is ${mode} again.`;
      return shown(`Cleared the conversation, the list of files read and the permissions given.${also}`);
    },
  },
  {
    name: 'compact',
    description: 'Replace the older part of the conversation by a summary',
    run: async () => ({ type: 'compact' }),
  },
  chatCommand({
    name: 'effort',
    argument: '[level]',
    description: 'Set how long the model thinks (none, low, medium, high), or show it',
    complete: (_agent, { length }) => (length === 0 ? REASONING_EFFORTS : []),
    async run(agent, argument) {
      const wanted = REASONING_EFFORTS.find((effort) => effort === argument.toLowerCase());
      if (wanted === undefined && argument !== '')
        return refused(choiceProblem('/effort', argument, REASONING_EFFORTS));
      const current = await agent();
      if (wanted === undefined) return `The effort is ${current.effort ?? 'the default of the model'}.`;
      await current.setEffort(wanted);
      return `The effort is ${wanted} from the next request on.`;
    },
  }),
  ...CONFIG_COMMANDS,
  ...MODEL_COMMANDS,
  AGENT_COMMAND,
  COST_COMMAND,
  COPY_COMMAND,
  DIFF_COMMAND,
  ...UNDO_COMMANDS,
  REWIND_COMMAND,
  ...SESSION_COMMANDS,
  { name: 'quit', description: 'Leave', run: async () => LEAVE },
  { name: 'exit', description: 'Leave', run: async () => LEAVE },
];

/** A parsed chat message. */
export type ChatInput =
  | { readonly type: 'empty' }
  | { readonly type: 'prompt'; readonly text: string }
  | { readonly type: 'command'; readonly command: ChatCommand; readonly argument: string }
  /** Not a command of ybs; it may be one in a Markdown file. */
  | { readonly type: 'other_command'; readonly name: string; readonly argument: string }
  /** A command that the user typed; `forModel` gives its output to the model. */
  | { readonly type: 'shell'; readonly command: string; readonly forModel: boolean }
  | { readonly type: 'refused'; readonly message: string };

/**
 * Parses one message. Only a message that starts with `/word` (in any case), `!` or `@!`, or that is a word such as
 * `exit`, is special: text with slashes further in, or a path such as `/etc/hosts is wrong`, stays a prompt.
 */
export function readChatInput(message: string): ChatInput {
  const trimmed = message.trim();
  if (trimmed === '') return { type: 'empty' };
  const bare = commandOfBareWord(trimmed);
  const text = bare === undefined ? trimmed.replace(/^@!/, '!') : `/${bare}`;
  if (text.startsWith('!')) {
    const forModel = !text.startsWith('!!');
    const command = text.slice(forModel ? 1 : 2).trim();
    if (command !== '') return { type: 'shell', command, forModel };
    return { type: 'refused', message: 'Type a command after the !, for example !git status' };
  }
  const [, word, rest] = /^\/([^\s/]*)(?:\s+(.*))?$/su.exec(text) ?? [];
  if (word === undefined) return { type: 'prompt', text: message };
  const command = COMMANDS.find(({ name }) => name === word.toLowerCase());
  const argument = rest?.trim() ?? '';
  if (command === undefined) return { type: 'other_command', name: word, argument };
  if (argument !== '' && command.argument === undefined) {
    return { type: 'refused', message: `/${command.name} takes no arguments.` };
  }
  if (argument === '' && command.argument?.startsWith('<') === true) {
    return { type: 'refused', message: `/${command.name} needs an argument: /${command.name} ${command.argument}` };
  }
  return { type: 'command', command, argument };
}

const TERMINAL_KEYS: readonly HelpRow[] = [
  ['Enter', 'Send the message; during a run with its next request'],
  ['Ctrl-Q', 'Send the message after the run'],
  ['Alt-Enter', 'Begin a new line; so does a backslash before Enter'],
  ['Shift-Tab', 'Go to the next permission mode: ask, accept-edits, plan'],
  ['Ctrl-R', 'Search in earlier messages'],
  ['Ctrl-G', 'Write the message in $EDITOR'],
  ['Ctrl-O', 'Show all lines of a long paste, or of the last output or diff that was shortened'],
  ['Esc', 'Stop the run'],
  ['Ctrl-C', 'Stop the run; at the prompt, clear the line; twice at an empty prompt, leave'],
  ['Ctrl-D', 'Leave'],
];

/** Text of `/help`, with the commands in Markdown files. */
export function chatHelp(others: readonly MarkdownCommand[] = [], keys: readonly HelpRow[] = TERMINAL_KEYS): string {
  const rows: readonly HelpRow[] = [
    ...[...COMMANDS, ...visibleCommands(others)].map(({ name, argument, description = '' }) => {
      return [argument === undefined ? `/${name}` : `/${name} ${argument}`, description] as const;
    }),
    ['@file:path', 'In a message: give the file to the model with it, also @path and @file:"a path with spaces"'],
    ['@agent:name', 'In a message: work by the instructions of an agent from now on'],
    ['!command', 'Run a command here and give its output to the model; also @!command'],
    ['!!command', 'Run a command here and keep it from the model'],
    ...keys,
  ];
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `${left.padEnd(width)}  ${right}`).join('\n');
}

/** The commands in Markdown files that no command of ybs hides. */
export function visibleCommands(others: readonly MarkdownCommand[]): readonly MarkdownCommand[] {
  return others.filter((other) => COMMANDS.every(({ name }) => name !== other.name.toLowerCase()));
}

/** The message about an unknown command, with the one that is meant or has the nearest name. */
export function unknownCommand(word: string, others: readonly MarkdownCommand[]): string {
  const names = [...COMMANDS, ...others].map(({ name }) => name);
  const elsewhere = commandElsewhere(word);
  if (elsewhere?.startsWith('/') === false) return `There is no /${word}. ${elsewhere}`;
  const begun = word === '' ? undefined : names.find((name) => name.startsWith(word.toLowerCase()));
  const nearest = begun ?? suggest(word, names)[0];
  const meant = elsewhere ?? (nearest === undefined ? undefined : `/${nearest}`);
  return `Unknown command /${word}. ${meant === undefined ? 'See /help.' : `Did you mean ${meant}?`}`;
}
