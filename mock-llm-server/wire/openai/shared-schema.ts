import * as z from 'zod';
import { JsonObjectSchema } from '../body-schema.ts';

const PartSchema = z.object({ type: z.string(), text: z.string().nullish(), refusal: z.string().nullish() });

/** The content of a message or of a tool result. */
export const ContentSchema = z.union([z.string(), z.array(PartSchema)], {
  error: 'expected a string or an array of parts with a type',
});

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
/** The name and the schema of a format. */
export type NamedFormat = z.infer<typeof NamedSchema>;
/** The field `tool_choice`. */
export type ToolChoiceField = z.infer<typeof ToolChoiceSchema>;
/** A tool in that field. */
export type ChosenTool = z.infer<typeof ChosenToolSchema>;
