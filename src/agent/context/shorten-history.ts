import { estimateTokens, truncateToTokens } from '../../text/tokens.ts';
import type { Message, UserMessage } from '../ports/messages.ts';
import { sizeOf, sizeOfAll } from './request-size.ts';
import { REMOVED_MESSAGES } from './texts.ts';

/** The part of a history that a shortened one omits, and the rest. */
export interface SplitHistory {
  readonly kept: readonly Message[];
  readonly dropped: readonly Message[];
}

/** The maximum fraction of the room that a shortened history fills, so that it is not shortened again at once. */
export const FILLED = 0.6;

/** Smallest limit for one text, in tokens. */
const MIN_PIECE = 16;

/**
 * Splits a valid history: keeps the first and the last prompt of the user, and the last messages up to `tail` tokens, at
 * least one. An answer is never separated from the results of its calls.
 */
export function splitHistory(messages: readonly Message[], tail: number, keepSummary = false): SplitHistory {
  const prompts = promptsOf(messages);
  const summary = keepSummary ? messages.findLast(isSummary) : undefined;
  const essential = new Set([prompts[0], prompts.at(-1), summary]);
  const start = startOfTail(messages, tail);
  const isKept = (message: Message, index: number): boolean => index >= start || essential.has(message);
  return { kept: messages.filter(isKept), dropped: messages.filter((message, index) => !isKept(message, index)) };
}

/** The prompts of the user. */
function promptsOf(messages: readonly Message[]): readonly Message[] {
  return messages.filter((message) => message.role === 'user' && !isSummary(message) && message.reminder !== true);
}

/** True for a message that ybs has written for the model, apart from the content of a file. A summary needs none. */
export function isReminder(message: Message): boolean {
  return message.role === 'user' && message.reminder === true && message.file === undefined;
}

/** True for a message that stands for earlier ones. */
export function isSummary(message: Message): boolean {
  return message.role === 'user' && message.summary === true;
}

/** Index of the first of the last messages that have at most `tail` tokens. */
export function startOfTail(messages: readonly Message[], tail: number): number {
  let start = messages.length;
  let size = 0;
  for (const [index, message] of [...messages.entries()].reverse()) {
    size += sizeOf(message);
    if (size > tail && start < messages.length) break;
    if (message.role !== 'tool') start = index;
  }
  return start;
}

/** Inserts the message that stands for the dropped ones, after the first prompt. */
export function insertSummary(kept: readonly Message[], summary: UserMessage): readonly Message[] {
  const [first, ...rest] = kept;
  return first?.role === 'user' ? [first, summary, ...rest] : [summary, ...kept];
}

/**
 * Shortens a valid history to `room` tokens without a model. Keeps the first prompt, a summary, the last prompt and the
 * last whole turns; if these are too large, truncates their texts in the middle, the first prompt last of all. A history
 * that fits does not change.
 */
export function fitHistory(messages: readonly Message[], room: number): readonly Message[] {
  if (sizeOfAll(messages) <= room) return messages;
  const last = sizeOfAll(messages.slice(startOfTail(messages, 0)));
  const others = sizeOfAll(splitHistory(messages, 0, true).kept) - last;
  const { kept, dropped } = splitHistory(messages, room * FILLED - others, true);
  const isMarked = dropped.length === 0 || kept.some(isSummary);
  return truncateMessages(isMarked ? kept : insertSummary(kept, REMOVED_MESSAGES), room);
}

/**
 * Truncates the longest texts until the messages fit, that of the first prompt only if nothing else helps. If the calls
 * alone are too large, only the first and the last prompt stay.
 */
export function truncateMessages(messages: readonly Message[], room: number): readonly Message[] {
  const [first] = promptsOf(messages);
  for (const spared of [first, undefined]) {
    for (let limit = room; limit >= MIN_PIECE; limit /= 2) {
      const shorter = messages.map((message) => (message === spared ? message : truncateMessage(message, limit)));
      if (sizeOfAll(shorter) <= room) return shorter;
    }
  }
  const prompts = promptsOf(messages);
  const ends = prompts.filter((_prompt, index) => index === 0 || index === prompts.length - 1);
  return insertSummary(
    ends.map((prompt) => truncateMessage(prompt, room / 3)),
    REMOVED_MESSAGES,
  );
}

/** The message with no text of more than `limit` tokens. Arguments are replaced, because they must stay valid JSON. */
function truncateMessage(message: Message, limit: number): Message {
  if (sizeOf(message) <= limit) return message;
  const content = truncateToTokens(message.content, limit);
  if (message.role === 'user') {
    const { images: _images, ...rest } = message;
    return { ...rest, content };
  }
  if (message.role === 'tool')
    return { role: 'tool', toolCallId: message.toolCallId, content, isError: message.isError };
  const toolCalls = message.toolCalls.map((call) => {
    if (estimateTokens(call.arguments) <= limit) return call;
    return { ...call, arguments: JSON.stringify({ omitted: `${call.arguments.length} characters` }) };
  });
  return { role: 'assistant', content, toolCalls };
}
