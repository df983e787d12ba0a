import type {
  ChatCompletionContentPart,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
  ChatCompletionTool,
} from 'openai/resources/chat/completions';
import type { ModelRequest } from '../../agent/ports/language-model.ts';
import type { AssistantMessage, ImageContent, Message, UserMessage } from '../../agent/ports/messages.ts';
import { isSystemMessage } from '../system-messages.ts';
import { argumentsText } from '../tool-calls.ts';
import type { WireOptions } from '../wire-options.ts';

/** The options that a request depends on. */
export type RequestSettings = Pick<
  WireOptions,
  'model' | 'maxTokens' | 'maxTokensName' | 'temperature' | 'reasoningEffort'
>;

/**
 * The body of a streaming chat completion. Pure: a longer history gives a body that begins with the same messages.
 * The wire has no field for reasoning, which is not sent back, nor for the error flag of a tool result, whose text
 * states it.
 */
export function openAiRequest(request: ModelRequest, settings: RequestSettings): ChatCompletionCreateParamsStreaming {
  const { model, maxTokens, maxTokensName = 'max_tokens', temperature, reasoningEffort } = settings;
  return {
    model,
    messages: [{ role: 'system', content: request.system }, ...messageParams(request.messages)],
    ...(request.tools.length === 0 ? {} : { tools: request.tools.map(toolParam) }),
    [maxTokensName]: maxTokens,
    ...(temperature === undefined ? {} : { temperature }),
    ...(reasoningEffort === undefined ? {} : { reasoning_effort: reasoningEffort }),
    stream: true,
    stream_options: { include_usage: true },
  };
}

function toolParam({ name, description, parameters }: ModelRequest['tools'][number]): ChatCompletionTool {
  return { type: 'function', function: { name, description, parameters: { ...parameters } } };
}

/** A tool message has only text, so a user message with the pictures of an answer's results follows them. */
function messageParams(messages: readonly Message[]): readonly ChatCompletionMessageParam[] {
  const params: ChatCompletionMessageParam[] = [];
  let pictures: ImageContent[] = [];
  for (const [index, message] of messages.entries()) {
    params.push(messageParam(message));
    if (message.role === 'tool') pictures.push(...(message.images ?? []));
    if (pictures.length === 0 || messages[index + 1]?.role === 'tool') continue;
    params.push({ role: 'user', content: [{ type: 'text', text: PICTURES_NOTE }, ...pictures.map(picturePart)] });
    pictures = [];
  }
  return params;
}

const PICTURES_NOTE = 'The pictures of the tool results above, in their order:';

function picturePart({ mediaType, data }: ImageContent): ChatCompletionContentPart {
  return { type: 'image_url', image_url: { url: `data:${mediaType};base64,${data}` } };
}

function userContent({ content, images = [] }: UserMessage): string | ChatCompletionContentPart[] {
  return images.length === 0 ? content : [{ type: 'text', text: content }, ...images.map(picturePart)];
}

function messageParam(message: Message): ChatCompletionMessageParam {
  switch (message.role) {
    case 'user':
      if (isSystemMessage(message)) return { role: 'system', content: message.content };
      return { role: 'user', content: userContent(message) };
    case 'assistant':
      return assistantParam(message);
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  }
}

/** Servers reject an empty list of calls, and calls whose arguments are not a JSON object. */
function assistantParam({ content, toolCalls }: AssistantMessage): ChatCompletionMessageParam {
  if (toolCalls.length === 0) return { role: 'assistant', content };
  return {
    role: 'assistant',
    content: content === '' ? null : content,
    tool_calls: toolCalls.map((call) => ({
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: argumentsText(call) },
    })),
  };
}
