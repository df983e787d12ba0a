import * as z from 'zod';
import { dataSchema } from '../schema/data-schema.ts';
import { eventSchema } from './anthropic-messages/event-schema.ts';
import { chunkSchema as geminiChunk, modelSchema, signatureSchema } from './gemini/schemas.ts';
import { lineSchema, loadedSchema, showSchema } from './ollama-chat/schemas.ts';
import { chunkSchema } from './openai-chat/chunk-schema.ts';
import { contentSchema, reasoningSchema, eventSchema as responseEvent } from './openai-responses/event-schema.ts';

// What an answer needs, so that it is read without zod. The build replaces this module by its values.

/** An error in the place of an event. */
export const ERROR_FRAME = dataSchema(z.object({ error: z.union([z.string(), z.looseObject({})]) }));

/** A chunk of a chat completion. */
export const CHAT_CHUNK = dataSchema(chunkSchema);

/** An event of Anthropic Messages. */
export const MESSAGE_EVENT = dataSchema(eventSchema);

/** A chunk of Gemini. */
export const GEMINI_CHUNK = dataSchema(geminiChunk);

/** See `Signature` of Gemini. */
export const GEMINI_SIGNATURE = dataSchema(signatureSchema);

/** The facts that Gemini tells about a model. */
export const GEMINI_MODEL = dataSchema(modelSchema);

/** A line of an answer of Ollama. */
export const OLLAMA_LINE = dataSchema(lineSchema);

/** The facts that Ollama tells about a model. */
export const OLLAMA_SHOW = dataSchema(showSchema);

/** The models that Ollama has loaded. */
export const OLLAMA_LOADED = dataSchema(loadedSchema);

/** An event of OpenAI Responses. */
export const RESPONSE_EVENT = dataSchema(responseEvent);

/** See `ReasoningItem`. */
export const REASONING_ITEM = dataSchema(reasoningSchema);

/** The content of a complete message of OpenAI Responses. */
export const MESSAGE_CONTENT = dataSchema(contentSchema);

/** See `ThinkingItem`. */
export const THINKING_ITEM = dataSchema(
  z.union([
    z.object({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
    z.object({ type: z.literal('redacted_thinking'), data: z.string() }),
  ]),
);

/** See `AnswerPlace`. */
export const ANSWER_PLACE = dataSchema(
  z.union([
    z.object({
      type: z.literal('text_place'),
      length: z.int(),
      phase: z.enum(['commentary', 'final_answer']).exactOptional(),
    }),
    z.object({ type: z.literal('call_place') }),
  ]),
);
