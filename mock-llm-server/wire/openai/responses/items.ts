import * as z from 'zod';
import { isJsonObject } from '../../../conversation/json.ts';
import { FunctionSchema } from '../../body-schema.ts';
import { BUILT_IN_TYPES } from '../shared.ts';
import { ContentSchema, NamedSchema } from '../shared-schema.ts';
import { BUILT_IN_ITEMS, BuiltInToolSchema } from './built-in.ts';

const FunctionToolSchema = FunctionSchema.extend({ type: z.literal('function') });
const CustomToolSchema = z.object({ type: z.literal('custom'), name: z.string(), description: z.string().nullish() });
/** A tool or an item that the server does not read, such as a tool that the API runs. A call has its id. */
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

export type Item = z.infer<typeof ItemSchema>;
