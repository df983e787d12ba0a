import * as z from 'zod';
import { dataSchema } from '../schema/data-schema.ts';

// The build replaces this module by its values.

/**
 * The place of a piece of text or of a call among the items of an answer, for an API that wants its items back in their
 * order. The text and the call are in the message; `length` is that of the text, in UTF-16 units.
 */
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
