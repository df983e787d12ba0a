import type { JsonValue } from './json.ts';

/** A prompt of the user, or the output of a `!command` that the user ran. */
export interface UserMessage {
  readonly role: 'user';
  readonly content: string;
  /** Pictures that belong to the prompt. A wire without pictures sends a placeholder. */
  readonly images?: readonly ImageContent[];
  /** Written at a compaction, not by the user: it stands for earlier messages. */
  readonly summary?: true;
  /** Written by ybs for the model, which the user does not see. */
  readonly reminder?: true;
  /**
   * A reminder that holds the content of the file that the user named by this path, ahead of the prompt. A wire with
   * system messages inside the conversation sends it as one.
   */
  readonly file?: string;
  /** Sent by the user during a run, and a part of that run: it does not begin one. */
  readonly steered?: true;
}

/**
 * One request of the model to use a tool. `arguments` is the text exactly as the model sent it, so that a replayed
 * history has the same bytes; it need not be valid JSON.
 */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  /** Reason, found by the wire, for which the call cannot be executed. The text is for the model. */
  readonly problem?: string;
}

/** One answer of the model. `partial` marks an answer that an abort or a broken stream cut; it has no calls. */
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: string;
  readonly toolCalls: readonly ToolCall[];
  readonly reasoning?: string;
  readonly partial?: true;
  readonly providerState?: ProviderState;
}

/** A file that the user named in a prompt: its content under a header, or a picture. */
export interface AttachedFile extends Required<Pick<UserMessage, 'file'>>, Pick<UserMessage, 'images'> {
  readonly text: string;
}

/** A picture for the model. */
export interface ImageContent {
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  /** The bytes of the file, in Base64. */
  readonly data: string;
}

/**
 * Parts of an answer that its provider wants back unchanged, such as signed thinking or encrypted reasoning. Only the
 * wire that made them can read them.
 */
export interface ProviderState {
  /** The model that made the items: provider, wire and model. They are sent back to that model only. */
  readonly model: string;
  readonly items: readonly JsonValue[];
}

/** The result of one tool call, paired with it by `toolCallId`. */
export interface ToolMessage {
  readonly role: 'tool';
  readonly toolCallId: string;
  readonly content: string;
  readonly isError: boolean;
  /** Pictures that belong to the content. A wire without pictures sends a placeholder. */
  readonly images?: readonly ImageContent[];
}

/** One entry of the conversation. The system prompt is not part of it; see `ModelRequest.system`. */
export type Message = UserMessage | AssistantMessage | ToolMessage;
