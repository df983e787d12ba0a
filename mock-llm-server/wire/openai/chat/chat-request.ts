import type { Conversation, ConversationMessage, OfferedTool } from '../../../conversation/conversation.ts';
import { jsonTool, lightBodyReader, limitsOf, type ReadBody } from '../../body.ts';
import { DEFAULT_MODEL } from '../../model-routes.ts';
import type { WireError } from '../../wire.ts';
import { joinedText, OPENAI_BODY_ERRORS, outputOf, readToolChoice, textParts } from '../shared.ts';
import type { Content } from '../shared-schema.ts';
import { CHAT_REQUEST } from './chat-schema.data.ts';
import type { ChatMessage, ChatSettings, ChatTool } from './chat-schema.ts';

const readBody = lightBodyReader(CHAT_REQUEST, OPENAI_BODY_ERRORS, async () => {
  const { readChatBody } = await import('./chat-schema.ts');
  return readChatBody;
});

/**
 * Reads a request body. Fields that the server does not need may hold anything. The model is that of the path, if it
 * names one.
 */
export async function readChatRequest(body: string, deployment?: string): Promise<ChatRequest | WireError> {
  return chatRequestOf(await readBody(body), deployment);
}

/** The request of a body as read. */
export function chatRequestOf(read: ReadBody<ChatSettings>, deployment: string | undefined) {
  if (read.type === 'error') return read;
  const { model, messages, tools, response_format: format, max_completion_tokens: maxTokens, stop } = read.data;
  return {
    conversation: {
      protocol: 'openai-chat',
      model: deployment ?? (model || DEFAULT_MODEL),
      system: messages.flatMap(systemTextsOf),
      ...asidesOf(messages),
      messages: messages.flatMap((message, index) => readMessage(message, index, messages) ?? []),
      tools: (tools ?? []).flatMap(readTool),
      ...outputOf(format?.type, format?.json_schema ?? {}),
    } satisfies Conversation,
    limits:
      typeof maxTokens === 'number'
        ? limitsOf('max_completion_tokens', maxTokens, 'stop', stop)
        : limitsOf('max_tokens', read.data.max_tokens, 'stop', stop),
    toolChoice: readToolChoice(read.data.tool_choice),
    body: read.data,
    json: read.json,
  };
}

export type ChatRequest = Exclude<ReturnType<typeof chatRequestOf>, WireError>;

function readTool({ function: json, custom }: ChatTool): OfferedTool[] {
  if (custom !== undefined) return [{ name: custom.name, description: custom.description ?? '', input: 'text' }];
  return json === undefined ? [] : [jsonTool(json)];
}

function systemTextsOf(message: ChatMessage): string[] {
  if (message.role !== 'system' && message.role !== 'developer') return [];
  return textParts(message.content).map(({ text }) => text);
}

/** The system texts after the first answer. */
function asidesOf(messages: readonly ChatMessage[]): Pick<Conversation, 'asides'> {
  const first = messages.findIndex(({ role }) => role === 'assistant');
  if (first === -1) return {};
  const asides = messages.flatMap((message, index) =>
    index < first ? [] : systemTextsOf(message).map((text) => ({ index, text })),
  );
  return asides.length === 0 ? {} : { asides };
}

/** A call and its result in the older form, which has no ids: the result follows its call and has its name. */
function isLegacyPair(call: ChatMessage | undefined, result: ChatMessage | undefined): boolean {
  return call?.role === 'assistant' && result?.role === 'function' && call.function_call?.name === result.name;
}

function legacyId(index: number): string {
  return `messages[${index}].function_call`;
}

function readMessage(
  message: ChatMessage,
  index: number,
  messages: readonly ChatMessage[],
): ConversationMessage | undefined {
  switch (message.role) {
    case 'system':
    case 'developer':
      return undefined;
    case 'user':
      return { role: 'user', index, parts: textParts(message.content) };
    case 'tool':
      return { role: 'user', index, parts: [toolResult(message.tool_call_id, message.content)] };
    case 'function':
      if (!isLegacyPair(messages[index - 1], message)) return undefined;
      return { role: 'user', index, parts: [toolResult(legacyId(index - 1), message.content)] };
    case 'assistant': {
      const { function_call: legacy } = message;
      const calls = (message.tool_calls ?? []).map((call) => ({
        type: 'tool_call' as const,
        id: call.id,
        name: call.function?.name ?? call.custom?.name ?? '',
        arguments: call.function?.arguments ?? call.custom?.input ?? '{}',
        ...(call.custom !== undefined && { input: 'text' as const }),
      }));
      if (legacy && isLegacyPair(message, messages[index + 1])) {
        calls.push({ type: 'tool_call', id: legacyId(index), ...legacy });
      }
      return { role: 'assistant', index, parts: [...textParts(message.content), ...calls] };
    }
    default:
      return message satisfies never;
  }
}

function toolResult(callId: string, content: Content | null | undefined) {
  return { type: 'tool_result' as const, callId, content: joinedText(content) };
}
