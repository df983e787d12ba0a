import * as z from 'zod';
import { anyJson, dataSchema, explainedSchema } from '../../schema/data-schema.ts';

// The build replaces this module by its values.

const called = z.object({
  name: z.string().nullish(),
  // A text of JSON; some servers send the object itself, or a list.
  arguments: z.unknown().optional(),
  // The names of Anthropic and Llama for them.
  input: z.unknown().optional(),
  parameters: z.unknown().optional(),
});

/** A piece of a call. Some servers have its name and its arguments outside of `function`. */
export const CHAT_CALL = dataSchema(
  called.extend({
    index: z.unknown().optional(),
    id: z.unknown().optional(),
    function: called.nullish(),
  }),
);

const message = z
  .object({
    // A text, or parts; a number that a gateway has taken for one.
    content: z.union([z.string(), z.number(), z.array(z.unknown()), z.looseObject({})]).nullish(),
    refusal: z.string().nullish(),
    reasoning_content: z.union([z.string(), z.array(z.unknown())]).nullish(),
    reasoning: z.union([z.string(), z.array(z.unknown()), z.looseObject({})]).nullish(),
    reasoning_text: z.string().nullish(),
    thinking: z.unknown().optional(),
    // Pieces of calls; some servers send one alone, or nothing in another form.
    tool_calls: z.unknown().optional(),
    // The form before `tool_calls`.
    function_call: called.nullish(),
  })
  .nullish();

/**
 * The parts of a chunk of a chat completion that are read, and of a whole one, which has a `message`. Servers may omit
 * any of them or set it to null; other keys are ignored.
 */
export const CHAT_CHUNK = explainedSchema(
  z.object({
    choices: z
      .array(
        z
          .object({
            index: z.unknown().optional(),
            delta: message,
            message,
            // The field of text completions.
            text: z.unknown().optional(),
            // A text; an object with one in SGLang.
            finish_reason: z.unknown().optional(),
            native_finish_reason: z.unknown().optional(),
            // Some gateways describe beside the reason what went wrong.
            error: z.unknown().optional(),
          })
          .nullable(),
      )
      .nullish(),
    // Used if it has counts.
    usage: z.unknown().optional(),
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
