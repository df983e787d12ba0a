import * as z from 'zod';
import { ToolError } from '../core/errors.ts';
import type { JsonObject, JsonValue } from '../ports/json.ts';
import type { PlannedEffect, Tool, ToolContext, ToolEffect, ToolProgress, ToolResult } from '../ports/tool.ts';
import { canonicalArguments } from './dialects.ts';

/**
 * The definition of a tool: a zod schema of the arguments, from which the JSON Schema for the model is generated, a
 * `plan` without side effects that fixes the effect, and a `run` that carries out the plan.
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
 * then checks them. Throws `ToolError` `invalid_arguments` that names each invalid field and the expected type.
 */
export function defineTool<Arguments, Plan extends PlannedEffect>(
  specification: ToolSpecification<Arguments, Plan>,
): Tool {
  const { name, description, effect, schema } = specification;
  const parameters = jsonSchemaOf(schema);
  return {
    definition: { name, description, effect, parameters },
    async plan(args, context) {
      requireFewArguments(name, args);
      const parsed = schema.safeParse(coerceArguments(canonicalArguments(name, args), parameters));
      if (!parsed.success) {
        const problems = z.prettifyError(parsed.error);
        throw new ToolError('invalid_arguments', `The arguments of ${name} do not fit its schema:\n${problems}`);
      }
      const plan = await specification.plan(parsed.data, context);
      return { effect: effectOf(plan), run: () => specification.run(plan, context) };
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

/** The effect without the private part of the plan, such as the bytes of a file, which must not reach the events. */
function effectOf(plan: PlannedEffect): PlannedEffect {
  const { summary, paths, command, workingDirectory, preview, before, readThisSession, protection, unchanged } = plan;
  return {
    summary,
    paths,
    ...(command === undefined ? {} : { command }),
    ...(workingDirectory === undefined ? {} : { workingDirectory }),
    ...(preview === undefined ? {} : { preview }),
    ...(before === undefined ? {} : { before }),
    ...(readThisSession === undefined ? {} : { readThisSession }),
    ...(protection === undefined ? {} : { protection }),
    ...(unchanged === undefined ? {} : { unchanged }),
  };
}

/** Schema of a string that UTF-8 can encode. A lone surrogate would become another character in a file. */
export function wellFormedText(): z.ZodString {
  return z.string().refine((text) => !/\p{Surrogate}/u.test(text), 'contains a lone surrogate (\\ud800 to \\udfff)');
}

const JsonObjectSchema: z.ZodType<JsonObject> = z.record(z.string(), z.json());

/** The JSON Schema of the arguments before defaults are applied, so that fields with a default are optional. */
function jsonSchemaOf(schema: z.ZodType): JsonObject {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return JsonObjectSchema.parse(rest);
}

/**
 * Converts numbers and booleans that small models write as strings (`"limit": "10"`) to the type in the schema.
 * Converts only strings that are exactly such a value. Removes a `null` for an optional argument, because some
 * providers make models fill in every argument.
 */
export function coerceArguments(args: unknown, schema: JsonObject): unknown {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return args;
  const types = propertyTypes(schema);
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const isOmitted = (key: string, value: unknown): boolean =>
    value === null && types.get(key) !== undefined && !required.includes(key);
  return Object.fromEntries(
    Object.entries(args)
      .filter(([key, value]) => !isOmitted(key, value))
      .map(([key, value]) => [key, coerce(value, types.get(key))]),
  );
}

function coerce(value: unknown, type: JsonValue | undefined): unknown {
  if (typeof value !== 'string') return value;
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  const isNumber = /^-?\d+(\.\d+)?$/.test(value);
  return isNumber && (type === 'integer' || type === 'number') ? Number(value) : value;
}

function propertyTypes(schema: JsonObject): Map<string, JsonValue | undefined> {
  const properties = schema['properties'];
  return new Map(isObject(properties) ? Object.entries(properties).map(([key, value]) => [key, typeOf(value)]) : []);
}

function typeOf(property: JsonValue): JsonValue | undefined {
  return isObject(property) ? property['type'] : undefined;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
