import * as z from 'zod';
import type { ToolChoice } from '../../conversation/conversation.ts';
import { BUILT_IN_TYPES } from './responses-built-in.ts';

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

/** The rule of a `tool_choice`; undefined for `auto` and for tools that the API runs. */
export function readToolChoice(choice: z.infer<typeof ToolChoiceSchema>): ToolChoice | undefined {
  if (choice === undefined || choice === null || choice === 'auto') return undefined;
  const text = `tool_choice ${JSON.stringify(choice)}`;
  if (typeof choice === 'string')
    return choice === 'none' || choice === 'required' ? { mode: choice, text } : undefined;
  const { mode, tools } = choice.allowed_tools ?? choice;
  if (tools === undefined) {
    const name = nameOf(choice);
    return name === undefined ? undefined : { mode: 'required', names: [name], text };
  }
  return { mode: mode === 'required' ? mode : 'auto', names: tools.flatMap((tool) => nameOf(tool) ?? []), text };
}

/** The name of a chosen tool. A tool that OpenAI defines is named by its type. */
function nameOf({ type, name, function: json, custom }: z.infer<typeof ChosenToolSchema>): string | undefined {
  return name ?? json?.name ?? custom?.name ?? BUILT_IN_TYPES.find((builtIn) => builtIn === type);
}
