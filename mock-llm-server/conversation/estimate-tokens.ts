import type { Conversation, ConversationMessage, Reply, ToolCallPart } from './conversation.ts';

/** Bytes of text that count as one token. */
export const BYTES_PER_TOKEN = 4;
/** Overhead of each message and each tool. */
const TOKENS_PER_ITEM = 4;

/** Estimated tokens of a text: one per four bytes. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/** Estimated tokens of an answer: its texts, and the names and arguments of its calls. */
export function countOutputTokens(reply: Pick<Reply, 'reasoning' | 'content' | 'toolCalls'>): number {
  return Math.ceil(outputBytes(reply) / BYTES_PER_TOKEN);
}

/** Bytes of an answer, as `countOutputTokens` counts them. */
export function outputBytes({
  reasoning = '',
  content = '',
  toolCalls,
}: Pick<Reply, 'reasoning' | 'content'> & {
  readonly toolCalls: readonly Pick<ToolCallPart, 'name' | 'arguments'>[];
}): number {
  let bytes = Buffer.byteLength(reasoning) + Buffer.byteLength(content);
  for (const call of toolCalls) bytes += Buffer.byteLength(call.name) + Buffer.byteLength(call.arguments);
  return bytes;
}

/** Estimated tokens of a request: its texts, and an overhead for each message and tool. */
export function countTokens({ system, messages, tools }: Conversation): number {
  let bytes = 0;
  for (const text of system) bytes += Buffer.byteLength(text);
  for (const message of messages) bytes += bytesOf(message);
  for (const { name, description = '', parameters } of tools) {
    bytes += Buffer.byteLength(name) + Buffer.byteLength(description);
    if (parameters !== undefined) bytes += Buffer.byteLength(JSON.stringify(parameters));
  }
  return Math.ceil(bytes / BYTES_PER_TOKEN) + TOKENS_PER_ITEM * (messages.length + tools.length);
}

function bytesOf({ parts }: ConversationMessage): number {
  let bytes = 0;
  for (const part of parts) {
    if (part.type === 'text') bytes += Buffer.byteLength(part.text);
    else if (part.type === 'tool_result') bytes += Buffer.byteLength(part.content);
    else bytes += Buffer.byteLength(part.name) + Buffer.byteLength(part.arguments);
  }
  return bytes;
}
