import * as z from 'zod';
import { JsonObjectSchema } from '../body-schema.ts';

const PartSchema = z.object({ type: z.string(), text: z.string().nullish(), refusal: z.string().nullish() });

/** The content of a message or of a tool result. */
export const ContentSchema = z.union([z.string(), z.array(PartSchema)], {
  error: ({ input }) => describeContent(input),
});

/** The reason for which a content cannot be read. */
function describeContent(input: unknown): string {
  const index = Array.isArray(input) ? input.findIndex((part) => !PartSchema.safeParse(part).success) : -1;
  if (index !== -1) return `part ${index} has no type`;
  if (input === undefined || input === null) return 'expected a string or an array of parts, received nothing';
  const found = Number.isInteger(input) ? 'an integer' : typeof input === 'boolean' ? 'a boolean' : 'an object';
  return `expected a string or an array of parts, received ${found}`;
}

/** The name and the schema of a format of the type `json_schema`. */
export const NamedSchema = z.object({ name: z.string().nullish(), schema: JsonObjectSchema.nullish() });

const ToolNameSchema = z.object({ name: z.string() }).optional();
const ChosenToolSchema = z.object({
  type: z.string().optional(),
  name: z.string().optional(),
  function: ToolNameSchema,
  custom: ToolNameSchema,
});
const AllowedToolsSchema = z.object({ mode: z.string(), tools: z.array(ChosenToolSchema) });

/** `tool_choice` of both APIs: Chat Completions writes names and allowed tools into objects of their own. */
export const ToolChoiceSchema = z
  .union([
    z.string(),
    ChosenToolSchema.extend({
      mode: z.string().optional(),
      tools: z.array(ChosenToolSchema).optional(),
      allowed_tools: AllowedToolsSchema.optional(),
    }),
  ])
  .nullish();

/** The content of a message or of a tool result. */
export type Content = z.infer<typeof ContentSchema>;
export type NamedFormat = z.infer<typeof NamedSchema>;
export type ToolChoiceField = z.infer<typeof ToolChoiceSchema>;
export type ChosenTool = z.infer<typeof ChosenToolSchema>;
