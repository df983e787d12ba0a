import * as z from 'zod';
import { explainedSchema } from '../../schema/data-schema.ts';

// The build replaces this module by its values.

const call = z.object({
  id: z.unknown().optional(),
  function: z.object({ name: z.string(), arguments: z.union([z.looseObject({}), z.string()]).nullish() }),
});

/** The parts of a line that are read. Servers may omit any of them or set it to null; other keys are ignored. */
export const OLLAMA_LINE = explainedSchema(
  z.object({
    message: z
      .object({
        content: z.string().nullish(),
        thinking: z.string().nullish(),
        tool_calls: z.array(call).nullish(),
      })
      .nullish(),
    done: z.boolean().nullish(),
    done_reason: z.string().nullish(),
    // Used if they are counts.
    prompt_eval_count: z.unknown().optional(),
    eval_count: z.unknown().optional(),
  }),
);

/** The answer of `/api/show`. Its values are used if they have the expected type. */
export const OLLAMA_SHOW = explainedSchema(
  z.object({
    model_info: z.unknown().optional(),
    capabilities: z.unknown().optional(),
    parameters: z.unknown().optional(),
  }),
);

/** The answer of `/api/ps`. */
export const OLLAMA_LOADED = explainedSchema(
  z.object({
    models: z
      .array(
        z.object({ model: z.string().nullish(), name: z.string().nullish(), context_length: z.unknown().optional() }),
      )
      .nullish(),
  }),
);
