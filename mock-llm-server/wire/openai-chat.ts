import * as z from 'zod';
import type { Answer } from '../answer.ts';
import type { UnpairedResults } from '../check-tool-results.ts';
import type { Conversation, ConversationMessage, Reply, TextPart } from '../conversation.ts';
import { splitText } from '../split-text.ts';

/** How tool call ids begin in this protocol. */
export const CALL_ID_PREFIX = 'call_';

/** The model that a request without one is answered as, and the one that the list of models names. */
export const MODEL = 'mock-model';

/** A request of the Chat Completions protocol, read. */
export interface ChatRequest {
  readonly conversation: Conversation;
  readonly stream: boolean;
  /** Whether a stream ends with a frame that holds the usage. */
  readonly includeUsage: boolean;
}

/** The body of every error in this protocol. */
export interface ChatError {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
    readonly code: string | null;
  };
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

const RequestSchema = z.object({
  model: z.string().default(MODEL),
  messages: z.array(MessageSchema).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
});

/** Reads the text of a request body. Fields that the server does not need may hold anything. */
export function readChatRequest(body: string): ChatRequest | ChatError {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return chatError(`We could not parse the JSON body of your request: ${reason}`);
  }
  const parsed = RequestSchema.safeParse(json);
  if (!parsed.success) return describeInvalid(parsed.error.issues[0]);
  const { model, messages, stream, stream_options } = parsed.data;
  return {
    conversation: {
      model,
      system: messages.flatMap((message) =>
        message.role === 'system' || message.role === 'developer'
          ? textParts(message.content).map((part) => part.text)
          : [],
      ),
      messages: messages.flatMap((message, index) => readMessage(message, index) ?? []),
    },
    stream: stream ?? false,
    includeUsage: stream_options?.include_usage ?? false,
  };
}

/** The body of an answer that is not streamed. */
export function encodeChatReply(reply: Reply): Record<string, unknown> {
  const { content, toolCalls } = reply;
  const message = {
    role: 'assistant',
    content: content ?? null,
    refusal: null,
    ...(toolCalls.length > 0 && { tool_calls: toolCalls.map(encodeCall) }),
  };
  return {
    ...encodeHead(reply, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(reply) }],
    usage: encodeUsage(reply),
  };
}

/** The frames of a streamed answer, each ready to be sent; the last one is `[DONE]`. */
export function encodeChatFrames(reply: Reply, includeUsage: boolean): string[] {
  const head = encodeHead(reply, 'chat.completion.chunk');
  const frame = (delta: object, finish: string | null = null) =>
    encodeFrame({
      ...head,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...(includeUsage && { usage: null }),
    });
  const calls = reply.toolCalls.flatMap((call, index) => [
    frame({ tool_calls: [{ index, ...encodeCall({ ...call, arguments: '' }) }] }),
    ...splitText(call.arguments).map((piece) => frame({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ]);
  return [
    frame({ role: 'assistant', content: reply.content === undefined ? null : '', refusal: null }),
    ...splitText(reply.content ?? '').map((piece) => frame({ content: piece })),
    ...calls,
    frame({}, finishReason(reply)),
    ...(includeUsage ? [encodeFrame({ ...head, choices: [], usage: encodeUsage(reply) })] : []),
    'data: [DONE]\n\n',
  ];
}

/** The body of a 400 for everything that is not a reply. */
export function encodeChatRefusal(answer: Exclude<Answer, { type: 'reply' }>): ChatError {
  switch (answer.type) {
    case 'refusal':
      return chatError(answer.message, { code: answer.code, param: 'messages' });
    case 'unpaired_results':
      return chatError(describeUnpaired(answer), { param: `messages.[${answer.index}].role` });
    default:
      return answer satisfies never;
  }
}

/** The list of models. */
export function encodeModels(): Record<string, unknown> {
  const created = Date.UTC(2025, 0, 1) / 1000;
  return { object: 'list', data: [{ id: MODEL, object: 'model', created, owned_by: 'mock-llm-server' }] };
}

/** An error body; a bad request unless `detail` says otherwise. */
export function chatError(message: string, detail: Partial<ChatError['error']> = {}): ChatError {
  return { error: { message, type: 'invalid_request_error', param: null, code: null, ...detail } };
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
        arguments: call.function?.arguments ?? call.custom?.input ?? '',
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

function describeInvalid(issue: z.core.$ZodIssue | undefined): ChatError {
  const path = (issue?.path ?? []).map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  const param = path.replace(/^\./, '');
  if (param === '') return chatError('The body of the request must be a JSON object.');
  if (param === 'messages' && issue?.code === 'invalid_type' && issue.message.endsWith('received undefined')) {
    return chatError("Missing required parameter: 'messages'.", { param, code: 'missing_required_parameter' });
  }
  return chatError(`Invalid value for '${param}': ${issue?.message}.`, { param, code: 'invalid_value' });
}

function describeUnpaired({ missing, orphans, hint }: UnpairedResults): string {
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
  return [...sentences, ...(hint === undefined ? [] : [hint])].join('. ');
}

function encodeHead({ digest, created, model }: Reply, object: string) {
  const id = `chatcmpl-${digest.slice(0, 29)}`;
  return { id, object, created, model, service_tier: 'default', system_fingerprint: 'fp_mock' };
}

function encodeCall({ id, name, arguments: text }: Reply['toolCalls'][number]) {
  return { id, type: 'function', function: { name, arguments: text } };
}

function encodeUsage({ usage: { inputTokens, outputTokens } }: Reply) {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
  };
}

function finishReason({ toolCalls }: Reply): string {
  return toolCalls.length > 0 ? 'tool_calls' : 'stop';
}

function encodeFrame(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
