import * as z from 'zod';
import type { Protocol } from '../conversation/conversation.ts';

const Calls = z.array(z.object({ function: z.object({ arguments: z.unknown() }).catch({ arguments: undefined }) }));
const MessageSchema = z.looseObject({
  role: z.unknown().optional(),
  content: z.unknown().optional(),
  tool_calls: Calls.catch([]),
});
const BodySchema = z.looseObject({
  model: z.string().catch(''),
  messages: z.array(MessageSchema.catch({ tool_calls: [] })).catch([]),
  tools: z.array(z.looseObject({ type: z.string().catch('') }).catch({ type: '' })).catch([]),
  tool_choice: z.object({ type: z.string() }).optional().catch(undefined),
});
const BlocksSchema = z.array(z.object({ type: z.string() }).catch({ type: '' })).catch([]);

type Body = z.infer<typeof BodySchema>;

/** Fields that only one protocol has, those first that leave the least doubt. */
const FIELDS: readonly (readonly [Protocol, readonly string[]])[] = [
  ['gemini', ['contents', 'generateContentRequest', 'generate_content_request']],
  ['openai-responses', ['input', 'previous_response_id', 'instructions']],
  [
    'anthropic-messages',
    ['system', 'anthropic_version', 'anthropic_beta', 'stop_sequences', 'output_config', 'thread'],
  ],
  ['openai-chat', ['response_format', 'stream_options', 'max_completion_tokens', 'n', 'logprobs', 'functions']],
  ['ollama', ['options', 'keep_alive', 'format', 'think']],
];
const BLOCK_TYPES = ['tool_use', 'tool_result', 'thinking', 'redacted_thinking', 'image', 'document'];
const CHOICES = ['auto', 'any', 'tool', 'none'];

/**
 * Guesses the protocol of the body of a request from its form; Chat Completions where nothing speaks against it. Pure.
 */
export function guessProtocol(body: string): Protocol {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return 'openai-chat';
  }
  const { success, data } = BodySchema.safeParse(json);
  if (!success) return 'openai-chat';
  const named = FIELDS.find(([, fields]) => fields.some((field) => data[field] !== undefined))?.[0];
  if (named === 'gemini' || named === 'openai-responses') return named;
  if (isAnthropic(data)) return 'anthropic-messages';
  if (named !== undefined) return named;
  if (isOllama(data)) return 'ollama';
  return isForClaude(data) ? 'anthropic-messages' : 'openai-chat';
}

/** Its tools have a schema of their own, or a version; its calls and results are blocks. */
function isAnthropic({ tools, tool_choice: choice, messages }: Body): boolean {
  return (
    tools.some((tool) => tool['input_schema'] !== undefined || /_20\d{6}$/.test(tool.type)) ||
    (choice !== undefined && CHOICES.includes(choice.type)) ||
    messages.some(({ content }) => BlocksSchema.parse(content).some(({ type }) => BLOCK_TYPES.includes(type)))
  );
}

/** Its arguments are objects, its results name their tool and no call, its images are beside the text. */
function isOllama({ messages }: Body): boolean {
  return messages.some(
    (message) =>
      message['tool_name'] !== undefined ||
      Array.isArray(message['images']) ||
      (message.role === 'tool' && message['tool_call_id'] === undefined) ||
      message.tool_calls.some((call) => typeof call.function.arguments === 'object'),
  );
}

/** A plain request says nothing else: a model of Anthropic's, the length that its API asks for, no system message. */
function isForClaude({ model, messages, max_tokens: length }: Body): boolean {
  const speaksChat = messages.some(
    (message) => message.role === 'system' || message.role === 'developer' || message.tool_calls.length > 0,
  );
  return model.startsWith('claude') && length !== undefined && !speaksChat;
}

/** Where a request of the protocol is sent. */
export const PROTOCOL_PATHS: Readonly<Record<Protocol, string>> = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  'anthropic-messages': '/v1/messages',
  gemini: '/v1beta/models/mock-model:generateContent',
  ollama: '/api/chat',
};
