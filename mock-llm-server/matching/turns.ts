import type { ConversationMessage, TextPart, ToolCallPart, ToolResultPart } from '../conversation/conversation.ts';
import { isAgentNote } from './agent-texts.ts';
import { readTextResults, type TextSource } from './text-results.ts';

/**
 * A message in the form that matching uses. Adjacent assistant messages are merged. Empty messages are dropped, but a
 * picture alone, at the start or after an answer, is an empty text of the user, and so is a request without any text,
 * such as one for a stored prompt. Results in texts are tool results. `index` is the position of the (first) message.
 */
export type Turn =
  | { readonly type: 'user_texts'; readonly index: number; readonly texts: readonly string[] }
  | {
      readonly type: 'tool_results';
      readonly index: number;
      readonly results: readonly ToolResultPart[];
      /** Texts beside the results, which never start a scenario. */
      readonly beside: readonly string[];
    }
  | { readonly type: 'assistant'; readonly index: number; readonly calls: readonly ToolCallPart[] };

/** The turns of a conversation, in order. */
export function readTurns(source: TextSource): Turn[] {
  return turnsOf(readTextResults(source));
}

/** The turns of messages from `readTextResults`, in order. */
export function turnsOf(messages: readonly ConversationMessage[]): Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const previous = turns.at(-1);
    const turn = message.role === 'user' ? readUserMessage(message, previous) : readAssistantMessage(message);
    if (turn === undefined) continue;
    if (turn.type === 'assistant' && previous?.type === 'assistant') {
      turns[turns.length - 1] = { ...previous, calls: [...previous.calls, ...turn.calls] };
    } else {
      turns.push(turn);
    }
  }
  return turns.length > 0 ? turns : [{ type: 'user_texts', index: 0, texts: [''] }];
}

/** The turns since the last prompt right after an assistant turn, or all turns if there is none. */
export function currentRun(turns: readonly Turn[]): readonly Turn[] {
  const start = turns.findLastIndex(
    (turn, position) =>
      turn.type === 'user_texts' && turns[position - 1]?.type === 'assistant' && !turn.texts.every(isAgentNote),
  );
  return turns.slice(Math.max(start, 0));
}

/** The texts of the user in these turns, in order. */
export function userTextsOf(turns: readonly Turn[]): string[] {
  return turns.flatMap((turn) => (turn.type === 'user_texts' ? turn.texts : []));
}

/** The tool results of these turns, in order. */
export function toolResultsOf(turns: readonly Turn[]): ToolResultPart[] {
  return turns.flatMap((turn) => (turn.type === 'tool_results' ? turn.results : []));
}

function readUserMessage(
  message: Extract<ConversationMessage, { role: 'user' }>,
  previous: Turn | undefined,
): Turn | undefined {
  const { index } = message;
  const results = message.parts.filter((part) => part.type === 'tool_result');
  const texts = readTexts(message.parts);
  if (results.length > 0) return { type: 'tool_results', index, results, beside: texts };
  if (texts.length > 0) return { type: 'user_texts', index, texts };
  const isPrompt = previous === undefined || (previous.type === 'assistant' && previous.calls.length === 0);
  return isPrompt && message.parts.length === 0 ? { type: 'user_texts', index, texts: [''] } : undefined;
}

function readAssistantMessage(message: Extract<ConversationMessage, { role: 'assistant' }>): Turn | undefined {
  const calls = message.parts.filter((part) => part.type === 'tool_call');
  if (calls.length === 0 && readTexts(message.parts).length === 0) return undefined;
  return { type: 'assistant', index: message.index, calls };
}

function readTexts(parts: readonly (TextPart | ToolCallPart | ToolResultPart)[]): string[] {
  return parts.flatMap((part) => (part.type === 'text' && part.text.trim() !== '' ? [part.text] : []));
}
