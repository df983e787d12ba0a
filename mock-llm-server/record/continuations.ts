import type { Conversation, ConversationMessage } from '../conversation/conversation.ts';
import { isJsonObject } from '../conversation/json.ts';
import type { DecodedAnswer } from './decode/decoded-answer.ts';

/** Finds the conversation that a request goes on from by the id of an answer, and remembers each answer for that. */
export interface Continuations {
  add(conversation: Conversation, answer: DecodedAnswer | undefined): void;
  /**
   * The messages before those of a request with the body `json`, and the body without the reference to them; undefined
   * if it has none.
   */
  resolve(json: unknown): { readonly before: readonly ConversationMessage[]; readonly body: object | undefined };
}

/** Most services keep answers for 30 days; a recording keeps the last ones. */
const MAX_ANSWERS = 1000;

/** Creates an empty memory of answers. */
export function createContinuations(): Continuations {
  const answers = new Map<string, readonly ConversationMessage[]>();
  return {
    add({ messages }, answer) {
      if (answer?.id === undefined) return;
      const { content, toolCalls } = answer;
      const parts = [
        ...(content === undefined ? [] : [{ type: 'text' as const, text: content }]),
        ...toolCalls.map(({ id = '', name, input, arguments: text }) => {
          return { type: 'tool_call' as const, id, name, arguments: text, ...(input === 'text' && { input }) };
        }),
      ];
      answers.set(answer.id, [...messages, { role: 'assistant', index: messages.length, parts }]);
      const [oldest] = answers.keys();
      if (answers.size > MAX_ANSWERS && oldest !== undefined) answers.delete(oldest);
    },
    resolve(json) {
      if (!isJsonObject(json)) return { before: [], body: undefined };
      // OpenAI's Responses, and the threads of Anthropic's messages.
      const { previous_response_id: previous, thread, ...body } = json;
      const threadId = isJsonObject(thread) ? thread['previous_message_id'] : undefined;
      if (previous === undefined && thread === undefined) return { before: [], body: undefined };
      const id = typeof previous === 'string' ? previous : threadId;
      return { before: (typeof id === 'string' ? answers.get(id) : undefined) ?? [], body };
    },
  };
}
