import * as z from 'zod';
import type { ToolDefinition } from '../agent/ports/tool.ts';
import type { DataSchema } from '../schema/conforms.ts';
import { argumentsSchema } from '../schema/data-schema.ts';
import { ARGUMENTS, DESCRIPTIONS, type ToolArguments } from './descriptions.ts';

// What a session needs to know of its tools, so that it loads no tool before the first call, and no zod for a call that
// fits. The build replaces this module by its values.

const define = (name: keyof typeof DESCRIPTIONS): ToolDefinition => {
  const { description, effect, schema } = DESCRIPTIONS[name];
  const { $schema: _dialect, ...parameters } = z.toJSONSchema(schema, { io: 'input' });
  return { name, description, effect, parameters: JSON.parse(JSON.stringify(parameters)) };
};

/** The definitions of our tools, in the order in which they are described to the model. */
export const TOOL_DEFINITIONS = {
  read_file: define('read_file'),
  write_file: define('write_file'),
  edit_file: define('edit_file'),
  run_shell: define('run_shell'),
  list_files: define('list_files'),
  search_files: define('search_files'),
  update_tasks: define('update_tasks'),
};

/** The schemas of the arguments of our tools, and of other forms of their input. */
export const ARGUMENT_SCHEMAS: { readonly [Name in keyof ToolArguments]: DataSchema<ToolArguments[Name]> } = {
  read_file: argumentsSchema(ARGUMENTS.read_file),
  write_file: argumentsSchema(ARGUMENTS.write_file),
  edit_file: argumentsSchema(ARGUMENTS.edit_file),
  run_shell: argumentsSchema(ARGUMENTS.run_shell),
  list_files: argumentsSchema(ARGUMENTS.list_files),
  search_files: argumentsSchema(ARGUMENTS.search_files),
  update_tasks: argumentsSchema(ARGUMENTS.update_tasks),
  read_range: argumentsSchema(ARGUMENTS.read_range),
  insert_lines: argumentsSchema(ARGUMENTS.insert_lines),
  delete_lines: argumentsSchema(ARGUMENTS.delete_lines),
  several_edits: argumentsSchema(ARGUMENTS.several_edits),
  search_output: argumentsSchema(ARGUMENTS.search_output),
  run_with_network: argumentsSchema(ARGUMENTS.run_with_network),
  run_milliseconds: argumentsSchema(ARGUMENTS.run_milliseconds),
};
