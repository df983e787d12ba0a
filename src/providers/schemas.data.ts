import * as z from 'zod';
import { dataSchema } from '../schema/data-schema.ts';
import { eventSchema } from './anthropic-messages/event-schema.ts';
import { chunkSchema } from './openai-chat/chunk-schema.ts';

// What an answer needs, so that it is read without zod. The build replaces this module by its values.

/** An error in the place of an event. */
export const ERROR_FRAME = dataSchema(z.object({ error: z.union([z.string(), z.looseObject({})]) }));

/** A chunk of a chat completion. */
export const CHAT_CHUNK = dataSchema(chunkSchema);

/** An event of Anthropic Messages. */
export const MESSAGE_EVENT = dataSchema(eventSchema);

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
