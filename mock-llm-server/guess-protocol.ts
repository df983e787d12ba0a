import * as z from 'zod';
import type { Protocol } from './conversation.ts';

const BodySchema = z.object({
  contents: z.unknown().optional(),
  input: z.unknown().optional(),
  system: z.unknown().optional(),
  options: z.unknown().optional(),
  messages: z.array(z.object({ content: z.unknown().optional() })).catch([]),
});
const BlocksSchema = z.array(z.object({ type: z.string() })).catch([]);
const BLOCK_TYPES = ['tool_use', 'tool_result', 'thinking'];

/** Guesses the protocol of the body of a request from its form; Chat Completions where nothing speaks against it. Pure. */
export function guessProtocol(body: string): Protocol {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return 'openai-chat';
  }
  const { success, data } = BodySchema.safeParse(json);
  if (!success) return 'openai-chat';
  if (data.contents !== undefined) return 'gemini';
  if (data.input !== undefined) return 'openai-responses';
  const hasBlocks = data.messages.some(({ content }) =>
    BlocksSchema.parse(content).some(({ type }) => BLOCK_TYPES.includes(type)),
  );
  if (data.system !== undefined || hasBlocks) return 'anthropic-messages';
  return data.options === undefined ? 'openai-chat' : 'ollama';
}

/** Where a request of the protocol is sent. */
export const PROTOCOL_PATHS: Readonly<Record<Protocol, string>> = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  'anthropic-messages': '/v1/messages',
  gemini: '/v1beta/models/mock-model:generateContent',
  ollama: '/api/chat',
};
