import * as z from 'zod';
import type {
  ConversationMessage,
  JsonObject,
  OfferedTool,
  TextPart,
  ToolCallPart,
} from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { BUILT_IN_ITEMS, BUILT_IN_TYPES, BuiltInToolSchema, offerBuiltIn, readBuiltIn } from './responses-built-in.ts';

const PartSchema = z.object({ type: z.string(), text: z.string().nullish(), refusal: z.string().nullish() });
const ContentSchema = z.union([z.string(), z.array(PartSchema)], {
  error: 'expected a string or an array of parts with a type',
});

const FunctionToolSchema = z.object({
  type: z.literal('function'),
  name: z.string(),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
});
const CustomToolSchema = z.object({
  type: z.literal('custom'),
  name: z.string(),
  description: z.string().nullish(),
});
/** Stands for everything that the server need not read, such as the provider's own tools. */
const OtherSchema = z.object({ type: z.literal('other') });

const PlainToolSchema = readable(
  ['function', 'custom'],
  z.discriminatedUnion('type', [FunctionToolSchema, CustomToolSchema, OtherSchema]),
);
const NamespaceSchema = z.object({
  type: z.literal('namespace'),
  name: z.string(),
  tools: z.array(PlainToolSchema),
});

/** A tool of a request; `other` for a kind that no answer can call. */
export const ToolSchema = readable(
  ['function', 'custom', 'namespace', ...BUILT_IN_TYPES],
  z.discriminatedUnion('type', [FunctionToolSchema, CustomToolSchema, NamespaceSchema, BuiltInToolSchema, OtherSchema]),
);

/** How the text of an answer is bound to be. */
export const FormatSchema = z.object({
  type: z.string(),
  schema: z.record(z.string(), z.unknown()).nullish(),
});
/** A format, read. */
export type Format = z.infer<typeof FormatSchema>;

const ItemUnion = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('message'),
    role: z.enum(['user', 'assistant', 'system', 'developer']),
    content: ContentSchema,
  }),
  z.object({ type: z.literal('function_call'), call_id: z.string(), name: z.string(), arguments: z.string() }),
  z.object({ type: z.literal('custom_tool_call'), call_id: z.string(), name: z.string(), input: z.string() }),
  z.object({
    type: z.literal(['function_call_output', 'custom_tool_call_output']),
    call_id: z.string(),
    output: ContentSchema,
  }),
  z.object({ type: z.literal(['additional_tools', 'tool_search_output']), tools: z.array(ToolSchema) }),
  z.object({
    type: z.literal('configuration_update'),
    text: z.object({ format: FormatSchema.nullish() }).nullish(),
  }),
  z.object({ type: z.literal('item_reference'), id: z.string() }),
  ...BUILT_IN_ITEMS,
  OtherSchema,
]);

/** An item of the input; a message may leave out its type. */
export const ItemSchema = readable(
  ItemUnion.options.flatMap(({ shape }) => [...shape.type.values]),
  ItemUnion,
  'message',
);
/** An item of the input, read. */
export type Item = z.infer<typeof ItemSchema>;

/** System and developer texts of an item. */
export function systemTextsOf(item: Item): string[] {
  if (item.type !== 'message' || (item.role !== 'system' && item.role !== 'developer')) return [];
  return textParts(item.content).map(({ text }) => text);
}

/** Tools that an item of the input brings. */
export function toolsOf(item: Item): OfferedTool[] {
  return item.type === 'additional_tools' || item.type === 'tool_search_output' ? item.tools.flatMap(offer) : [];
}

/** The tools that an answer can call, out of namespaces; none for the provider's own. */
export function offer(tool: z.infer<typeof ToolSchema>): OfferedTool[] {
  switch (tool.type) {
    case 'function': {
      const { name, description, parameters } = tool;
      return [{ name, description: description ?? '', input: 'json', parameters: parameters ?? {} }];
    }
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

/** The schema that a format asks for; nothing for plain text. */
export function schemaOf(format: Format | null | undefined): JsonObject | undefined {
  if (format?.type === 'json_object') return {};
  return format?.type === 'json_schema' ? (format.schema ?? {}) : undefined;
}

/** The message that an item is; nothing for one that says nothing to the matcher. */
export function messageOf(item: Item, index: number): ConversationMessage | undefined {
  switch (item.type) {
    case 'message': {
      if (item.role === 'system' || item.role === 'developer') return undefined;
      return { role: item.role, index, parts: textParts(item.content) };
    }
    case 'function_call':
      return called(index, { id: item.call_id, name: item.name, arguments: item.arguments });
    case 'custom_tool_call':
      return called(index, { id: item.call_id, name: item.name, arguments: item.input, input: 'text' });
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const content = textParts(item.output).map(({ text }) => text);
      return { role: 'user', index, parts: [{ type: 'tool_result', callId: item.call_id, content: content.join('') }] };
    }
    case 'shell_call':
    case 'local_shell_call':
    case 'apply_patch_call':
    case 'shell_call_output':
    case 'local_shell_call_output':
    case 'apply_patch_call_output': {
      const part = readBuiltIn(item);
      return part.type === 'tool_call'
        ? { role: 'assistant', index, parts: [part] }
        : { role: 'user', index, parts: [part] };
    }
    case 'item_reference':
      return referred(item.id, index);
    case 'additional_tools':
    case 'tool_search_output':
    case 'configuration_update':
    case 'other':
      return undefined;
    default:
      return item satisfies never;
  }
}

/** The ids of items that this server made hold the id of their call; see the encoder. */
function referred(id: string, index: number): ConversationMessage {
  const callId = /^(?:fc|ctc|sh|lsh|apc)_(.+)$/.exec(id)?.[1];
  if (callId !== undefined) return called(index, { id: callId, name: '', arguments: '{}' });
  return { role: 'assistant', index, parts: [{ type: 'text', text: id }] };
}

function called(index: number, call: Omit<ToolCallPart, 'type'>): ConversationMessage {
  return { role: 'assistant', index, parts: [{ type: 'tool_call', ...call }] };
}

function textParts(content: z.infer<typeof ContentSchema>): TextPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.flatMap(({ text, refusal }) => {
    const value = text ?? refusal;
    return value === undefined || value === null ? [] : [{ type: 'text', text: value }];
  });
}

/** Turns objects of a type that is not among `types` into `other`; what has no type has the `implied` one. */
function readable<T extends z.ZodType>(types: readonly string[], schema: T, implied?: string) {
  return z.preprocess((value) => {
    if (!isJsonObject(value)) return value;
    const type = 'type' in value ? value['type'] : implied;
    if (typeof type !== 'string') return value;
    return types.includes(type) ? { ...value, type } : { type: 'other' };
  }, schema);
}
