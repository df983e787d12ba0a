import { withSeparators } from '../../text/quantities.ts';
import type { AgentEvent } from '../ports/events.ts';
import type { UserMessage } from '../ports/messages.ts';

type Warning = Extract<AgentEvent, { type: 'warning' }>;

/** Message to the model that stands for messages which were left out without a summary. */
export const REMOVED_MESSAGES: UserMessage = {
  role: 'user',
  content: '[Earlier messages were left out here, because the conversation no longer fits into the context window.]',
  summary: true,
};

/** Message to the model that stands for the messages which `summary` describes. */
export function summaryMessage(summary: string): UserMessage {
  const content = `[Summary of the earlier messages, which no longer fit into the context window]\n${summary}`;
  return { role: 'user', content, summary: true };
}

/** Content of an old tool result whose text was left out; `path` is the file that has it. */
export function removedOutput(length: number, path: string | undefined): string {
  return path === undefined
    ? `[Output of ${length} characters, left out to save space. Repeat the call if you need it.]`
    : `[Output of ${length} characters, moved to ${path} to save space.]`;
}

/** Content of the message of a file that the user named, after its text was left out. */
export function removedFile(path: string, length: number): string {
  return `@file:${path}\n[${length} characters, left out to save space. Read the file if you need it.]`;
}

/** Warning about a small context window. */
export function smallWindow(model: string, tokens: number): Warning {
  const message = `${model} has a context window of only ${withSeparators(tokens)} tokens. Long tasks need 16,000 or more; see context.max_tokens.`;
  return { type: 'warning', code: 'small_window', message };
}

/** Warning that a summary could not be used; `reason` is a sentence. */
export function noSummary(model: string, reason: string): Warning {
  return { type: 'warning', code: 'no_summary', message: `${model} did not summarize the conversation: ${reason}` };
}
