import * as z from 'zod';
import type {
  Conversation,
  ConversationMessage,
  OfferedTool,
  TextPart,
  ToolChoice,
} from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { badRequest, joinTexts, jsonTool, limitsOf } from '../body.ts';
import { bodyReader, JsonObjectSchema } from '../body-schema.ts';
import { findFault } from '../forms/find-faults.ts';
import { DEFAULT_MODEL } from '../model-routes.ts';
import type { WireError } from '../wire.ts';
import { MESSAGES_SHAPE } from './shape.ts';
import { anthropicViolation } from './words.ts';

/** Required fields by type of block. Blocks of other types are not checked. */
const REQUIRED: ReadonlyMap<string, readonly (keyof Block)[]> = new Map([
  ['text', ['text']],
  ['thinking', ['thinking']],
  ['tool_use', ['id', 'name']],
  ['tool_result', ['tool_use_id']],
]);

/** A block of a tool result. */
const TextSchema = z.object({ type: z.string(), text: z.string().optional() });

const BlockSchema = z.object({
  type: z.string(),
  cache_control: z.unknown().optional(),
  text: z.string().optional(),
  thinking: z.string().optional(),
  signature: z.string().nullish(),
  id: z.string().optional(),
  name: z.string().optional(),
  input: z.unknown().optional(),
  tool_use_id: z.string().optional(),
  is_error: z.boolean().nullish(),
  content: z
    .union([z.string(), z.array(TextSchema)])
    .optional()
    .catch(undefined),
});

/** The blocks of a message or of the system prompt. */
const BlocksSchema = z.array(BlockSchema);

const MessageSchema = z.object({
  role: z.enum(['user', 'assistant', 'system']),
  content: BlocksSchema,
});

const ToolSchema = z.object({
  type: z.string().nullish(),
  name: z.string().optional(),
  description: z.string().nullish(),
  input_schema: JsonObjectSchema.nullish(),
});

const FormatSchema = z.object({ type: z.string(), schema: JsonObjectSchema.nullish() });

const RequestSchema = z.object({
  model: z.string().optional(),
  max_tokens: z.number().optional(),
  messages: z.array(MessageSchema),
  system: BlocksSchema.nullish(),
  tools: z.array(ToolSchema).nullish(),
  stream: z.boolean().nullish(),
  stop_sequences: z.array(z.string()).nullish(),
  tool_choice: z.object({ type: z.string(), name: z.string().optional() }).nullish(),
  thinking: z.object({ type: z.string() }).nullish().catch(undefined),
  thread: JsonObjectSchema.nullish().catch(undefined),
  output_config: z.object({ format: FormatSchema.nullish() }).nullish(),
  output_format: FormatSchema.nullish(),
});

export type AnthropicMessage = z.infer<typeof MessageSchema>;
type Block = AnthropicMessage['content'][number];

/** A request of the Messages API. */
export type AnthropicRequest = Exclude<ReturnType<typeof readAnthropicRequest>, WireError>;

const readBody = bodyReader(
  RequestSchema,
  {
    notJson: (reason) => `The request body is not valid JSON: ${reason}`,
    notObject: 'The request body must be a JSON object.',
    explain: (json) => {
      const fault = findFault(json, MESSAGES_SHAPE, false);
      return fault === undefined ? undefined : badRequest(anthropicViolation(fault).message, fault.path.join('.'));
    },
    invalid: (param, message, fault) => {
      if (fault?.kind === 'value' && param.endsWith('.role')) {
        const rule = 'Allowed roles are "user" or "assistant"';
        return badRequest(`messages: Unexpected role "${String(fault.found)}". ${rule}`, 'messages');
      }
      const path = param.replaceAll(/\[(\d+)\]/g, '.$1');
      return badRequest(fault === undefined ? `${path}: ${message}` : anthropicViolation(fault).message, path);
    },
  },
  wrapTexts,
);

function missingField(path: string): WireError {
  return badRequest(`${path}: Field required`, path);
}

/** The body with each content that is a string as one text block. A preprocessing schema would cost far more. */
function wrapTexts(json: unknown): unknown {
  if (!isJsonObject(json)) return json;
  const { messages, system } = json;
  return {
    ...json,
    ...(typeof system === 'string' && { system: wrapText(system) }),
    ...(Array.isArray(messages) && { messages: messages.map(wrapContent) }),
  };
}

function wrapContent(message: unknown): unknown {
  if (!isJsonObject(message) || typeof message['content'] !== 'string') return message;
  return { ...message, content: wrapText(message['content']) };
}

/** An empty text is a message without content, not one with an empty block. */
function wrapText(text: string) {
  return text === '' ? [] : [{ type: 'text', text }];
}

/** Path of the first required field that a block of the request does not have. */
function findMissing({ messages, system }: z.infer<typeof RequestSchema>): string | undefined {
  const contents = messages.map(({ content }, index) => ({ path: `messages.${index}.content`, content }));
  for (const { path, content } of [...contents, { path: 'system', content: system ?? [] }]) {
    for (const [index, block] of content.entries()) {
      const field = REQUIRED.get(block.type)?.find((name) => block[name] === undefined);
      if (field !== undefined) return `${path}.${index}.${block.type}.${field}`;
    }
  }
  return undefined;
}

/** Reads a request body. Fields and blocks that the server does not know may hold anything. */
export function readAnthropicRequest(text: string) {
  const read = readBody(text);
  if (read.type === 'error') return read;
  const body = read.data;
  const missing = findMissing(body);
  if (missing !== undefined) return missingField(missing);
  const { model = DEFAULT_MODEL, messages, tools, thread } = body;
  if (thread) return badRequest(THREAD_REFUSAL, 'thread', 'thread_unsupported_request');
  if (messages.length === 0) return badRequest('messages: at least one message is required');
  const system = messages.flatMap(({ role, content }) => (role === 'system' ? content : []));
  const format = body.output_config?.format ?? body.output_format;
  return {
    conversation: {
      protocol: 'anthropic-messages',
      model,
      system: [...(body.system ?? []), ...system].flatMap(readText).map(({ text: line }) => line),
      messages: messages.flatMap(readMessage),
      tools: (tools ?? []).flatMap(readTool),
      ...(format?.type === 'json_schema' && { outputSchema: format.schema ?? {} }),
    } satisfies Conversation,
    // A request for no tokens fills the cache, and its answer is empty.
    limits:
      body.max_tokens === 0
        ? { maxTokens: { name: 'max_tokens', value: 0 } }
        : limitsOf('max_tokens', body.max_tokens, 'stop_sequences', body.stop_sequences),
    toolChoice: readToolChoice(body.tool_choice),
    body,
    json: read.json,
  };
}

function readToolChoice(choice: z.infer<typeof RequestSchema>['tool_choice']): ToolChoice | undefined {
  if (!choice) return undefined;
  const text = `tool_choice ${JSON.stringify(choice)}`;
  switch (choice.type) {
    case 'none':
      return { mode: 'none', text };
    case 'any':
      return { mode: 'required', text };
    case 'tool':
      return { mode: 'required', ...(choice.name !== undefined && { names: [choice.name] }), text };
    default:
      return undefined;
  }
}

/** Official clients then send the whole conversation without a thread. */
const THREAD_REFUSAL = 'Message threads are not supported here. Send the full conversation without `thread`.';

/** Unlike at the API, neighbours of one role stay apart: a prompt after tool results can start a scenario. */
function readMessage({ role, content }: AnthropicMessage, index: number): ConversationMessage[] {
  switch (role) {
    case 'system':
      return [];
    case 'user':
      return [{ role, index, parts: content.flatMap((block) => [...readText(block), ...readResult(block)]) }];
    case 'assistant':
      return [{ role, index, parts: content.flatMap((block) => [...readText(block), ...readCall(block)]) }];
    default:
      return role satisfies never;
  }
}

function readText({ type, text = '' }: z.infer<typeof TextSchema>): TextPart[] {
  return type === 'text' ? [{ type: 'text', text }] : [];
}

function readCall({ type, id = '', name = '', input }: Block) {
  if (type !== 'tool_use') return [];
  return [{ type: 'tool_call' as const, id, name, arguments: JSON.stringify(input ?? {}) }];
}

function readResult({ type, tool_use_id: callId = '', content, is_error: isError }: Block) {
  if (type !== 'tool_result') return [];
  const text = typeof content === 'string' ? content : joinTexts((content ?? []).flatMap(readText));
  return [{ type: 'tool_result' as const, callId, content: text, ...(isError && { isError }) }];
}

/** Types of tools that Anthropic defines and the client runs; all other types are run by the API. */
const CLIENT_TOOL = /^(bash|text_editor|memory|computer)_\d+$/;

function readTool({ type, name, description, input_schema: schema }: z.infer<typeof ToolSchema>): OfferedTool[] {
  if (name === undefined) return [];
  const isCustom = type === undefined || type === null || type === 'custom';
  if (isCustom) return [jsonTool({ name, description, parameters: schema })];
  return CLIENT_TOOL.test(type) ? [{ name, input: 'json' }] : [];
}
