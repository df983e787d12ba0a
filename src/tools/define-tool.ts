import * as z from 'zod';
import { ToolError } from '../core/errors.ts';
import type { JsonObject, JsonValue } from '../ports/json.ts';
import type { PlannedEffect, Tool, ToolContext, ToolDefinition, ToolProgress, ToolResult } from '../ports/tool.ts';
import { canonicalArguments } from './dialects.ts';

/** The description of a tool for the model, and the zod schema of the arguments, which their JSON Schema comes from. */
export interface ToolDescription<Arguments> {
  readonly definition: ToolDefinition;
  readonly schema: z.ZodType<Arguments>;
}

/** Describes a tool. Apart from its ports, so that a session knows its tools before it loads one; see `definitions.data.ts`. */
export function describeTool<Arguments>({
  schema,
  ...facts
}: Omit<ToolDefinition, 'parameters'> & { readonly schema: z.ZodType<Arguments> }): ToolDescription<Arguments> {
  return { definition: { ...facts, parameters: jsonSchemaOf(schema) }, schema };
}

/** The work of a tool: a `plan` without side effects that fixes the effect, and a `run` that carries out the plan. */
export interface ToolSpecification<Arguments, Plan extends PlannedEffect> {
  /** Inputs of other agents' tools that are more than a rename. They are not described to the model. */
  readonly variants?: readonly Variant<Plan>[];
  plan(args: Arguments, context: ToolContext): Promise<Plan>;
  run(plan: Plan, context: ToolContext): AsyncGenerator<ToolProgress, ToolResult, void>;
}

/** Another form of the input. It is used when `applies` is true of the arguments, under our names of them. */
export interface Variant<Plan> {
  applies(args: JsonObject): boolean;
  plan(args: JsonObject, context: ToolContext, toolName: string): Promise<Plan>;
}

/** A form of the input with its own schema. It applies when `applies` is true of the arguments. */
export function variant<Arguments, Plan>(
  applies: (args: JsonObject) => boolean,
  schema: z.ZodType<Arguments>,
  plan: (args: Arguments, context: ToolContext) => Promise<Plan>,
): Variant<Plan> {
  return {
    applies,
    plan: async (args, context, toolName) =>
      plan(parseArguments(toolName, args, schema, jsonSchemaOf(schema)), context),
  };
}

/**
 * Creates a tool whose `plan` renames and converts the arguments of other agents and small models,
 * then checks them. Throws `ToolError` `invalid_arguments` that names each invalid field and the expected type.
 */
export function defineTool<Arguments, Plan extends PlannedEffect>(
  { definition, schema }: ToolDescription<Arguments>,
  specification: ToolSpecification<Arguments, Plan>,
): Tool {
  const { name, parameters } = definition;
  const { variants = [] } = specification;
  return {
    definition,
    async plan(args, context) {
      requireFewArguments(name, args);
      const named = canonicalArguments(name, args);
      const object = JsonObjectSchema.safeParse(named).data;
      const other = object === undefined ? undefined : variants.find(({ applies }) => applies(object));
      const plan =
        object === undefined || other === undefined
          ? await specification.plan(parseArguments(name, named, schema, parameters), context)
          : await other.plan(object, context, name);
      return { effect: effectOf(plan), run: () => specification.run(plan, context) };
    },
  };
}

function parseArguments<Arguments>(
  toolName: string,
  args: unknown,
  schema: z.ZodType<Arguments>,
  parameters: JsonObject,
): Arguments {
  const parsed = schema.safeParse(coerceArguments(args, parameters));
  if (parsed.success) return parsed.data;
  const problems = z.prettifyError(parsed.error);
  throw new ToolError('invalid_arguments', `The arguments of ${toolName} do not fit its schema:\n${problems}`);
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
  const parameters: JsonObject = JSON.parse(JSON.stringify(rest));
  return parameters;
}

/**
 * Converts values to the types in the schema, at any depth: numbers and booleans that small models write as strings
 * (`"limit": "10"`), and integers where a string belongs (`"id": 1`). Converts only strings that are exactly such a
 * value. Removes a `null` for an optional argument, because some providers make models fill in every argument.
 */
export function coerceArguments(args: unknown, schema: JsonValue | undefined): unknown {
  if (!isObject(schema)) return args;
  const { type, items } = schema;
  if (Array.isArray(args)) return items === undefined ? args : args.map((item) => coerceArguments(item, items));
  if (typeof args !== 'object' || args === null) return coerceScalar(args, type);
  const properties = new Map(isObject(schema['properties']) ? Object.entries(schema['properties']) : []);
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const isOmitted = (key: string, value: unknown): boolean =>
    value === null && hasType(properties.get(key)) && !required.includes(key);
  return Object.fromEntries(
    Object.entries(args)
      .filter(([key, value]) => !isOmitted(key, value))
      .map(([key, value]) => [key, coerceArguments(value, properties.get(key))]),
  );
}

function coerceScalar(value: unknown, type: JsonValue | undefined): unknown {
  if (typeof value === 'number') return type === 'string' && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof value !== 'string') return value;
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  const isNumber = /^-?\d+(\.\d+)?$/.test(value);
  return isNumber && (type === 'integer' || type === 'number') ? Number(value) : value;
}

function hasType(schema: JsonValue | undefined): boolean {
  return isObject(schema) && schema['type'] !== undefined;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
