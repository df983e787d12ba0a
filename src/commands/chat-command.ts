import type { Agent } from '../app/session.ts';
import type { ModelSwitch } from './model/model-switch.ts';

/**
 * The result of a chat command: a text to show, perhaps with a diff before it and with a `line` for the user to change and
 * send, a compaction of the conversation, or the end of the chat.
 */
export type CommandResult =
  | { readonly type: 'text'; readonly text: string; readonly diff?: string; readonly line?: string }
  | { readonly type: 'compact' }
  | { readonly type: 'leave' };

/** Ports of a command besides the agent. */
export interface CommandContext {
  readonly models: Pick<ModelSwitch, 'use'>;
  /** Aborts when the user stops the command. */
  readonly signal: AbortSignal;
}

/** One command of the chat. `run` gets a function that waits for the agent, because most commands do not need it. */
export interface ChatCommand {
  readonly name: string;
  /** Form of the argument in the help: `<name>`, or `[name]` if it may be missing. Absent: there is none. */
  readonly argument?: string;
  readonly description: string;
  run(agent: () => Promise<Agent>, argument: string, context: CommandContext): Promise<CommandResult>;
}
