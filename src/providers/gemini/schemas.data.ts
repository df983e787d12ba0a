import * as z from 'zod';
import { dataSchema, explainedSchema } from '../../schema/data-schema.ts';

// The build replaces this module by its values.

const part = z.object({
  text: z.string().nullish(),
  thought: z.boolean().nullish(),
  thoughtSignature: z.string().nullish(),
  functionCall: z
    // The arguments are an object; of some gateways its JSON.
    .object({ id: z.string().nullish(), name: z.string().nullish(), args: z.unknown().optional() })
    .nullish(),
});

/** The parts of a chunk that are read; other keys are ignored. */
export const GEMINI_CHUNK = explainedSchema(
  z.object({
    candidates: z
      .array(
        z.object({
          content: z.object({ parts: z.array(part).nullish() }).nullish(),
          finishReason: z.string().nullish(),
          finishMessage: z.string().nullish(),
        }),
      )
      .nullish(),
    promptFeedback: z.object({ blockReason: z.string().nullish() }).nullish(),
    // Used if it has counts.
    usageMetadata: z.unknown().optional(),
  }),
);

/** A signature of an answer, and the index of the call that has it; `null` for the text. */
export const GEMINI_SIGNATURE = dataSchema(z.object({ call: z.number().nullable(), thoughtSignature: z.string() }));

/** The facts about a model. The limits are used if they are numbers. */
export const GEMINI_MODEL = explainedSchema(
  z.object({ inputTokenLimit: z.unknown().optional(), outputTokenLimit: z.unknown().optional() }),
);
