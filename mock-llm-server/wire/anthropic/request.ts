import * as z from 'zod';
import type {
  Conversation,
  ConversationMessage,
  OfferedTool,
  TextPart,
  ToolResultPart,
} from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { badRequest, compileLazily, JsonObjectSchema, jsonTool, readJson } from '../body.ts';
import { DEFAULT_MODEL } from '../model-routes.ts';
import type { WireError } from '../wire.ts';

/** A request of the Messages protocol. */
export interface AnthropicRequest {
  readonly conversation: Conversation;
  readonly stream: boolean;
  /** Names of absent fields that the API requires. */
  readonly missing: readonly string[];
  /** The messages of the body; a string as content is one text block. */
  readonly messages: readonly AnthropicMessage[];
  /** Names of all tools, including those that the API runs. */
  readonly toolNames: readonly string[];
  /** Thinking is enabled, so that every answer begins with it. */
  readonly mustThink: boolean;
}

/** Required fields by type of block. Blocks of other types are not checked. */
const REQUIRED: ReadonlyMap<string, readonly (keyof z.infer<typeof BareBlockSchema>)[]> = new Map([
  ['text', ['text']],
  ['thinking', ['thinking']],
  ['tool_use', ['id', 'name']],
  ['tool_result', ['tool_use_id']],
]);

const BareBlockSchema = z.object({
  type: z.string(),
  text: z.string().optional(),
  thinking: z.string().optional(),
  signature: z.string().nullish(),
  id: z.string().optional(),
  name: z.string().optional(),
  input: z.unknown().optional(),
  tool_use_id: z.string().optional(),
  is_error: z.boolean().nullish(),
  content: z.unknown().optional(),
});

const BlockSchema = BareBlockSchema.superRefine((block, context) => {
  for (const field of REQUIRED.get(block.type) ?? []) {
    if (block[field] !== undefined) continue;
    context.addIssue({ code: 'custom', path: [block.type, field], message: 'Field required' });
  }
});

const BlocksSchema = z.array(BlockSchema, { error: 'Input should be a valid string or a list of blocks' });

const ROLES = ['user', 'assistant', 'system'] as const;

const MessageSchema = z.object({
  role: z.enum(ROLES, { error: "Input should be 'user', 'assistant' or 'system'" }),
  content: BlocksSchema,
});

/** A message with its blocks. */
export type AnthropicMessage = z.infer<typeof MessageSchema>;

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
  thinking: z.object({ type: z.string() }).nullish().catch(undefined),
  output_config: z.object({ format: FormatSchema.nullish() }).nullish(),
  output_format: FormatSchema.nullish(),
});

const parseRequest = compileLazily(RequestSchema);
const parseBlocks = compileLazily(BlocksSchema);

/** Reads a request body. Fields and blocks that the server does not know may hold anything. */
export function readAnthropicRequest(body: string): AnthropicRequest | WireError {
  const read = readJson(body, (reason) => `The request body is not valid JSON: ${reason}`);
  if (read.type === 'error') return read;
  if (isJsonObject(read.json) && isJsonObject(read.json['thread'])) return refuseThread();
  const parsed = parseRequest(expandStrings(read.json));
  if (!parsed.success) return describeInvalid(parsed.error.issues[0]);
  const { model, max_tokens, messages, system, tools, stream, thinking, output_config, output_format } = parsed.data;
  if (messages.length === 0) return badRequest('messages: at least one message is required');
  const format = output_config?.format ?? output_format;
  return {
    conversation: {
      protocol: 'anthropic-messages',
      model: model ?? DEFAULT_MODEL,
      system: [...(system ?? []), ...messages.flatMap(({ role, content }) => (role === 'system' ? content : []))]
        .flatMap(readText)
        .map(({ text }) => text),
      messages: messages.flatMap(readMessage),
      tools: (tools ?? []).flatMap(readTool),
      ...(format?.type === 'json_schema' && { outputSchema: format.schema ?? {} }),
    },
    stream: stream ?? false,
    missing: [...(model === undefined ? ['model'] : []), ...(max_tokens === undefined ? ['max_tokens'] : [])],
    messages,
    toolNames: (tools ?? []).flatMap(({ name }) => name ?? []),
    mustThink: thinking?.type === 'enabled',
  };
}

/** The body with a text block in place of each string that the API takes for one. */
function expandStrings(json: unknown): unknown {
  if (!isJsonObject(json)) return json;
  const { system, messages } = json;
  return {
    ...json,
    ...(typeof system === 'string' && { system: [textBlock(system)] }),
    ...(Array.isArray(messages) && { messages: messages.map(expandContent) }),
  };
}

function expandContent(message: unknown): unknown {
  if (!isJsonObject(message) || typeof message['content'] !== 'string') return message;
  return { ...message, content: [textBlock(message['content'])] };
}

function textBlock(text: string): object {
  return { type: 'text', text };
}

type Block = AnthropicMessage['content'][number];

/**
 * The API joins neighbouring messages of one role. Here they stay apart, so that a prompt in a message of its own after
 * tool results can start a scenario, as in other protocols; the pairing of results does not depend on it.
 */
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

function readText({ type, text = '' }: Block): TextPart[] {
  return type === 'text' ? [{ type: 'text', text }] : [];
}

function readCall({ type, id = '', name = '', input }: Block) {
  if (type !== 'tool_use') return [];
  return [{ type: 'tool_call' as const, id, name, arguments: JSON.stringify(input ?? {}) }];
}

function readResult({ type, tool_use_id: callId = '', content, is_error: isError }: Block): ToolResultPart[] {
  if (type !== 'tool_result') return [];
  return [{ type: 'tool_result', callId, content: readResultText(content), ...(isError && { isError }) }];
}

function readResultText(content: unknown): string {
  if (typeof content === 'string') return content;
  const blocks = parseBlocks(content).data ?? [];
  return blocks
    .flatMap(readText)
    .map(({ text }) => text)
    .join('');
}

/** Types of tools that Anthropic defines and the client runs; all other types are run by the API. */
const CLIENT_TOOL = /^(bash|text_editor|memory|computer)_\d+$/;

function readTool({ type, name, description, input_schema: schema }: z.infer<typeof ToolSchema>): OfferedTool[] {
  if (name === undefined) return [];
  const isCustom = type === undefined || type === null || type === 'custom';
  if (isCustom) return [jsonTool(name, description, schema)];
  return CLIENT_TOOL.test(type) ? [{ name, input: 'json' }] : [];
}

/** The error after which official clients send the whole conversation without a thread. */
function refuseThread(): WireError {
  const message = 'Message threads are not supported here. Send the full conversation without `thread`.';
  return { ...badRequest(message), code: 'thread_unsupported_request', param: 'thread' };
}

function describeInvalid(issue: z.core.$ZodIssue | undefined): WireError {
  const path = (issue?.path ?? []).map(String).join('.');
  if (path === '') return badRequest('The request body must be a JSON object.');
  const isMissing = issue?.code === 'invalid_type' && issue.message.endsWith('received undefined');
  return badRequest(`${path}: ${isMissing ? 'Field required' : issue?.message}`, path);
}
