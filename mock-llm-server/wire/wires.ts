import { anthropicMessages } from './anthropic-messages.ts';
import { gemini } from './gemini.ts';
import { ollama } from './ollama.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';
import type { Wire } from './wire.ts';

/** The protocol whose shape errors have where no protocol owns the path. */
export const DEFAULT_WIRE: Wire = openaiChat;

/** Every protocol the server speaks. Where two share a path, the first that says a request is its own answers. */
export const WIRES: readonly Wire[] = [anthropicMessages, gemini, ollama, openaiChat, openaiResponses];
