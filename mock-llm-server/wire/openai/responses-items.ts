import * as z from 'zod';
import type { ConversationMessage, OfferedTool, ToolCallPart } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { badRequest, FunctionSchema, jsonTool } from '../body.ts';
import type { WireError } from '../wire.ts';
import { BUILT_IN_ITEMS, BUILT_IN_TYPES, BuiltInToolSchema, offerBuiltIn } from './responses-built-in.ts';
import { ContentSchema, joinedText, NamedSchema, textParts } from './shared.ts';

const FunctionToolSchema = FunctionSchema.extend({ type: z.literal('function') });
const CustomToolSchema = z.object({ type: z.literal('custom'), name: z.string(), description: z.string().nullish() });
/** Anything that the server does not read, such as tools that the API runs, and the id of the call that it is, if any. */
const OtherSchema = z.object({ type: z.literal('other'), call_id: z.string().optional() });

const PlainToolSchema = z.discriminatedUnion('type', [FunctionToolSchema, CustomToolSchema, OtherSchema]);
const NamespaceSchema = z.object({ type: z.literal('namespace'), name: z.string(), tools: z.array(PlainToolSchema) });

/** A tool of a request; `other` for a type that no reply can call. */
export const ToolSchema = z.discriminatedUnion('type', [
  FunctionToolSchema,
  CustomToolSchema,
  NamespaceSchema,
  BuiltInToolSchema,
  OtherSchema,
]);

/** Settings for the text of a reply. */
export const TextSchema = z.object({
  format: NamedSchema.extend({ type: z.string() }).nullish(),
});

/** An item of the input. */
export const ItemSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('message'),
    role: z.enum(['user', 'assistant', 'system', 'developer']),
    content: ContentSchema,
    id: z.string().nullish(),
  }),
  z.object({ type: z.literal('reasoning'), id: z.string().nullish() }),
  z.object({ type: z.literal('function_call'), call_id: z.string(), name: z.string(), arguments: z.string() }),
  z.object({ type: z.literal('custom_tool_call'), call_id: z.string(), name: z.string(), input: z.string() }),
  z.object({
    type: z.literal(['function_call_output', 'custom_tool_call_output']),
    call_id: z.string(),
    output: ContentSchema,
  }),
  z.object({ type: z.literal(['additional_tools', 'tool_search_output']), tools: z.array(ToolSchema) }),
  z.object({ type: z.literal('configuration_update'), text: TextSchema.nullish() }),
  z.object({ type: z.literal('item_reference'), id: z.string() }),
  ...BUILT_IN_ITEMS,
  OtherSchema,
]);

const PLAIN_TOOL_TYPES = new Set(['function', 'custom']);
const TOOL_TYPES = new Set(['function', 'custom', 'namespace', ...BUILT_IN_TYPES]);
const ITEM_TYPES = new Set(ItemSchema.options.flatMap(({ shape }) => [...shape.type.values]));

/**
 * The body in the form that the schemas read: a text as one message, and every tool and item of a type that the server
 * does not read as `other`. Preprocessing schemas would cost far more.
 */
export function prepareBody(json: unknown): unknown {
  if (!isJsonObject(json)) return json;
  const { input, tools } = json;
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  return { ...json, ...(items !== undefined && { input: mapList(items, prepareItem) }), tools: prepareTools(tools) };
}

/** The type of a message is optional. */
function prepareItem(value: unknown): unknown {
  const item = withKnownType(value, ITEM_TYPES, 'message');
  return isJsonObject(item) && item['tools'] !== undefined ? { ...item, tools: prepareTools(item['tools']) } : item;
}

function prepareTools(tools: unknown): unknown {
  return mapList(tools, (value) => {
    const tool = withKnownType(value, TOOL_TYPES);
    if (!isJsonObject(tool) || tool['type'] !== 'namespace') return tool;
    return { ...tool, tools: mapList(tool['tools'], (inner) => withKnownType(inner, PLAIN_TOOL_TYPES)) };
  });
}

function mapList(value: unknown, map: (item: unknown) => unknown): unknown {
  return Array.isArray(value) ? value.map(map) : value;
}

function withKnownType(value: unknown, types: ReadonlySet<string>, implied?: string): unknown {
  if (!isJsonObject(value)) return value;
  const type = 'type' in value ? value['type'] : implied;
  if (typeof type !== 'string') return value;
  if (!types.has(type))
    return { type: 'other', ...(typeof value['call_id'] === 'string' && { call_id: value['call_id'] }) };
  return value['type'] === type ? value : { ...value, type };
}

/** An item of the input. */
export type Item = z.infer<typeof ItemSchema>;

/** The system and developer texts of an item. */
export function systemTextsOf(item: Item): string[] {
  if (item.type !== 'message' || (item.role !== 'system' && item.role !== 'developer')) return [];
  return textParts(item.content).map(({ text }) => text);
}

/** The tools that an item of the input offers. */
export function toolsOf(item: Item): OfferedTool[] {
  return item.type === 'additional_tools' || item.type === 'tool_search_output' ? item.tools.flatMap(offer) : [];
}

/** The callable tools of a tool or namespace; none for tools that the API runs. */
export function offer(tool: z.infer<typeof ToolSchema>): OfferedTool[] {
  switch (tool.type) {
    case 'function':
      return [jsonTool(tool)];
    case 'custom':
      return [{ name: tool.name, description: tool.description ?? '', input: 'text' }];
    case 'namespace':
      return tool.tools.flatMap(offer).map((inner) => ({ ...inner, namespace: tool.name }));
    case 'shell':
    case 'local_shell':
    case 'apply_patch':
      return offerBuiltIn(tool);
    case 'other':
      return [];
    default:
      return tool satisfies never;
  }
}

/** The message of an item; undefined for an item that matching ignores. */
function messageOf(item: Item, index: number): ConversationMessage | undefined {
  switch (item.type) {
    case 'message': {
      if (item.role === 'system' || item.role === 'developer') return undefined;
      return { role: item.role, index, parts: textParts(item.content) };
    }
    case 'function_call':
      return callMessage(index, { id: item.call_id, name: item.name, arguments: item.arguments });
    case 'custom_tool_call':
      return callMessage(index, { id: item.call_id, name: item.name, arguments: item.input, input: 'text' });
    case 'shell_call':
      return callMessage(index, { id: item.call_id, name: 'shell', arguments: JSON.stringify(item.action) });
    case 'local_shell_call':
      return callMessage(index, { id: item.call_id, name: 'local_shell', arguments: JSON.stringify(item.action) });
    case 'apply_patch_call':
      return callMessage(index, { id: item.call_id, name: 'apply_patch', arguments: JSON.stringify(item.operation) });
    case 'function_call_output':
    case 'custom_tool_call_output':
      return resultMessage(index, item.call_id, joinedText(item.output));
    case 'shell_call_output':
      return resultMessage(index, item.call_id, item.output.map(({ stdout, stderr }) => stdout + stderr).join(''));
    case 'local_shell_call_output':
    case 'apply_patch_call_output': {
      // Some clients send only the id of the local shell call, or that of its item, which contains it.
      const callId = item.call_id ?? item.id.replace(/^lsh_/, '');
      return resultMessage(index, callId, item.output ?? '', item.status === 'failed');
    }
    case 'item_reference': {
      // The id of a call's item contains the id of the call, as the encoder writes it.
      const id = /^(?:fc|ctc|sh|lsh|apc)_(.+)$/.exec(item.id)?.[1];
      if (id !== undefined) return callMessage(index, { id, name: '', arguments: '{}' });
      return { role: 'assistant', index, parts: [{ type: 'text', text: item.id }] };
    }
    case 'reasoning':
    case 'additional_tools':
    case 'tool_search_output':
    case 'configuration_update':
    case 'other':
      return undefined;
    default:
      return item satisfies never;
  }
}

/**
 * The messages of the input. Outputs of calls that the server does not read, such as `tool_search_call`, are left out.
 * With `stored`, an output whose call is not in the input belongs to a call of the stored conversation.
 */
export function messagesOf(items: readonly Item[], stored: boolean): ConversationMessage[] {
  const unread = new Set(items.flatMap((item) => (item.type === 'other' ? (item.call_id ?? []) : [])));
  const read = items.flatMap((item, index) => messageOf(item, index) ?? []);
  const messages =
    unread.size === 0 ? read : read.filter(({ parts }) => !parts.some((part) => isResultOf(part, unread)));
  if (!stored) return messages;
  const called = new Set(
    messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool_call' ? part.id : []))),
  );
  return messages.flatMap((message) => [
    ...message.parts.flatMap((part) => {
      if (part.type !== 'tool_result' || called.has(part.callId)) return [];
      return [callMessage(message.index, { id: part.callId, name: '', arguments: '{}' })];
    }),
    message,
  ]);
}

function isResultOf(part: ConversationMessage['parts'][number], ids: ReadonlySet<string>): boolean {
  return part.type === 'tool_result' && ids.has(part.callId);
}

function callMessage(index: number, call: Omit<ToolCallPart, 'type'>): ConversationMessage {
  return { role: 'assistant', index, parts: [{ type: 'tool_call', ...call }] };
}

function resultMessage(index: number, callId: string, content: string, isError = false): ConversationMessage {
  return { role: 'user', index, parts: [{ type: 'tool_result', callId, content, ...(isError && { isError }) }] };
}

/**
 * The API's error for a reasoning item without the item that it led to. An answer that a client wrote itself, which has
 * no id, is not that item. Reasoning without an id is not checked.
 */
export function lintReasoning(items: readonly Item[]): WireError[] {
  return items.flatMap((item, index) => {
    const id = item.type === 'reasoning' || item.type === 'item_reference' ? item.id : undefined;
    if (!id?.startsWith('rs_') || canFollowReasoning(items[index + 1])) return [];
    const message = `Item '${id}' of type 'reasoning' was provided without its required following item.`;
    return [badRequest(message, 'input')];
  });
}

function canFollowReasoning(item: Item | undefined): boolean {
  if (item?.type === 'message') return item.role === 'assistant' && Boolean(item.id);
  return item !== undefined && !item.type.endsWith('_output');
}
