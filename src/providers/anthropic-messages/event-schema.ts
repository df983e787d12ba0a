import * as z from 'zod';

const count = z.number().nullish();
const text = z.string().nullish();
/** The tokens that an event counts. */
export const usageSchema = z.object({
  input_tokens: count,
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
  output_tokens: count,
});

/** The parts of all events that are read. Servers may omit any of them or set it to null; other keys are ignored. */
export const eventSchema = z.object({
  type: z.string(),
  index: z.number().optional(),
  message: z.object({ usage: usageSchema.nullish() }).nullish(),
  content_block: z
    .object({
      type: z.string(),
      id: text,
      name: text,
      input: z.unknown().optional(),
      text,
      thinking: text,
      signature: text,
      data: text,
    })
    .nullish(),
  delta: z
    .object({ type: text, text, thinking: text, signature: text, partial_json: text, stop_reason: text })
    .nullish(),
  usage: usageSchema.nullish(),
});
