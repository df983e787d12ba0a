import * as z from 'zod';
import type {
  Conversation,
  ConversationMessage,
  JsonObject,
  OfferedTool,
  TextPart,
  ToolResultPart,
} from '../../conversation/conversation.ts';
import { errorText } from '../../text.ts';
import { parseBody } from '../body.ts';
import type { WireError } from '../wire.ts';

/** The model that a request without one is answered as, and the one that the list of models names. */
export const ANTHROPIC_MODEL = 'mock-model';

/** A request of the Messages protocol, read. */
export interface AnthropicRequest {
  readonly conversation: Conversation;
  readonly stream: boolean;
  /** The names of fields that the protocol wants in every request and this one lacks. */
  readonly missing: readonly string[];
  /** The messages as they came; a text in place of blocks is one block. */
  readonly messages: readonly AnthropicMessage[];
  /** The names of all tools, those that the API runs among them. */
  readonly toolNames: readonly string[];
  /** Every answer has to begin with thinking. */
  readonly mustThink: boolean;
}

/** What a block of each kind needs; blocks of other kinds may hold anything. */
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

const BlocksSchema = z.preprocess(
  (content) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content),
  z.array(BlockSchema, { error: 'Input should be a valid string or a list of blocks' }),
);

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
  input_schema: z.record(z.string(), z.unknown()).nullish(),
});

const FormatSchema = z.object({ type: z.string(), schema: z.record(z.string(), z.unknown()).nullish() });

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

const ThreadSchema = z.object({ thread: z.record(z.string(), z.unknown()) });

/** Reads the text of a request body. Fields and blocks that the server does not know may hold anything. */
export function readAnthropicRequest(body: string): AnthropicRequest | WireError {
  let json: unknown;
  try {
    json = parseBody(body);
  } catch (error) {
    return invalid(`The request body is not valid JSON: ${errorText(error)}`);
  }
  if (ThreadSchema.safeParse(json).success) return refuseThread();
  const parsed = RequestSchema.safeParse(json);
  if (!parsed.success) return describeInvalid(parsed.error.issues[0]);
  const { model, max_tokens, messages, system, tools, stream, thinking, output_config, output_format } = parsed.data;
  if (messages.length === 0) return invalid('messages: at least one message is required');
  const format = output_config?.format ?? output_format;
  return {
    conversation: {
      protocol: 'anthropic-messages',
      model: model ?? ANTHROPIC_MODEL,
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

type Block = AnthropicMessage['content'][number];

/**
 * The API takes neighbouring messages of one role as one. Here they stay apart, so that a prompt in a message of its
 * own after tool results can start a scenario, as it does in other protocols; the pairing of results does not mind.
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
  const blocks = BlocksSchema.safeParse(content).data ?? [];
  const texts = blocks.flatMap(readText).map(({ text }) => text);
  return [{ type: 'tool_result', callId, content: texts.join(''), ...(isError && { isError }) }];
}

/** Tools that Anthropic names and the client runs; all others with a type of their own are run by the API. */
const CLIENT_TOOL = /^(bash|text_editor|memory|computer)_\d+$/;

function readTool({ type, name, description, input_schema: schema }: z.infer<typeof ToolSchema>): OfferedTool[] {
  if (name === undefined) return [];
  const isCustom = type === undefined || type === null || type === 'custom';
  if (isCustom) return [{ name, description: description ?? '', input: 'json', parameters: readSchema(schema) }];
  return CLIENT_TOOL.test(type) ? [{ name, input: 'json' }] : [];
}

function readSchema(schema: JsonObject | null | undefined): JsonObject {
  return schema ?? {};
}

/** What makes official clients send the whole conversation again, now without a thread. */
function refuseThread(): WireError {
  const message = 'Message threads are not supported here. Send the full conversation without `thread`.';
  return { ...invalid(message), code: 'thread_unsupported_request', param: 'thread' };
}

function describeInvalid(issue: z.core.$ZodIssue | undefined): WireError {
  const path = (issue?.path ?? []).map(String).join('.');
  if (path === '') return invalid('The request body must be a JSON object.');
  const isMissing = issue?.code === 'invalid_type' && issue.message.endsWith('received undefined');
  return { ...invalid(`${path}: ${isMissing ? 'Field required' : issue?.message}`), param: path };
}

function invalid(message: string): WireError {
  return { type: 'error', status: 400, code: null, message };
}
