import type {
  ContentBlockParam,
  ImageBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
  TextBlockParam,
  Tool,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages/messages';
import type { ModelIdentity, ModelRequest } from '../../agent/ports/language-model.ts';
import type { Message, ToolMessage, UserMessage } from '../../agent/ports/messages.ts';
import { stateItems } from '../provider-state.ts';
import { formOf } from '../service/request-form.ts';
import { BRIDGE, type ServiceRules } from '../service/service-rules.ts';
import { withUniqueCallIds } from '../tool-calls.ts';
import type { WireOptions } from '../wire-options.ts';
import { answerBlocks, thinkingParams } from './thinking.ts';

export type MessagesRequestOptions = Pick<WireOptions, 'maxTokens' | 'temperature' | 'reasoningEffort' | 'form'>;

export const VERSION_HEADERS = { 'anthropic-version': '2023-06-01' } as const;

/** Marks the end of a prefix that the API caches. A request may have four marks. */
const CACHED = { cache_control: { type: 'ephemeral' } } as const;

/** A mark, or none for a service that refuses it. */
type CacheMark = Partial<typeof CACHED>;

/** The number of user messages with a mark: the last of this request, and the last of the request before. */
const MARKED_MESSAGES = 2;

/** Stands for a blank text, which the API refuses. */
const BLANK = '(empty)';

/** A turn of the conversation. The API wants the roles to alternate. */
type Turn =
  | { readonly role: 'user'; readonly content: (TextBlockParam | ImageBlockParam | ToolResultBlockParam)[] }
  | { readonly role: 'assistant'; readonly content: ContentBlockParam[] };

type MessagesRequest = Omit<MessageCreateParamsStreaming, 'stream'> & { readonly stream: boolean };

/**
 * The body of a streaming request for a message. Pure: a longer history gives the same blocks and more of them, apart
 * from the cache marks, which are at the end of the tools, of the system text and of the last messages.
 */
export function anthropicRequest(
  { system, messages, tools }: ModelRequest,
  identity: ModelIdentity,
  options: MessagesRequestOptions,
): MessagesRequest {
  const { rules, maxTokens, effort } = formOf(options);
  const { temperature } = options;
  const thinking = thinkingParams(identity.model, effort, maxTokens);
  const cached = rules.marksCache ? CACHED : {};
  const thinks = thinking.thinking !== undefined && thinking.thinking.type !== 'disabled';
  return {
    model: identity.model,
    max_tokens: maxTokens,
    // A model that thinks accepts no temperature.
    ...(temperature === undefined || thinks || !rules.sendsTemperature ? {} : { temperature }),
    ...thinking,
    stream: rules.streams,
    ...(tools.length === 0 ? {} : { tools: withMark(tools.map(toolParam), cached) }),
    ...(system === '' ? {} : { system: withMark([{ type: 'text', text: system }], cached) }),
    messages: withCacheMarks(turnsOf(withUniqueCallIds(messages), identity, rules), cached),
  };
}

function toolParam({ name, description, parameters }: ModelRequest['tools'][number]): Tool {
  return { name, description, input_schema: { ...parameters, type: 'object' } };
}

/** The turns of a history. Neighbours of the same role become one turn. */
function turnsOf(messages: readonly Message[], identity: ModelIdentity, rules: ServiceRules): readonly Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const turn = turnOf(message, identity, rules);
    const last = turns.at(-1);
    if (turn.content.length === 0) continue;
    const follows = message.role === 'user' && last?.content.at(-1)?.type === 'tool_result';
    // MiniMax wants nothing beside a result, and other services an answer behind it.
    if (follows && rules.order === 'bridged')
      turns.push({ role: 'assistant', content: [{ type: 'text', text: BRIDGE }] }, turn);
    else if (turn.role === 'user' && last?.role === 'user') last.content.push(...turn.content);
    else if (turn.role === 'assistant' && last?.role === 'assistant') last.content.push(...turn.content);
    else turns.push(turn);
  }
  return turns;
}

function turnOf(message: Message, identity: ModelIdentity, { missingReasoning }: ServiceRules): Turn {
  switch (message.role) {
    case 'user':
      return {
        role: 'user',
        content: [{ type: 'text', text: visibleText(message.content) }, ...pictureBlocks(message)],
      };
    case 'assistant':
      return { role: 'assistant', content: answerBlocks(message, stateItems(message, identity), missingReasoning) };
    case 'tool':
      return { role: 'user', content: [resultBlock(message)] };
  }
}

function resultBlock({ toolCallId, content, isError, images = [] }: ToolMessage): ToolResultBlockParam {
  const text = visibleText(content);
  const pictures = pictureBlocks({ images });
  return {
    type: 'tool_result',
    tool_use_id: toolCallId,
    content: pictures.length === 0 ? text : [{ type: 'text', text }, ...pictures],
    ...(isError ? { is_error: true } : {}),
  };
}

function pictureBlocks({ images = [] }: Pick<UserMessage, 'images'>) {
  return images.map(({ mediaType, data }) => {
    return { type: 'image', source: { type: 'base64', media_type: mediaType, data } } as const;
  });
}

function visibleText(text: string): string {
  return text.trim() === '' ? BLANK : text;
}

function withCacheMarks(turns: readonly Turn[], mark: CacheMark): MessageParam[] {
  const marked = new Set(turns.filter(({ role }) => role === 'user').slice(-MARKED_MESSAGES));
  return turns.map((turn) =>
    turn.role === 'user' && marked.has(turn) ? { role: turn.role, content: withMark(turn.content, mark) } : turn,
  );
}

function withMark<Part extends object>(parts: readonly Part[], mark: CacheMark): (Part & CacheMark)[] {
  return parts.map((part, index) => (index === parts.length - 1 ? { ...part, ...mark } : part));
}
