import * as z from 'zod';
import { dataSchema, explainedSchema } from '../../schema/data-schema.ts';

// The build replaces this module by its values.

const text = z.string().nullish();
// A number, or its text.
const place = z.union([z.number(), z.string().regex(/^\d+$/, 'Invalid input: expected number')]).nullish();
// Used if it has counts.
const usage = z.looseObject({});

const block = z.object({
  type: z.string(),
  id: text,
  name: text,
  input: z.unknown().optional(),
  text,
  thinking: text,
  signature: text,
  data: text,
});

/**
 * The parts of all events that are read, and of a whole message. Servers may omit any of them or set it to null; other
 * keys are ignored.
 */
export const MESSAGE_EVENT = explainedSchema(
  z.object({
    type: text,
    index: place,
    message: z.object({ usage: usage.nullish() }).nullish(),
    content: z.array(block).nullish(),
    stop_reason: text,
    content_block: block.nullish(),
    delta: z
      .object({
        ...{ type: text, text, thinking: text, signature: text, stop_reason: text },
        // A text of JSON; some gateways send the object itself.
        partial_json: z.union([z.string(), z.looseObject({})]).nullish(),
      })
      .nullish(),
    usage: usage.nullish(),
  }),
);

/** A block of thinking, which the API accepts only unchanged and in its original place. */
export const THINKING_ITEM = dataSchema(
  z.union([
    z.object({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
    z.object({ type: z.literal('redacted_thinking'), data: z.string() }),
  ]),
);
