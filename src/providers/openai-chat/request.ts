import type {
  ChatCompletionContentPart,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionMessageParam,
  ChatCompletionTool,
  ChatCompletionUserMessageParam,
} from 'openai/resources/chat/completions';
import type { JsonObject } from '../../agent/ports/json.ts';
import type { ModelIdentity, ModelRequest } from '../../agent/ports/language-model.ts';
import type { AssistantMessage, ImageContent, Message, ToolCall, UserMessage } from '../../agent/ports/messages.ts';
import { FOREIGN_SIGNATURE, stateItems } from '../provider-state.ts';
import { formOf } from '../service/request-form.ts';
import { BRIDGE, type ServiceRules } from '../service/service-rules.ts';
import { isSystemMessage } from '../system-messages.ts';
import { argumentsText } from '../tool-calls.ts';
import type { WireOptions } from '../wire-options.ts';
import { readMessageState } from './message-state.ts';

export type RequestSettings = Pick<WireOptions, 'maxTokens' | 'temperature' | 'reasoningEffort' | 'form'>;

type ChatRequest = Omit<ChatCompletionCreateParamsStreaming, 'stream'> & { readonly stream: boolean };

/**
 * The body of a streaming chat completion. Pure: a longer history gives a body that begins with the same messages, but
 * for a message of the user that another one follows. The wire has no field for the error flag of a tool result, whose
 * text states it.
 */
export function openAiRequest(request: ModelRequest, identity: ModelIdentity, settings: RequestSettings): ChatRequest {
  const { rules, maxTokens, effort } = formOf(settings);
  const { temperature } = settings;
  return {
    model: identity.model,
    messages: [
      ...(rules.instructions === 'user' ? [] : [{ role: 'system' as const, content: request.system }]),
      ...messageParams(request.messages, identity, rules),
    ],
    ...(request.tools.length === 0 ? {} : { tools: request.tools.map(toolParam) }),
    ...(rules.limitName === 'left out' ? {} : { [rules.limitName]: maxTokens }),
    ...(temperature === undefined || !rules.sendsTemperature ? {} : { temperature }),
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
    stream: rules.streams,
    ...(rules.asksUsage && rules.streams ? { stream_options: { include_usage: true } } : {}),
  };
}

function toolParam({ name, description, parameters }: ModelRequest['tools'][number]): ChatCompletionTool {
  return { type: 'function', function: { name, description, parameters: { ...parameters } } };
}

/**
 * A tool message has only text, so a message of the user has the pictures of an answer's results, ahead of what the user
 * says next.
 */
function messageParams(
  messages: readonly Message[],
  identity: ModelIdentity,
  rules: ServiceRules,
): readonly ChatCompletionMessageParam[] {
  const params: ChatCompletionMessageParam[] = [];
  /** The tools of the calls, by id. */
  const names = new Map<string, string>();
  let pictures: ImageContent[] = [];
  const push = (param: ChatCompletionMessageParam): void => {
    const follows = params.at(-1)?.role === 'tool' && (param.role === 'user' || param.role === 'system');
    if (follows && rules.order === 'bridged') params.push({ role: 'assistant', content: BRIDGE });
    const last = params.at(-1);
    if (rules.neighbours === 'kept' || last?.role !== 'user' || param.role !== 'user') params.push(param);
    else params[params.length - 1] = { role: 'user', content: joinContents(last, param, rules) };
  };
  const pushPictures = (next: ChatCompletionContentPart[] = []): void => {
    if (pictures.length === 0) return;
    push({ role: 'user', content: [{ type: 'text', text: PICTURES_NOTE }, ...pictures.map(picturePart), ...next] });
    pictures = [];
  };
  for (const message of messages) {
    if (message.role === 'user' && pictures.length > 0 && !isSystemMessage(message)) {
      pushPictures([{ type: 'text', text: message.content }, ...(message.images ?? []).map(picturePart)]);
      continue;
    }
    if (message.role !== 'tool') pushPictures();
    if (message.role === 'assistant') for (const { id, name } of message.toolCalls) names.set(id, name);
    push(messageParam(message, identity, rules, names));
    if (message.role === 'tool') pictures.push(...(message.images ?? []));
  }
  pushPictures();
  return params;
}

const PICTURES_NOTE = 'The pictures of the tool results above, in their order:';

function picturePart({ mediaType, data }: ImageContent): ChatCompletionContentPart {
  return { type: 'image_url', image_url: { url: `data:${mediaType};base64,${data}` } };
}

function userContent({ content, images = [] }: UserMessage): string | ChatCompletionContentPart[] {
  return images.length === 0 ? content : [{ type: 'text', text: content }, ...images.map(picturePart)];
}

/** The contents of two messages of the user. The parts tell a server where the newest one begins. */
function joinContents(
  { content: first }: ChatCompletionUserMessageParam,
  { content: second }: ChatCompletionUserMessageParam,
  { neighbours }: ServiceRules,
): string | ChatCompletionContentPart[] {
  const isText = neighbours === 'text' && typeof first === 'string' && typeof second === 'string';
  return isText ? `${first}\n\n${second}` : [...partsOf(first), ...partsOf(second)];
}

function partsOf(content: ChatCompletionUserMessageParam['content']): readonly ChatCompletionContentPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function messageParam(
  message: Message,
  identity: ModelIdentity,
  rules: ServiceRules,
  names: ReadonlyMap<string, string>,
): ChatCompletionMessageParam {
  switch (message.role) {
    case 'user':
      if (isSystemMessage(message)) return { role: 'system', content: message.content };
      return { role: 'user', content: userContent(message) };
    case 'assistant':
      return assistantParam(message, identity, rules);
    case 'tool': {
      const name = rules.namesResults ? names.get(message.toolCallId) : undefined;
      const { toolCallId, content } = message;
      return { role: 'tool', tool_call_id: toolCallId, ...(name !== undefined && { name }), content };
    }
  }
}

/**
 * An answer with what its server wants back. Servers reject an empty list of calls, and calls whose arguments are not a
 * JSON object.
 */
function assistantParam(
  message: AssistantMessage,
  identity: ModelIdentity,
  rules: ServiceRules,
): ChatCompletionMessageParam {
  const state = readMessageState(stateItems(message, identity));
  const fields = { ...missingField(rules), ...returnedFields(state.message, rules) };
  const { content, toolCalls } = message;
  if (toolCalls.length === 0) return { role: 'assistant', content, ...fields };
  return {
    role: 'assistant',
    content: content.trim() === '' && rules.emptyContent === 'null' ? null : content,
    tool_calls: toolCalls.map((call, position) => {
      const mark = rules.marksCalls && position === 0 ? MARK : {};
      return callParam(call, { ...mark, ...(rules.returned === 'all' ? state.call(position) : {}) });
    }),
    ...fields,
  };
}

const MARK = { extra_content: { google: { thought_signature: FOREIGN_SIGNATURE } } };

function callParam(call: ToolCall, { function: inside, ...fields }: JsonObject): ChatCompletionMessageFunctionToolCall {
  const called = { name: call.name, arguments: argumentsText(call), ...(typeof inside === 'object' ? inside : {}) };
  return { id: call.id, type: 'function', function: called, ...fields };
}

function missingField({ missingReasoning }: ServiceRules): JsonObject {
  return missingReasoning === undefined ? {} : { reasoning_content: missingReasoning };
}

/** The fields that the service accepts. The same reasoning goes back under one name only. */
function returnedFields(fields: JsonObject, { returned, missingReasoning }: ServiceRules): JsonObject {
  const names = Object.keys(fields).filter((name) => returned === 'all' || returned.includes(name));
  const [best] = ['reasoning_details', 'reasoning_content', 'reasoning'].filter((name) => names.includes(name));
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = fields[name];
      const isRepeated = ['reasoning_content', 'reasoning'].includes(name) && name !== best;
      if (value === undefined || isRepeated) return [];
      return [[name, name === 'reasoning_content' && value === '' ? (missingReasoning ?? value) : value]];
    }),
  );
}
