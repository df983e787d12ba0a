import * as z from 'zod';
import { anyJson, dataSchema, explainedSchema } from '../../schema/data-schema.ts';

// The build replaces this module by its values.

const called = z.object({
  name: z.string().nullish(),
  // A text of JSON; some servers send the object itself, or a list.
  arguments: z.unknown().optional(),
});

const call = z.object({ index: z.number().int().nullish(), id: z.string().nullish(), function: called.nullish() });

/** A piece of a call. */
export const CHAT_CALL = dataSchema(call);

const message = z
  .object({
    // A text, or parts.
    content: z.union([z.string(), z.array(z.unknown()), z.looseObject({})]).nullish(),
    refusal: z.string().nullish(),
    reasoning_content: z.union([z.string(), z.array(z.unknown())]).nullish(),
    reasoning: z.union([z.string(), z.array(z.unknown()), z.looseObject({})]).nullish(),
    tool_calls: z.array(call).nullish(),
    reasoning_text: z.string().nullish(),
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
        z.object({
          index: z.number().nullish(),
          delta: message,
          message,
          finish_reason: z.string().nullish(),
          // Some gateways describe beside the reason what went wrong.
          error: z.unknown().optional(),
        }),
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
