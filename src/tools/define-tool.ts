import { ToolError } from '../agent/errors.ts';
import type { JsonObject } from '../agent/ports/json.ts';
import type {
  PlannedEffect,
  RunLimits,
  Tool,
  ToolContext,
  ToolDefinition,
  ToolProgress,
  ToolResult,
} from '../agent/ports/tool.ts';
import type { ExplainedSchema } from '../schema/conforms.ts';
import { isJsonObject } from '../text/json/json.ts';
import { canonicalArguments } from './dialects/aliases.ts';
import { readArguments } from './read-arguments.ts';

/** A `ToolError` with its message changed, and every other error as it is. */
export function rephraseToolError(error: unknown, change: (message: string) => string): unknown {
  if (!(error instanceof ToolError)) return error;
  return new ToolError(error.code, change(error.message), { cause: error, rule: error.rule });
}

/** The plan of a call: its effect, which is passed on unchanged, and data of the tool, such as the bytes of a file. */
export interface ToolPlan {
  readonly effect: PlannedEffect;
}

/** The work of a tool: a `plan` without side effects that fixes the effect, and a `run` that carries out the plan. */
interface ToolSpecification<Arguments, Plan extends ToolPlan> {
  /** Inputs of other agents' tools that are more than a rename. They are not described to the model. */
  readonly variants?: readonly Variant<Plan>[];
  plan(args: Arguments, context: ToolContext): Promise<Plan>;
  run(
    plan: Plan,
    context: ToolContext & { readonly limits: RunLimits },
  ): AsyncGenerator<ToolProgress, ToolResult, void>;
}

/** Another form of the input. It is used when `applies` is true of the arguments, under the names of ybs. */
export interface Variant<Plan> {
  applies(args: JsonObject): boolean;
  plan(args: JsonObject, context: ToolContext, toolName: string): Promise<Plan>;
}

/** A form of the input with its own arguments. It applies when `applies` is true of them. */
export function variant<Arguments, Plan>(
  applies: (args: JsonObject) => boolean,
  schema: ExplainedSchema<Arguments>,
  plan: (args: Arguments, context: ToolContext) => Promise<Plan>,
): Variant<Plan> {
  return {
    applies,
    plan: async (args, context, toolName) => plan(await readArguments(toolName, args, schema), context),
  };
}

/**
 * Creates a tool whose `plan` renames and converts the arguments of other agents and small models,
 * then checks them. Throws `ToolError` `invalid_arguments` that names each invalid field and the expected type.
 */
export function defineTool<Arguments, Plan extends ToolPlan>(
  definition: ToolDefinition,
  schema: ExplainedSchema<Arguments>,
  specification: ToolSpecification<Arguments, Plan>,
): Tool {
  const { name } = definition;
  const { variants = [] } = specification;
  return {
    definition,
    async plan(args, context) {
      requireFewArguments(name, args);
      const named = canonicalArguments(name, args);
      const other = isJsonObject(named) ? variants.find(({ applies }) => applies(named)) : undefined;
      const plan =
        isJsonObject(named) && other !== undefined
          ? await other.plan(named, context, name)
          : await specification.plan(await readArguments(name, named, schema), context);
      return { effect: plan.effect, run: (limits = {}) => specification.run(plan, { ...context, limits }) };
    },
  };
}

/** More than any tool has. The conversion of hundreds of thousands of arguments would block the program. */
const MAX_ARGUMENTS = 100;

function requireFewArguments(name: string, args: unknown): void {
  const count = typeof args === 'object' && args !== null && !Array.isArray(args) ? Object.keys(args).length : 0;
  if (count <= MAX_ARGUMENTS) return;
  throw new ToolError('invalid_arguments', `The call of ${name} has ${count} arguments. Use only those of its schema.`);
}
