import type { JsonObject } from '../../agent/ports/json.ts';
import type { ModelRequest } from '../../agent/ports/language-model.ts';
import type { AssistantMessage, ImageContent, Message, ToolMessage, UserMessage } from '../../agent/ports/messages.ts';
import { formOf } from '../service/request-form.ts';
import type { EffortLevel } from '../service/service-rules.ts';
import { isSystemMessage } from '../system-messages.ts';
import { argumentsObject } from '../tool-calls.ts';
import type { WireOptions } from '../wire-options.ts';

export type OllamaRequestOptions = Pick<
  WireOptions,
  'model' | 'maxTokens' | 'temperature' | 'reasoningEffort' | 'form'
>;

/** Facts about the model that a request depends on. They are the same for all requests of a session. */
export interface ModelTraits {
  /** The context window to load the model with, in tokens. Another value than that of the last request reloads it. */
  readonly numCtx: number;
  /** The values that the model takes for its thinking: none, on and off, or levels. */
  readonly thinking: 'none' | 'switch' | 'levels';
  readonly seesImages: boolean;
}

/**
 * The body of a streaming request to `/api/chat`. Pure: a longer history gives a body that begins with the same
 * messages. A conversation that is too long for the window is refused instead of losing its start.
 */
export function ollamaRequest(request: ModelRequest, options: OllamaRequestOptions, traits: ModelTraits): JsonObject {
  const { model, temperature } = options;
  const { rules, maxTokens, effort } = formOf(options);
  return {
    model,
    messages: [
      ...(rules.instructions === 'user' ? [] : [{ role: 'system', content: request.system }]),
      ...messageParams(request.messages, traits),
    ],
    ...(request.tools.length === 0 ? {} : { tools: request.tools.map(toolParam) }),
    ...thinkParam(effort, traits),
    truncate: false,
    shift: false,
    stream: rules.streams,
    options: {
      num_ctx: traits.numCtx,
      num_predict: maxTokens,
      ...(temperature === undefined || !rules.sendsTemperature ? {} : { temperature }),
    },
  };
}

/** Without an effort, the server decides. A model with levels cannot turn its thinking off. */
function thinkParam(effort: EffortLevel | undefined, { thinking }: ModelTraits): JsonObject {
  if (effort === undefined || thinking === 'none') return {};
  if (thinking === 'switch') return { think: effort !== 'none' };
  return { think: effort === 'none' ? 'low' : effort };
}

function toolParam({ name, description, parameters }: ModelRequest['tools'][number]): JsonObject {
  return { type: 'function', function: { name, description, parameters } };
}

function messageParams(messages: readonly Message[], traits: ModelTraits): readonly JsonObject[] {
  /** The tools of the calls, by id. */
  const names = new Map<string, string>();
  const messageParam = (message: Message): JsonObject => {
    switch (message.role) {
      case 'user':
        return { role: isSystemMessage(message) ? 'system' : 'user', ...contentOf(message, traits) };
      case 'assistant':
        for (const { id, name } of message.toolCalls) names.set(id, name);
        return assistantParam(message);
      case 'tool':
        return resultParam(message, names.get(message.toolCallId), traits);
    }
  };
  return messages.map(messageParam);
}

function assistantParam({ content, reasoning, toolCalls, providerState }: AssistantMessage): JsonObject {
  return {
    role: 'assistant',
    content,
    // A model on another wire has left its state, and its reasoning belongs to it alone.
    ...(reasoning === undefined || providerState !== undefined ? {} : { thinking: reasoning }),
    ...(toolCalls.length === 0
      ? {}
      : {
          tool_calls: toolCalls.map((call, index) => ({
            id: call.id,
            function: { index, name: call.name, arguments: argumentsObject(call) },
          })),
        }),
  };
}

/** The wire has no field for the error flag of a result, whose text states it. */
function resultParam(message: ToolMessage, name: string | undefined, traits: ModelTraits): JsonObject {
  const { content, ...pictures } = contentOf(message, traits);
  return {
    role: 'tool',
    content,
    ...(name === undefined ? {} : { tool_name: name }),
    tool_call_id: message.toolCallId,
    ...pictures,
  };
}

/** A text with the pictures that belong to it, or with placeholders for them. */
function contentOf({ content, images = [] }: UserMessage | ToolMessage, { seesImages }: ModelTraits) {
  if (!seesImages) return { content: [content, ...images.map(placeholder)].join('\n') };
  return images.length === 0 ? { content } : { content, images: images.map(({ data }) => data) };
}

function placeholder({ mediaType }: ImageContent): string {
  return `[${mediaType}: this model cannot see images]`;
}
