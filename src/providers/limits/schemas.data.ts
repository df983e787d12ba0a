import * as z from 'zod';
import { explainedSchema } from '../../schema/data-schema.ts';

// The build replaces this module by its values.

/** The list of models that servers with the protocols of OpenAI and Anthropic share. Other fields are used where they fit. */
export const LISTED_MODELS = explainedSchema(z.object({ data: z.array(z.looseObject({ id: z.string() })) }));

/** The list of Gemini. The limits are used if they are whole numbers. */
export const GEMINI_MODELS = explainedSchema(
  z.object({
    models: z
      .array(
        z.object({
          name: z.string(),
          inputTokenLimit: z.unknown().optional(),
          outputTokenLimit: z.unknown().optional(),
          supportedGenerationMethods: z.array(z.string()).nullish(),
        }),
      )
      .nullish(),
  }),
);

/** The list of Ollama, `/api/tags`. */
export const OLLAMA_MODELS = explainedSchema(
  z.object({ models: z.array(z.object({ name: z.string(), size: z.unknown().optional() })) }),
);

/** An answer of which single values are used if they have the expected type: `/props` of llama.cpp, `/api/show` of Ollama. */
export const FACTS = explainedSchema(z.looseObject({}));
