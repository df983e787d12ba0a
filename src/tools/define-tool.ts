import * as z from 'zod';
import { ToolError } from '../core/errors.ts';
import type { AnyTool, PlannedEffect, Tool, ToolContext, ToolEffect, ToolProgress, ToolResult } from '../ports/tool.ts';
import { coerceArguments } from './coerce-arguments.ts';
import { jsonSchemaOf } from './json-schema.ts';

/** A tool as its author writes it: the arguments as a zod schema, from which the model's JSON Schema is made. */
export interface ToolSpecification<Arguments, Plan extends PlannedEffect> {
  readonly name: string;
  readonly description: string;
  readonly effect: ToolEffect;
  readonly schema: z.ZodType<Arguments>;
  plan(args: Arguments, context: ToolContext): Promise<Plan>;
  run(plan: Plan, context: ToolContext): AsyncGenerator<ToolProgress, ToolResult, void>;
}

/**
 * Turns a specification into a tool whose `plan` checks the arguments first. Arguments that do not fit become a
 * `ToolError` `invalid_arguments` that names each field and what was expected.
 */
export function defineTool<Arguments, Plan extends PlannedEffect>(
  specification: ToolSpecification<Arguments, Plan>,
): Tool<Plan> {
  const { name, description, effect, schema } = specification;
  const parameters = jsonSchemaOf(schema);
  return {
    definition: { name, description, effect, parameters },
    async plan(args, context) {
      const parsed = schema.safeParse(coerceArguments(args, parameters));
      if (!parsed.success) {
        const problems = z.prettifyError(parsed.error);
        throw new ToolError('invalid_arguments', `The arguments of ${name} do not fit its schema:\n${problems}`);
      }
      return specification.plan(parsed.data, context);
    },
    run: (plan, context) => specification.run(plan, context),
  };
}

/** Hides the type of a tool's plan, so that tools of different plans fit in one list. */
export function bindTool<Plan extends PlannedEffect>(tool: Tool<Plan>): AnyTool {
  return {
    definition: tool.definition,
    async prepare(args, context) {
      const plan = await tool.plan(args, context);
      return { effect: plan, run: () => tool.run(plan, context) };
    },
  };
}
