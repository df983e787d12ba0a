import * as z from 'zod';
import { dataSchema, explainedSchema } from '../../schema/data-schema.ts';

// The build replaces this module by its values.

const text = z.string().nullish();
// A number, or its text.
const place = z.union([z.number(), z.string().regex(/^\d+$/, 'Invalid input: expected number')]).nullish();

/**
 * Reasoning that the server gets back: encrypted, or as plain text from servers with open models. Without its id, which
 * would require the ids of the items after it.
 */
export const REASONING_ITEM = dataSchema(
  z.object({
    type: z.literal('reasoning'),
    summary: z.array(z.object({ type: z.literal('summary_text'), text: z.string() })),
    content: z.array(z.object({ type: z.literal('reasoning_text'), text: z.string() })).exactOptional(),
    encrypted_content: z.string().nullable().exactOptional(),
  }),
);

export const MESSAGE_CONTENT = dataSchema(
  z.array(z.object({ text: z.string().optional(), refusal: z.string().optional() })),
);

const item = z.looseObject({
  type: text,
  id: text,
  call_id: text,
  name: text,
  // A text of JSON; some servers send the object itself.
  arguments: z.unknown().optional(),
  // The arguments of a custom call.
  input: z.unknown().optional(),
  phase: z.unknown().optional(),
  content: z.unknown().optional(),
  summary: z.unknown().optional(),
});

const response = z.object({
  status: text,
  error: z.unknown().optional(),
  incomplete_details: z.object({ reason: text }).nullish(),
  // The reason of some gateways, which send no status.
  stop_reason: z.unknown().optional(),
  output: z.array(item).nullish(),
  // The whole text, of gateways that send no items.
  output_text: z.unknown().optional(),
  // Used if it has counts.
  usage: z.unknown().optional(),
});

/**
 * The parts of all events that are read, and of a whole response. Servers may omit any of them or set it to null; other
 * keys are ignored.
 */
export const RESPONSE_EVENT = explainedSchema(
  response.extend({
    type: text,
    object: text,
    output_index: place,
    item_id: text,
    summary_index: place,
    // Events that are not read have deltas of other types.
    delta: z.unknown().optional(),
    // The whole of what pieces said.
    text: z.unknown().optional(),
    refusal: z.unknown().optional(),
    arguments: z.unknown().optional(),
    input: z.unknown().optional(),
    part: z.unknown().optional(),
    item: item.nullish(),
    response: response.nullish(),
  }),
);
