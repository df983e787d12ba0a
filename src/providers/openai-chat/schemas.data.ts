import * as z from 'zod';
import { anyJson, dataSchema, explainedSchema } from '../../schema/data-schema.ts';

// The build replaces this module by its values.

const call = z.object({
  index: z.number().int().nullish(),
  id: z.string().nullish(),
  function: z
    .object({ name: z.string().nullish(), arguments: z.union([z.string(), z.looseObject({})]).nullish() })
    .nullish(),
});

/** The parts of a chunk of a chat completion that are read. Servers may omit any of them or set it to null; other keys are ignored. */
export const CHAT_CHUNK = explainedSchema(
  z.object({
    choices: z
      .array(
        z.object({
          delta: z
            .object({
              content: z.string().nullish(),
              refusal: z.string().nullish(),
              reasoning_content: z.string().nullish(),
              reasoning: z.string().nullish(),
              reasoning_text: z.string().nullish(),
              tool_calls: z.array(call).nullish(),
            })
            .nullish(),
          finish_reason: z.string().nullish(),
        }),
      )
      .nullish(),
    usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }).nullish(),
  }),
);

/** Fields of an answer that its server gets back: those of the message, or of the call at a position. */
export const CHAT_STATE = dataSchema(
  z.object({
    type: z.enum(['message_fields', 'call_fields']),
    call: z.int().exactOptional(),
    fields: z.record(z.string(), anyJson),
  }),
);
