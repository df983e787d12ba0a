import type {
  FunctionTool,
  ResponseCreateParamsStreaming,
  ResponseInputImage,
  ResponseInputItem,
  ResponseInputText,
} from 'openai/resources/responses/responses';
import type { Reasoning } from 'openai/resources/shared';
import type { ModelIdentity, ModelRequest } from '../../agent/ports/language-model.ts';
import type { AssistantMessage, Message, ToolMessage, UserMessage } from '../../agent/ports/messages.ts';
import { arrangeAnswer, stateItems, type TextPhase } from '../provider-state.ts';
import { formOf } from '../service/request-form.ts';
import type { EffortLevel, ServiceRules } from '../service/service-rules.ts';
import { isSystemMessage } from '../system-messages.ts';
import { argumentsText, withUniqueCallIds } from '../tool-calls.ts';
import type { WireOptions } from '../wire-options.ts';
import { hasContent, type ReasoningItem, reasoningIn } from './events.ts';

export type ResponsesRequestOptions = Pick<WireOptions, 'maxTokens' | 'temperature' | 'reasoningEffort' | 'form'>;

/** The types of the SDK require an id of the reasoning; the API does not. */
type InputItem = ResponseInputItem | ReasoningItem | AnswerItem;
interface AnswerItem {
  readonly type: 'message';
  readonly role: 'assistant';
  readonly content: readonly [{ readonly type: 'output_text'; readonly text: string }];
  readonly phase?: TextPhase;
}
type RequestBody = Omit<ResponseCreateParamsStreaming, 'input' | 'stream'> & {
  readonly input: readonly InputItem[];
  readonly stream: boolean;
};

/** Models of OpenAI that do not reason; they refuse a request for encrypted reasoning. */
const WITHOUT_REASONING = /^(gpt-3|gpt-4|chatgpt-)/;

/** Models of OpenAI whose reasoning cannot be switched off. */
const ALWAYS_REASONING = /^(o\d|gpt-5(-|$))/;

/**
 * The body of a streaming request for a response. The server stores nothing: each request has the whole conversation,
 * with the encrypted reasoning of this model. Pure: a longer history gives a body that begins with the same items, but for
 * a message of the user that another one follows.
 */
export function responsesRequest(
  { system, messages, tools }: ModelRequest,
  identity: ModelIdentity,
  options: ResponsesRequestOptions,
): RequestBody {
  const { model } = identity;
  const { rules, maxTokens, effort } = formOf(options);
  const { temperature } = options;
  return {
    model,
    ...(system === '' ? {} : { instructions: system }),
    input: joinNeighbours(
      withUniqueCallIds(messages).flatMap((message) => inputItems(message, identity, rules)),
      rules,
    ),
    ...(tools.length === 0 ? {} : { tools: tools.map(toolParam) }),
    ...(rules.limitName === 'left out' ? {} : { max_output_tokens: maxTokens }),
    ...(temperature === undefined || !rules.sendsTemperature ? {} : { temperature }),
    ...(effort === undefined ? {} : { reasoning: reasoningParam(model, effort, rules) }),
    ...(WITHOUT_REASONING.test(model) || !rules.asksEncrypted
      ? {}
      : { include: ['reasoning.encrypted_content' as const] }),
    store: false,
    stream: rules.streams,
  };
}

/** A model that reasons also sends summaries, because it is silent otherwise. */
function reasoningParam(model: string, effort: EffortLevel, { asksSummaries }: ServiceRules): Reasoning {
  if (effort !== 'none') return { effort, ...(asksSummaries && { summary: 'auto' }) };
  return { effort: ALWAYS_REASONING.test(model) ? 'low' : 'none' };
}

/** Without `strict: false`, the server would require every parameter. */
function toolParam({ name, description, parameters }: ModelRequest['tools'][number]): FunctionTool {
  return { type: 'function', name, description, parameters: { ...parameters }, strict: false };
}

function inputItems(message: Message, identity: ModelIdentity, rules: ServiceRules): readonly InputItem[] {
  switch (message.role) {
    case 'user': {
      const role = isSystemMessage(message) ? 'system' : 'user';
      return [{ type: 'message', role, content: contentOf(message) }];
    }
    case 'assistant':
      return answerItems(message, identity, rules);
    case 'tool':
      return [resultItem(message)];
  }
}

/** The items, where messages of the user that follow each other are one. */
function joinNeighbours(items: readonly InputItem[], { neighbours }: ServiceRules): readonly InputItem[] {
  if (neighbours === 'kept') return items;
  const joined: InputItem[] = [];
  for (const item of items) {
    const last = joined.at(-1);
    if (!isUserItem(item) || last === undefined || !isUserItem(last)) joined.push(item);
    else joined[joined.length - 1] = { ...last, content: joinContents(last.content, item.content, neighbours) };
  }
  return joined;
}

function isUserItem(item: InputItem): item is UserItem {
  return item.type === 'message' && 'role' in item && item.role === 'user';
}

function joinContents(first: Content, second: Content, neighbours: ServiceRules['neighbours']): Content {
  const isText = neighbours === 'text' && typeof first === 'string' && typeof second === 'string';
  return isText ? `${first}\n\n${second}` : [...partsOf(first), ...partsOf(second)];
}

function partsOf(content: Content): Exclude<Content, string> {
  return typeof content === 'string' ? [{ type: 'input_text', text: content }] : content;
}

function answerItems(
  message: AssistantMessage,
  identity: ModelIdentity,
  { returnsSummaries }: ServiceRules,
): readonly InputItem[] {
  return arrangeAnswer<InputItem>(message, stateItems(message, identity), {
    // Some servers know an answer only by its type, and its text only as a part.
    text: (text, phase) =>
      text === ''
        ? []
        : [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }], ...(phase && { phase }) }],
    call: (call) => [{ type: 'function_call', call_id: call.id, name: call.name, arguments: argumentsText(call) }],
    item(item) {
      const reasoning = reasoningIn(item);
      return reasoning !== undefined && (returnsSummaries || hasContent(reasoning)) ? [reasoning] : [];
    },
  });
}

function resultItem(message: ToolMessage): ResponseInputItem {
  return { type: 'function_call_output', call_id: message.toolCallId, output: contentOf(message) };
}

type Content = string | (ResponseInputText | ResponseInputImage)[];

/** A message of the user or of the system. */
interface UserItem {
  readonly type: 'message';
  readonly role: 'user';
  readonly content: Content;
}

/** A text, with the pictures that belong to it. */
function contentOf({ content, images = [] }: UserMessage | ToolMessage): Content {
  if (images.length === 0) return content;
  const pictures = images.map(({ mediaType, data }) => {
    return { type: 'input_image', image_url: `data:${mediaType};base64,${data}`, detail: 'auto' } as const;
  });
  return [{ type: 'input_text' as const, text: content }, ...pictures];
}
