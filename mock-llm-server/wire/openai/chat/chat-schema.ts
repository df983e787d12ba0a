import * as z from 'zod';
import { isJsonObject } from '../../../conversation/json.ts';
import { bodyReader, FunctionSchema, StopSchema } from '../../body-schema.ts';
import { CHAT_SHAPE } from '../shapes/chat.ts';
import { openaiBodyErrors } from '../shared.ts';
import { ContentSchema, NamedSchema, ToolChoiceSchema } from '../shared-schema.ts';

const EchoedCallSchema = z.object({
  id: z.string(),
  function: z.object({ name: z.string(), arguments: z.string() }).optional(),
  custom: z.object({ name: z.string(), input: z.string() }).optional(),
});

const MessageSchema = z.discriminatedUnion('role', [
  z.object({ role: z.literal(['system', 'developer']), content: ContentSchema }),
  z.object({ role: z.literal('user'), content: ContentSchema }),
  z.object({
    role: z.literal('assistant'),
    content: ContentSchema.nullish(),
    tool_calls: z.array(EchoedCallSchema).nullish(),
    function_call: z.object({ name: z.string(), arguments: z.string() }).nullish(),
  }),
  z.object({ role: z.literal('function'), content: ContentSchema.nullish(), name: z.string() }),
  z.object({ role: z.literal('tool'), content: ContentSchema.nullish(), tool_call_id: z.string() }),
]);

const ToolSchema = z.object({
  function: FunctionSchema.optional(),
  custom: z.object({ name: z.string(), description: z.string().nullish() }).optional(),
});

/** A request body, without the fields that the server does not need. */
export const ChatRequestSchema = z.object({
  model: z.string().nullish(),
  tools: z.array(ToolSchema).nullish(),
  response_format: z.object({ type: z.string(), json_schema: NamedSchema.nullish() }).nullish(),
  messages: z.array(MessageSchema).min(1),
  stream: z.boolean().nullish(),
  max_completion_tokens: z.number().nullish(),
  max_tokens: z.number().nullish(),
  stop: StopSchema,
  n: z.int().min(1).max(128).nullish(),
  tool_choice: ToolChoiceSchema,
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  service_tier: z.string().nullish(),
});

/** Such a body. */
export type ChatSettings = z.infer<typeof ChatRequestSchema>;
export type ChatMessage = z.infer<typeof MessageSchema>;
export type ChatTool = z.infer<typeof ToolSchema>;

/** Reads a body with zod, which explains what is wrong with it. */
export const readChatBody = bodyReader(ChatRequestSchema, openaiBodyErrors(CHAT_SHAPE), withResultIds);

/** Gives the results that lack the id of their call the open ids in order: Z.AI accepts such results. */
function withResultIds(json: unknown): unknown {
  if (!isJsonObject(json) || !Array.isArray(json['messages'])) return json;
  if (typeof json['model'] !== 'string' || !json['model'].startsWith('glm-')) return json;
  let open: unknown[] = [];
  const messages = json['messages'].map((message: unknown) => {
    if (!isJsonObject(message)) return message;
    const { tool_calls: calls, tool_call_id: id } = message;
    if (Array.isArray(calls)) open = calls.map((call: unknown) => (isJsonObject(call) ? call['id'] : undefined));
    if (message['role'] !== 'tool') return message;
    if (id !== undefined) open = open.filter((each) => each !== id);
    return id === undefined ? { ...message, tool_call_id: open.shift() } : message;
  });
  return { ...json, messages };
}
