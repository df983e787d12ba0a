import type {
  FunctionTool,
  ResponseCreateParamsStreaming,
  ResponseInputItem,
} from 'openai/resources/responses/responses';
import type { Reasoning } from 'openai/resources/shared';
import type { ModelIdentity, ModelRequest, ReasoningEffort } from '../../agent/ports/language-model.ts';
import type { AssistantMessage, Message, ToolMessage, UserMessage } from '../../agent/ports/messages.ts';
import { arrangeAnswer, stateItems } from '../provider-state.ts';
import { isSystemMessage } from '../system-messages.ts';
import { argumentsText, withUniqueCallIds } from '../tool-calls.ts';
import type { WireOptions } from '../wire-options.ts';
import { type ReasoningItem, reasoningIn } from './events.ts';

/** The options that a request depends on. */
export type ResponsesRequestOptions = Pick<WireOptions, 'maxTokens' | 'temperature' | 'reasoningEffort'>;

/** The types of the SDK require an id of the reasoning; the API does not. */
type InputItem = ResponseInputItem | ReasoningItem;
type RequestBody = Omit<ResponseCreateParamsStreaming, 'input'> & { readonly input: readonly InputItem[] };

/** Models of OpenAI that do not reason; they refuse a request for encrypted reasoning. */
const WITHOUT_REASONING = /^(gpt-3|gpt-4|chatgpt-)/;

/** Models of OpenAI whose reasoning cannot be switched off. */
const ALWAYS_REASONING = /^(o\d|gpt-5(-|$))/;

/**
 * The body of a streaming request for a response. The server stores nothing: each request has the whole conversation,
 * with the encrypted reasoning of this model. Pure: a longer history gives a body that begins with the same items.
 */
export function responsesRequest(
  { system, messages, tools }: ModelRequest,
  identity: ModelIdentity,
  { maxTokens, temperature, reasoningEffort }: ResponsesRequestOptions,
): RequestBody {
  const { model } = identity;
  return {
    model,
    ...(system === '' ? {} : { instructions: system }),
    input: withUniqueCallIds(messages).flatMap((message) => inputItems(message, identity)),
    ...(tools.length === 0 ? {} : { tools: tools.map(toolParam) }),
    max_output_tokens: maxTokens,
    ...(temperature === undefined ? {} : { temperature }),
    ...(reasoningEffort === undefined ? {} : { reasoning: reasoningParam(model, reasoningEffort) }),
    ...(WITHOUT_REASONING.test(model) ? {} : { include: ['reasoning.encrypted_content' as const] }),
    store: false,
    stream: true,
  };
}

/** A model that reasons also sends summaries, because it is silent otherwise. */
function reasoningParam(model: string, effort: ReasoningEffort): Reasoning {
  if (effort !== 'none') return { effort, summary: 'auto' };
  return { effort: ALWAYS_REASONING.test(model) ? 'low' : 'none' };
}

/** Without `strict: false`, the server would require every parameter. */
function toolParam({ name, description, parameters }: ModelRequest['tools'][number]): FunctionTool {
  return { type: 'function', name, description, parameters: { ...parameters }, strict: false };
}

function inputItems(message: Message, identity: ModelIdentity): readonly InputItem[] {
  switch (message.role) {
    case 'user':
      return [{ role: isSystemMessage(message) ? 'system' : 'user', content: contentOf(message) }];
    case 'assistant':
      return answerItems(message, identity);
    case 'tool':
      return [resultItem(message)];
  }
}

function answerItems(message: AssistantMessage, identity: ModelIdentity): readonly InputItem[] {
  return arrangeAnswer<InputItem>(message, stateItems(message, identity), {
    text: (text, phase) => (text === '' ? [] : [{ role: 'assistant', content: text, ...(phase && { phase }) }]),
    call: (call) => [{ type: 'function_call', call_id: call.id, name: call.name, arguments: argumentsText(call) }],
    item(item) {
      const reasoning = reasoningIn(item);
      return reasoning === undefined ? [] : [reasoning];
    },
  });
}

function resultItem(message: ToolMessage): ResponseInputItem {
  return { type: 'function_call_output', call_id: message.toolCallId, output: contentOf(message) };
}

/** A text, with the pictures that belong to it. */
function contentOf({ content, images = [] }: UserMessage | ToolMessage) {
  if (images.length === 0) return content;
  const pictures = images.map(({ mediaType, data }) => {
    return { type: 'input_image', image_url: `data:${mediaType};base64,${data}`, detail: 'auto' } as const;
  });
  return [{ type: 'input_text' as const, text: content }, ...pictures];
}
