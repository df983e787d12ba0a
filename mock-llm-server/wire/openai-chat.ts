import * as z from 'zod';
import type { UnpairedResults } from '../check-tool-results.ts';
import type { Conversation, ConversationMessage, JsonObject, OfferedTool, Reply, TextPart } from '../conversation.ts';
import { type PieceKind, type SplitPieces, splitIntoWords } from '../split-pieces.ts';
import { describeInvalid, encodeOpenAiError, invalid, parseJsonBody } from './openai-errors.ts';
import { openaiHeaders } from './openai-headers.ts';
import { lintEmpty, lintLength, lintToolName } from './openai-lint.ts';
import { MODEL, MODEL_ROUTES } from './openai-models.ts';
import { pieceFrames } from './piece-frames.ts';
import { reasoningTokensOf } from './reasoning-tokens.ts';
import type { Frame, Wire, WireError } from './wire.ts';

/** A request of the Chat Completions protocol, read. */
export interface ChatRequest {
  readonly conversation: Conversation;
  readonly stream: boolean;
  /** Whether a stream ends with a frame that holds the usage. */
  readonly includeUsage: boolean;
  /** What the provider would refuse though it can be read. */
  lint(): WireError[];
}

const PartSchema = z.object({ type: z.string(), text: z.string().optional(), refusal: z.string().optional() });
const ContentSchema = z.union([z.string(), z.array(PartSchema)], {
  error: 'expected a string or an array of parts with a type',
});

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
  }),
  z.object({ role: z.literal('tool'), content: ContentSchema.nullish(), tool_call_id: z.string() }),
]);

const ToolSchema = z.object({
  function: z
    .object({
      name: z.string(),
      description: z.string().nullish(),
      parameters: z.record(z.string(), z.unknown()).nullish(),
    })
    .optional(),
  custom: z.object({ name: z.string(), description: z.string().nullish() }).optional(),
});

const FormatSchema = z.object({
  type: z.string(),
  json_schema: z.object({ schema: z.record(z.string(), z.unknown()).nullish() }).nullish(),
});

const RequestSchema = z.object({
  model: z.string().default(MODEL),
  tools: z.array(ToolSchema).nullish(),
  response_format: FormatSchema.nullish(),
  messages: z.array(MessageSchema).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
});

/** Reads the text of a request body. Fields that the server does not need may hold anything. */
export function readChatRequest(body: string): ChatRequest | WireError {
  const read = parseJsonBody(body);
  if (read.type === 'error') return read;
  const parsed = RequestSchema.safeParse(read.json);
  if (!parsed.success) return describeInvalid(parsed.error.issues[0]);
  const { model, messages, stream, stream_options, tools, response_format } = parsed.data;
  const outputSchema = readFormat(response_format);
  return {
    conversation: {
      protocol: 'openai-chat',
      model,
      system: messages.flatMap((message) =>
        message.role === 'system' || message.role === 'developer'
          ? textParts(message.content).map((part) => part.text)
          : [],
      ),
      messages: messages.flatMap((message, index) => readMessage(message, index) ?? []),
      tools: (tools ?? []).flatMap(readTool),
      ...(outputSchema !== undefined && { outputSchema }),
    },
    stream: stream ?? false,
    includeUsage: stream_options?.include_usage ?? false,
    lint: () => lintRequest(parsed.data),
  };
}

/** The body of an answer that is not streamed. */
export function encodeChatReply(reply: Reply): Record<string, unknown> {
  const { content, toolCalls } = reply;
  const message = {
    role: 'assistant',
    content: content ?? null,
    refusal: null,
    ...(reply.reasoning !== undefined && { reasoning_content: reply.reasoning }),
    ...(toolCalls.length > 0 && { tool_calls: toolCalls.map(encodeCall) }),
  };
  return {
    ...encodeHead(reply, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason: reply.finish }],
    usage: encodeUsage(reply),
  };
}

/** The frames of a streamed answer; the last one is `[DONE]`. */
export function encodeChatFrames(reply: Reply, includeUsage: boolean, split: SplitPieces = splitIntoWords): Frame[] {
  const head = encodeHead(reply, 'chat.completion.chunk');
  const encode = (delta: object, finish: string | null = null) =>
    encodeData({
      ...head,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...(includeUsage && { usage: null }),
    });
  const pieces = (kind: PieceKind, text: string, encodePiece: (piece: string) => object) =>
    pieceFrames(kind, split(text, kind), (piece) => encode(encodePiece(piece)));
  const calls = reply.toolCalls.flatMap((call, index): readonly Frame[] => [
    { kind: 'control', bytes: encode({ tool_calls: [{ index, ...encodeCall({ ...call, arguments: '' }) }] }) },
    ...pieces('arguments', call.arguments, (piece) => ({ tool_calls: [{ index, ...encodeInput(call, piece) }] })),
  ]);
  const opening = { role: 'assistant', content: reply.content === undefined ? null : '', refusal: null };
  const usage = includeUsage ? [encodeData({ ...head, choices: [], usage: encodeUsage(reply) })] : [];
  return [
    { kind: 'open', bytes: encode(opening) },
    ...pieces('reasoning', reply.reasoning ?? '', (piece) => ({ reasoning_content: piece })),
    ...pieces('text', reply.content ?? '', (piece) => ({ content: piece })),
    ...calls,
    { kind: 'finish', bytes: encode({}, reply.finish) },
    ...[...usage, 'data: [DONE]\n\n'].map((bytes) => ({ kind: 'close', bytes }) as const),
  ];
}

/** OpenAI's Chat Completions, also without `/v1`. */
export const openaiChat: Wire = {
  protocol: 'openai-chat',
  paths: ['/v1/chat/completions', '/chat/completions'],
  routes: MODEL_ROUTES,
  callIdPrefix: 'call_',
  requestId: { header: 'x-request-id', prefix: 'req_' },
  headers: openaiHeaders,
  streamType: 'text/event-stream; charset=utf-8',
  owns: (path) => path.endsWith('/chat/completions'),
  read({ body }) {
    const request = readChatRequest(body);
    if ('type' in request) return request;
    return {
      type: 'request',
      conversation: request.conversation,
      stream: request.stream,
      lint: request.lint,
      encode: encodeChatReply,
      frames: (reply, split) => encodeChatFrames(reply, request.includeUsage, split),
    };
  },
  encodeError: encodeOpenAiError,
  pairing: 'right_after',
  unpaired,
};

/** The longest id of a tool call that the API takes. */
const MAX_CALL_ID_LENGTH = 40;

function lintRequest({ tools, messages }: z.infer<typeof RequestSchema>): WireError[] {
  const names = (tools ?? []).flatMap(({ function: json }, index) =>
    json === undefined ? [] : lintToolName(json.name, `tools[${index}].function.name`),
  );
  const calls = messages.flatMap((message, index) => {
    if (message.role !== 'assistant' || message.tool_calls === undefined || message.tool_calls === null) return [];
    const path = `messages[${index}].tool_calls`;
    const ids = message.tool_calls.flatMap(({ id }, call) => lintLength(id, MAX_CALL_ID_LENGTH, `${path}[${call}].id`));
    return [...lintEmpty(message.tool_calls, path), ...ids];
  });
  return [...names, ...calls];
}

function readTool({ function: json, custom }: z.infer<typeof ToolSchema>): OfferedTool[] {
  if (custom !== undefined) return [{ name: custom.name, description: custom.description ?? '', input: 'text' }];
  if (json === undefined) return [];
  return [{ name: json.name, description: json.description ?? '', input: 'json', parameters: json.parameters ?? {} }];
}

function readFormat(format: z.infer<typeof FormatSchema> | null | undefined): JsonObject | undefined {
  if (format?.type === 'json_object') return {};
  return format?.type === 'json_schema' ? (format.json_schema?.schema ?? {}) : undefined;
}

type ChatMessage = z.infer<typeof MessageSchema>;

function readMessage(message: ChatMessage, index: number): ConversationMessage | undefined {
  switch (message.role) {
    case 'system':
    case 'developer':
      return undefined;
    case 'user':
      return { role: 'user', index, parts: textParts(message.content) };
    case 'tool': {
      const content = textParts(message.content).map((part) => part.text);
      return {
        role: 'user',
        index,
        parts: [{ type: 'tool_result', callId: message.tool_call_id, content: content.join('') }],
      };
    }
    case 'assistant': {
      const calls = (message.tool_calls ?? []).map((call) => ({
        type: 'tool_call' as const,
        id: call.id,
        name: call.function?.name ?? call.custom?.name ?? '',
        arguments: call.function?.arguments ?? call.custom?.input ?? '{}',
        ...(call.custom !== undefined && { input: 'text' as const }),
      }));
      return { role: 'assistant', index, parts: [...textParts(message.content), ...calls] };
    }
    default:
      return message satisfies never;
  }
}

function textParts(content: z.infer<typeof ContentSchema> | null | undefined): TextPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return (content ?? []).flatMap(({ text, refusal }) => {
    const value = text ?? refusal;
    return value === undefined ? [] : [{ type: 'text', text: value }];
  });
}

function unpaired({ index, missing, orphans, hint }: UnpairedResults): WireError {
  const sentences: string[] = [];
  if (missing.length > 0) {
    sentences.push(
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
        `The following tool_call_ids did not have response messages: ${missing.join(', ')}`,
    );
  }
  if (orphans.length > 0) {
    sentences.push(
      "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'. " +
        `The following tool_call_ids answer none: ${orphans.join(', ')}`,
    );
  }
  const message = [...sentences, ...(hint === undefined ? [] : [hint])].join('. ');
  return { ...invalid(message), param: `messages.[${index}].role` };
}

function encodeHead({ digest, created, model }: Reply, object: string) {
  const id = `chatcmpl-${digest.slice(0, 29)}`;
  return { id, object, created, model, service_tier: 'default', system_fingerprint: 'fp_mock' };
}

function encodeCall({ id, name, input, arguments: text }: Reply['toolCalls'][number]) {
  if (input === 'text') return { id, type: 'custom', custom: { name, input: text } };
  return { id, type: 'function', function: { name, arguments: text } };
}

/** A piece of a call's arguments. */
function encodeInput({ input }: Reply['toolCalls'][number], piece: string) {
  return input === 'text' ? { custom: { input: piece } } : { function: { arguments: piece } };
}

function encodeUsage(reply: Reply) {
  const { inputTokens, outputTokens } = reply.usage;
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: reasoningTokensOf(reply), audio_tokens: 0 },
  };
}

function encodeData(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
