import * as z from 'zod';
import { ToolError } from '../core/errors.ts';
import type { JsonObject } from '../ports/json.ts';
import type { PlannedEffect, Tool, ToolContext, ToolEffect, ToolProgress, ToolResult } from '../ports/tool.ts';
import { coerceArguments } from './coerce-arguments.ts';
import { canonicalArguments } from './dialects.ts';

/**
 * A tool as its author writes it: a zod schema of the arguments, from which the model's JSON Schema is made, a `plan`
 * without side effects that fixes the effect, and a `run` that does what the plan says.
 */
export interface ToolSpecification<Arguments, Plan extends PlannedEffect> {
  readonly name: string;
  readonly description: string;
  readonly effect: ToolEffect;
  readonly schema: z.ZodType<Arguments>;
  plan(args: Arguments, context: ToolContext): Promise<Plan>;
  run(plan: Plan, context: ToolContext): AsyncGenerator<ToolProgress, ToolResult, void>;
}

/**
 * Turns a specification into a tool whose `plan` renames and converts the arguments of other agents and small models,
 * then checks them. Invalid arguments become a `ToolError` `invalid_arguments` that names each field and its type.
 */
export function defineTool<Arguments, Plan extends PlannedEffect>(
  specification: ToolSpecification<Arguments, Plan>,
): Tool {
  const { name, description, effect, schema } = specification;
  const parameters = jsonSchemaOf(schema);
  return {
    definition: { name, description, effect, parameters },
    async plan(args, context) {
      const parsed = schema.safeParse(coerceArguments(canonicalArguments(name, args), parameters));
      if (!parsed.success) {
        const problems = z.prettifyError(parsed.error);
        throw new ToolError('invalid_arguments', `The arguments of ${name} do not fit its schema:\n${problems}`);
      }
      const plan = await specification.plan(parsed.data, context);
      return { effect: plan, run: () => specification.run(plan, context) };
    },
  };
}

/** The run of a tool that shows no progress. */
export async function* withoutProgress(
  work: () => Promise<ToolResult>,
): AsyncGenerator<ToolProgress, ToolResult, void> {
  yield* [];
  return await work();
}

/** A string argument that UTF-8 can encode: half of a surrogate pair would become another character in a file. */
export function wellFormedText(): z.ZodString {
  return z
    .string()
    .refine((text) => !/\p{Surrogate}/u.test(text), 'holds half of a surrogate pair (\\ud800 to \\udfff)');
}

const JsonObjectSchema: z.ZodType<JsonObject> = z.record(z.string(), z.json());

/** The JSON Schema of the arguments before defaults are filled in: fields with a default are optional in it. */
function jsonSchemaOf(schema: z.ZodType): JsonObject {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return JsonObjectSchema.parse(rest);
}
