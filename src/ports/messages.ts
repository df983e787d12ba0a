/** A prompt of the user, or the output of a `!command` that the user ran. */
export interface UserMessage {
  readonly role: 'user';
  readonly content: string;
}

/**
 * One request of the model to use a tool. `arguments` is the text exactly as the model sent it, so that a replayed
 * history has the same bytes; it need not be valid JSON.
 */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** One answer of the model. `partial` marks an answer that an abort or a broken stream cut; it has no calls. */
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: string;
  readonly toolCalls: readonly ToolCall[];
  readonly reasoning?: string;
  readonly partial?: true;
}

/** The result of one tool call, paired with it by `toolCallId`. */
export interface ToolMessage {
  readonly role: 'tool';
  readonly toolCallId: string;
  readonly content: string;
  readonly isError: boolean;
}

/** One entry of the conversation. The system prompt is not part of it; see `ModelRequest.system`. */
export type Message = UserMessage | AssistantMessage | ToolMessage;
