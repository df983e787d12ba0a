import type { Reply, ReplyToolCall } from '../../../conversation/conversation.ts';
import { reasonedIdOf } from '../../../conversation/ids.ts';
import { HAS_PHASES } from '../../../conversation/traces.ts';
import { blocksOf, type EncodableBlock, openaiCitation } from '../../blocks/blocks.ts';
import type { PieceKind } from '../../pieces.ts';
import { createResponseId } from '../shared.ts';
import { builtInItem } from './built-in.ts';
import type { ResponsesRequest } from './request.ts';

/** An item of a response's output. */
export interface OutputItem {
  readonly id: string;
  /** The finished item. */
  readonly whole: object;
  /** The item before any of its text is streamed. */
  readonly start: object;
  /** The text that is streamed; absent for items that a stream contains only as a whole. */
  readonly streamed?: StreamedText;
}

/** The text of an item and the form of the events that stream it. */
export interface StreamedText {
  readonly kind: PieceKind;
  readonly text: string;
  /** Start of the names of the events, such as `output_text`. */
  readonly event: string;
  /** Field that holds the text in the last of these events. */
  readonly field: 'text' | 'refusal' | 'arguments' | 'input';
  /** Fields of the events beside the text, and those of the last one alone. */
  readonly fields?: object;
  readonly lastFields?: object;
  /** The sources of the text, each with an event of its own. */
  readonly annotations?: readonly object[];
  /** The part of the item that contains the text. */
  readonly part?: {
    readonly event: string;
    /** Position of the part, also in the events of its text. */
    readonly position: object;
    encode(text: string): object;
  };
}

/** The items of a reply: reasoning, message, calls. */
export function outputItems(reply: Reply, { encryptReasoning, builtIn }: ResponsesRequest): OutputItem[] {
  const blocks = blocksOf(reply, 'openai-responses');
  // A message refers to the reasoning before it.
  const isReasoned = blocks[0]?.type === 'reasoning';
  const id = isReasoned ? reasonedIdOf(reply.digest) : reply.digest.slice(0, 48);
  const count = { reasoning: 0, text: 0, other: 0 };
  const next = (kind: keyof typeof count) => (count[kind]++ === 0 ? id : `${id.slice(0, 44)}_${count[kind]}`);
  const items = blocks.flatMap((block): readonly OutputItem[] => {
    switch (block.type) {
      case 'reasoning':
        return [encodeReasoning(block, `rs_${next('reasoning')}`, encryptReasoning ? reply.digest : undefined)];
      case 'text':
        return [messageItem(`msg_${next('text')}`, block, reply)];
      case 'call':
        return [encodeCall(block, builtIn, id)];
      case 'server_tool': {
        const { name, input } = block;
        const fields = name === 'web_search' ? { action: { type: 'search', ...input } } : input;
        return [wholeItem({ id: `ws_${next('other')}`, type: `${name}_call`, status: 'completed', ...fields })];
      }
      case 'raw':
        return [wholeItem({ id: `item_${next('other')}`, ...block.item })];
      case 'grounding':
        return [];
      default:
        return block satisfies never;
    }
  });
  const last = items.at(-1);
  // Reasoning has no status.
  if (last !== undefined && incompleteReason(reply) !== undefined && 'status' in last.whole) {
    items[items.length - 1] = { ...last, whole: { ...last.whole, status: 'incomplete' } };
  }
  return items;
}

function encodeReasoning(
  { text, encrypted }: Extract<EncodableBlock, { type: 'reasoning' }>,
  id: string,
  digest: string | undefined,
): OutputItem {
  const secret = encrypted ?? (digest && `gAAAAAB${Buffer.from(digest).toString('base64url')}`);
  return reasoningItem({ id, type: 'reasoning', ...(secret && { encrypted_content: secret }) }, text);
}

function encodeCall(
  { call, index }: Extract<EncodableBlock, { type: 'call' }>,
  builtIn: ResponsesRequest['builtIn'],
  id: string,
): OutputItem {
  // The events of a stream refer to an item by its id, so the item keeps one when a fault removes the id of its call.
  const itemId = call.id ?? `${id.slice(0, 40)}_${index}`;
  const type = builtIn.find((name) => name === call.name);
  const whole = type && builtInItem(type, call, itemId);
  return whole ? wholeItem(whole) : callItem(call, itemId);
}

/** An item that a stream contains only as a whole. */
function wholeItem(whole: { readonly id: string; readonly [field: string]: unknown }): OutputItem {
  return { id: whole.id, whole, start: startOf(whole) };
}

/** The reason why a response is incomplete; undefined for a complete one. */
export function incompleteReason({ finish }: Reply): 'max_output_tokens' | 'content_filter' | undefined {
  if (finish === 'length') return 'max_output_tokens';
  return finish === 'content_filter' ? finish : undefined;
}

/** The response object before its first item or, with `items`, after its last one. */
export function encodeResponse(reply: Reply, { settings }: ResponsesRequest, items?: readonly OutputItem[]): object {
  const reason = items && incompleteReason(reply);
  const status = items === undefined ? 'in_progress' : reason === undefined ? 'completed' : 'incomplete';
  return {
    id: createResponseId(reply),
    object: 'response',
    created_at: reply.created,
    status,
    completed_at: status === 'completed' ? reply.created : null,
    error: null,
    incomplete_details: reason === undefined ? null : { reason },
    access_programs: null,
    moderation: null,
    model: reply.model,
    ...settings,
    output: (items ?? []).map(({ whole }) => whole),
    usage: items === undefined ? null : encodeUsage(reply),
  };
}

function startOf(item: object): object {
  return { ...item, status: 'in_progress' };
}

function reasoningItem(head: { readonly id: string; readonly type: 'reasoning' }, text: string): OutputItem {
  const encode = (summary: string) => ({ type: 'summary_text', text: summary });
  const part = { event: 'reasoning_summary_part', position: { summary_index: 0 }, encode };
  // No summary was asked for.
  if (text === '') return { id: head.id, whole: { ...head, summary: [] }, start: { ...head, summary: [] } };
  return {
    id: head.id,
    whole: { ...head, summary: [encode(text)] },
    start: { ...head, summary: [] },
    streamed: { kind: 'reasoning', text, event: 'reasoning_summary_text', field: 'text', part },
  };
}

function messageItem(
  id: string,
  { text, citations }: Extract<EncodableBlock, { type: 'text' }>,
  { finish, model, toolCalls }: Reply,
): OutputItem {
  const isRefusal = finish === 'refusal';
  const phase = HAS_PHASES.test(model) && { phase: toolCalls.length > 0 ? 'commentary' : 'final_answer' };
  const annotations = citations.map((citation) => openaiCitation(citation, text));
  const encode = isRefusal
    ? (refusal: string) => ({ type: 'refusal', refusal })
    : (output: string) => ({
        type: 'output_text',
        annotations: output === text ? annotations : [],
        logprobs: [],
        text: output,
      });
  const part = { event: 'content_part', position: { content_index: 0 }, encode };
  const whole = { id, type: 'message', status: 'completed', role: 'assistant', content: [encode(text)], ...phase };
  const events = isRefusal
    ? ({ event: 'refusal', field: 'refusal' } as const)
    : ({ event: 'output_text', field: 'text', fields: { logprobs: [] } } as const);
  const streamed = { kind: 'text', text, ...events, part, annotations } as const;
  return { id, whole, start: { ...startOf(whole), content: [] }, streamed };
}

/** The id of the item contains the id of the call, so that a reference to the item identifies the call. */
function callItem(call: ReplyToolCall, itemId: string): OutputItem {
  const { name, namespace, arguments: text } = call;
  const isText = call.input === 'text';
  const id = `${isText ? 'ctc' : 'fc'}_${itemId}`;
  const type = isText ? 'custom_tool_call' : 'function_call';
  const field = isText ? 'input' : 'arguments';
  const event = isText ? 'custom_tool_call_input' : 'function_call_arguments';
  const head = { id, type, status: 'completed', call_id: call.id, name, ...(namespace !== undefined && { namespace }) };
  return {
    id,
    whole: { ...head, [field]: text },
    start: { ...startOf(head), [field]: '' },
    streamed: { kind: 'arguments', text, event, field, ...(!isText && { lastFields: { name } }) },
  };
}

function encodeUsage({ usage }: Reply): object {
  const { inputTokens, cachedTokens, outputTokens, reasoningTokens } = usage;
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedTokens, cache_write_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: inputTokens + outputTokens,
  };
}
