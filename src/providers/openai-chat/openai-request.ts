import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
  ChatCompletionTool,
} from 'openai/resources/chat/completions';
import type { ModelRequest } from '../../ports/language-model.ts';
import type { AssistantMessage, Message } from '../../ports/messages.ts';

/** What stays the same in all requests to one model. */
export interface RequestSettings {
  readonly model: string;
  readonly maxTokens: number;
  /** The name under which the server takes the limit of the answer. */
  readonly maxTokensName: 'max_tokens' | 'max_completion_tokens';
  readonly temperature?: number | undefined;
}

/**
 * The body of a streaming chat completion. Pure: a longer history gives a body that begins with the same messages.
 * Reasoning is not sent back, and whether a tool result is an error is said in its text, as the wire has no place for it.
 */
export function openAiRequest(request: ModelRequest, settings: RequestSettings): ChatCompletionCreateParamsStreaming {
  const { model, maxTokens, maxTokensName, temperature } = settings;
  return {
    model,
    messages: [{ role: 'system', content: request.system }, ...request.messages.map(messageParam)],
    ...(request.tools.length === 0 ? {} : { tools: request.tools.map(toolParam) }),
    [maxTokensName]: maxTokens,
    ...(temperature === undefined ? {} : { temperature }),
    stream: true,
    stream_options: { include_usage: true },
  };
}

function toolParam({ name, description, parameters }: ModelRequest['tools'][number]): ChatCompletionTool {
  return { type: 'function', function: { name, description, parameters: { ...parameters } } };
}

function messageParam(message: Message): ChatCompletionMessageParam {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: message.content };
    case 'assistant':
      return assistantParam(message);
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  }
}

/** Servers refuse an empty list of calls, and a history in which the arguments of a call are no JSON object. */
function assistantParam({ content, toolCalls }: AssistantMessage): ChatCompletionMessageParam {
  if (toolCalls.length === 0) return { role: 'assistant', content };
  return {
    role: 'assistant',
    content: content === '' ? null : content,
    tool_calls: toolCalls.map(({ id, name, arguments: text }) => ({
      id,
      type: 'function',
      function: { name, arguments: isJsonObject(text) ? text : '{}' },
    })),
  };
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
