import { messageOf, ToolError, UsageError } from '../agent/errors.ts';
import type { JsonObject, JsonValue } from '../agent/ports/json.ts';
import type { Tool } from '../agent/ports/tool.ts';
import { ANSWER_TOOL } from './registry.ts';

const DESCRIPTION =
  'Give your final answer in this form. Call it exactly once, when the work is done: it ends the run, and nothing else ' +
  'that you write is part of the answer.';

/**
 * Creates the tool with which the model gives an answer in the form of `schema`, a JSON Schema of type object. Throws
 * `UsageError` for a schema that it cannot use.
 */
export async function createAnswerTool(schema: JsonObject): Promise<Tool> {
  const { fromJSONSchema, prettifyError } = await import('zod');
  if (schema['type'] !== 'object')
    throw new UsageError('The schema of the answer needs "type": "object" (--json-schema).');
  let form: ReturnType<typeof fromJSONSchema>;
  try {
    form = fromJSONSchema(schema);
  } catch (error) {
    throw new UsageError(`The schema of the answer cannot be used: ${messageOf(error)} (--json-schema).`);
  }
  const { $schema: _dialect, ...parameters } = schema;
  return {
    definition: { name: ANSWER_TOOL, description: DESCRIPTION, parameters, effect: 'read' },
    async plan(args) {
      const { error } = form.safeParse(args);
      if (error !== undefined) {
        const problems = prettifyError(error);
        throw new ToolError('invalid_arguments', `The answer does not fit the schema:\n${problems}`);
      }
      return {
        effect: { summary: 'answer', paths: [] },
        async *run() {
          return { content: 'The answer was given.', isError: false, summary: 'answered', answer: jsonOf(args) };
        },
      };
    },
  };
}

/** The arguments of a call are JSON. */
function jsonOf(args: unknown): JsonValue {
  return JSON.parse(JSON.stringify(args));
}
