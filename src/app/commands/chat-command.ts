import { FileSystemError, UsageError } from '../../agent/errors.ts';
import type { RewindPlace } from '../../agent/ports/events.ts';
import { escapeLine } from '../../text/escape.ts';
import type { Agent } from '../session.ts';
import type { Choice } from '../terminal.ts';
import type { ModelSwitch } from './model/model-switch.ts';

/**
 * The result of a chat command: a text to show, perhaps with a diff before it and with a `line` for the user to change and
 * send, a compaction of the conversation, or the end of the chat. `rewind`: the conversation has gone back to there.
 * `isRefused`: the text says why the command did nothing. `choices`: arguments with which the user may run it next.
 */
export type CommandResult =
  | {
      readonly type: 'text';
      readonly text: string;
      readonly diff?: string;
      readonly line?: string;
      readonly rewind?: RewindPlace;
      readonly isRefused?: boolean;
      readonly choices?: { readonly prompt: string; readonly answers: readonly Choice[] };
    }
  | { readonly type: 'compact' }
  | { readonly type: 'leave' };

/** A row of the help: what the user types or presses, and its effect. */
export type HelpRow = readonly [input: string, effect: string];

/** Ports of a command besides the agent. */
export interface CommandContext {
  /** The keys in the help; those of the terminal if absent. */
  readonly keys?: readonly HelpRow[];
  readonly models: Pick<ModelSwitch, 'use' | 'list'>;
  /** Gives a text to the clipboard of the user. Absent where there is none. */
  readonly copy?: ((text: string) => void) | undefined;
  /** Aborts when the user stops the command. */
  readonly signal: AbortSignal;
}

/** One command of the chat. `run` gets a function that waits for the agent, because most commands do not need it. */
export interface ChatCommand {
  readonly name: string;
  /** Form of the argument in the help: `<name>`, or `[name]` if it may be missing. Absent: there is none. */
  readonly argument?: string;
  readonly description: string;
  /** The words that may stand in the argument after the words `before`. */
  complete?(agent: Agent, before: readonly string[]): readonly string[] | Promise<readonly string[]>;
  run(agent: () => Promise<Agent>, argument: string, context: CommandContext): Promise<CommandResult>;
}

/**
 * Creates a command. A text to which `run` resolves is shown, and so is the reason why it did nothing: the message of a
 * `UsageError` or of a file that cannot be used.
 */
export function chatCommand(
  command: Omit<ChatCommand, 'run'> & { run(...args: Parameters<ChatCommand['run']>): Promise<string | CommandResult> },
): ChatCommand {
  return {
    ...command,
    async run(...args) {
      try {
        const result = await command.run(...args);
        return typeof result === 'string' ? shown(result) : result;
      } catch (error) {
        if (error instanceof UsageError) return refused(error.message);
        if (!(error instanceof FileSystemError)) throw error;
        const isTaken = error.code === 'already_exists';
        const place = `${escapeLine(error.path)} exists already. Choose another name.`;
        return refused(isTaken ? place : `A file cannot be used: ${error.message}`);
      }
    },
  };
}

export const shown = (text: string): CommandResult => ({ type: 'text', text });

/** The result of a command that did nothing, with the reason. */
export const refused = (text: string): CommandResult => ({ type: 'text', text, isRefused: true });
