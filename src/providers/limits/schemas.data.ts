import * as z from 'zod';
import { explainedSchema } from '../../schema/data-schema.ts';

// The build replaces this module by its values.

/** The list of models that servers with the protocols of OpenAI and Anthropic share. Other fields are used where they fit. */
export const LISTED_MODELS = explainedSchema(z.object({ data: z.array(z.looseObject({ id: z.string() })) }));

/** An answer of which single values are used if they have the expected type: `/props` of llama.cpp, `/api/show` of Ollama. */
export const FACTS = explainedSchema(z.looseObject({}));
