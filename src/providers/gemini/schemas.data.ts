import * as z from 'zod';
import { dataSchema, explainedSchema } from '../../schema/data-schema.ts';

// The build replaces this module by its values.

const part = z.object({
  text: z.string().nullish(),
  thought: z.boolean().nullish(),
  thoughtSignature: z.string().nullish(),
  functionCall: z
    .object({ id: z.string().nullish(), name: z.string(), args: z.record(z.string(), z.unknown()).nullish() })
    .nullish(),
});

const count = z.number().int().nonnegative().nullish();

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
    usageMetadata: z
      .object({
        promptTokenCount: count,
        candidatesTokenCount: count,
        thoughtsTokenCount: count,
        cachedContentTokenCount: count,
      })
      .nullish(),
  }),
);

/** A signature of an answer, and the index of the call that has it; `null` for the text. */
export const GEMINI_SIGNATURE = dataSchema(z.object({ call: z.number().nullable(), thoughtSignature: z.string() }));

/** The facts about a model. The limits are used if they are numbers. */
export const GEMINI_MODEL = explainedSchema(
  z.object({ inputTokenLimit: z.unknown().optional(), outputTokenLimit: z.unknown().optional() }),
);
