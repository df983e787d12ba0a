import type { Reply, ReplyToolCall } from '../../conversation/conversation.ts';
import { reasoningTokensOf } from '../encode.ts';
import { type BuiltInItem, builtInItem } from './responses-built-in.ts';
import type { ResponsesRequest } from './responses-request.ts';
import { mintResponseId } from './shared.ts';

type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

/** An item of a response's output. */
export type OutputItem =
  | {
      readonly id: string;
      readonly type: 'reasoning';
      readonly encrypted_content?: string;
      readonly summary: readonly SummaryPart[];
    }
  | {
      readonly id: string;
      readonly type: 'message';
      readonly status: ItemStatus;
      readonly role: 'assistant';
      readonly content: readonly TextPart[];
    }
  | (CallItem & { readonly type: 'function_call'; readonly arguments: string })
  | (CallItem & { readonly type: 'custom_tool_call'; readonly input: string })
  | BuiltInItem;

interface CallItem {
  readonly id: string;
  readonly status: ItemStatus;
  readonly call_id: string | undefined;
  readonly name: string;
  readonly namespace?: string;
}

/** A part of a reasoning item's summary. */
export interface SummaryPart {
  readonly type: 'summary_text';
  readonly text: string;
}

/** A part of a message. */
export interface TextPart {
  readonly type: 'output_text';
  readonly annotations: readonly [];
  readonly logprobs: readonly [];
  readonly text: string;
}

/** The part of a reasoning item's summary with this text. */
export function summaryPart(text: string): SummaryPart {
  return { type: 'summary_text', text };
}

/** The part of a message with this text. */
export function textPart(text: string): TextPart {
  return { type: 'output_text', annotations: [], logprobs: [], text };
}

/** The finished items of an answer: reasoning, message, calls. */
export function outputItems(reply: Reply, { encryptReasoning, builtIn }: ResponsesRequest): OutputItem[] {
  const { digest, reasoning, content, toolCalls } = reply;
  const id = digest.slice(0, 48);
  const items: OutputItem[] = [];
  if (reasoning !== undefined) {
    const encrypted = encryptReasoning && { encrypted_content: `gAAAAAB${Buffer.from(digest).toString('base64url')}` };
    items.push({ id: `rs_${id}`, type: 'reasoning', ...encrypted, summary: [summaryPart(reasoning)] });
  }
  if (content !== undefined) {
    const isCut = isIncomplete(reply) && toolCalls.length === 0;
    const status = isCut ? 'incomplete' : 'completed';
    items.push({ id: `msg_${id}`, type: 'message', status, role: 'assistant', content: [textPart(content)] });
  }
  const lastCall = toolCalls.at(-1);
  for (const [position, call] of toolCalls.entries()) {
    // An item without an id could not be followed through a stream, so a fault of the call's id leaves it one.
    const itemId = call.id ?? `${id.slice(0, 40)}_${position}`;
    const status = isIncomplete(reply) && call === lastCall ? 'incomplete' : 'completed';
    const type = [...builtIn].find((name) => name === call.name);
    items.push((type && builtInItem(type, call, itemId, status)) ?? callItem(call, itemId, status));
  }
  return items;
}

/** The response object before its first item. */
export function encodeStarted(reply: Reply, request: ResponsesRequest): object {
  return { ...encodeHead(reply, 'in_progress'), ...encodeRest(reply, request), output: [], usage: null };
}

/** The response object at its end. */
export function encodeFinished(reply: Reply, request: ResponsesRequest, output: readonly OutputItem[]): object {
  const head = encodeHead(reply, isIncomplete(reply) ? 'incomplete' : 'completed');
  return { ...head, ...encodeRest(reply, request), output, usage: encodeUsage(reply) };
}

/** Whether the answer ends before its end. */
export function isIncomplete({ finish }: Reply): boolean {
  return finish === 'length' || finish === 'content_filter';
}

/** The id of the item holds the id of the call, so that a reference to the one tells the other. */
function callItem(call: ReplyToolCall, itemId: string, status: ItemStatus): OutputItem {
  const { id, name, namespace, input, arguments: args } = call;
  const rest = { call_id: id, name, ...(namespace !== undefined && { namespace }) };
  return input === 'text'
    ? { id: `ctc_${itemId}`, type: 'custom_tool_call', status, ...rest, input: args }
    : { id: `fc_${itemId}`, type: 'function_call', status, ...rest, arguments: args };
}

function encodeHead(reply: Reply, status: ItemStatus): object {
  return {
    id: mintResponseId(reply),
    object: 'response',
    created_at: reply.created,
    status,
    completed_at: status === 'completed' ? reply.created : null,
    error: null,
    incomplete_details: status === 'incomplete' ? { reason: reasonOf(reply.finish) } : null,
  };
}

function encodeRest({ model }: Reply, { settings }: ResponsesRequest): object {
  return { access_programs: null, model, ...settings };
}

function reasonOf(finish: Reply['finish']): string {
  return finish === 'length' ? 'max_output_tokens' : 'content_filter';
}

function encodeUsage(reply: Reply): object {
  const { inputTokens, outputTokens } = reply.usage;
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokensOf(reply) },
    total_tokens: inputTokens + outputTokens,
  };
}
