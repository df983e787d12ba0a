import type { JsonObject, OfferedTool } from '../../conversation/conversation.ts';
import { isJsonObject, tryJson } from '../../conversation/json.ts';
import { readProperties } from '../../reply/intents/offered-properties.ts';
import type { MappedTool } from '../../scenario/format/mapped-tool.ts';

/** The agents whose tools carry out intents. */
export const TOOLS_DIALECTS = ['ybs', 'claude'] as const;
/** An agent whose tools carry out intents. */
export type ToolsDialect = (typeof TOOLS_DIALECTS)[number];

/**
 * The tools of each dialect. An offered tool is in the request, but a model is compiled before there is one. The
 * properties are in the order of the agent's own schemas, because llama.cpp only generates arguments in that order.
 */
export const DIALECT_TOOLS: Readonly<Record<ToolsDialect, readonly OfferedTool[]>> = {
  ybs: [
    tool('read_file', 'path', 'offset', 'limit'),
    tool('write_file', 'path', 'content'),
    tool('edit_file', 'path', 'old_text', 'new_text', 'replace_all'),
    tool('run_shell', 'command', 'working_dir', 'timeout'),
    tool('list_files', 'pattern', 'path', 'max_results'),
    tool('search_files', 'pattern', 'path', 'file_pattern', 'context_lines', 'max_results'),
  ],
  claude: [
    tool('Read', 'file_path'),
    tool('Write', 'file_path', 'content'),
    tool('Edit', 'file_path', 'old_string', 'new_string'),
    tool('Bash', 'command'),
    tool('Glob', 'pattern', 'path'),
    tool('Grep', 'pattern', 'path', 'output_mode'),
  ],
};

/** The arguments of a call in the order of the properties, if it is one of these tools and they are an object. */
export function inSchemaOrder(args: string, tool: string, dialect: ToolsDialect): string {
  const offered = DIALECT_TOOLS[dialect].find(({ name }) => name === tool);
  const given = tryJson(args);
  if (offered === undefined || !isJsonObject(given)) return args;
  const known = (readProperties(offered) ?? []).filter(({ key }) => Object.hasOwn(given, key));
  const ordered = { ...Object.fromEntries(known.map(({ key }) => [key, given[key]])), ...given };
  const [before, after] = [given, ordered].map((each) => Object.keys(each).join('\n'));
  // Arguments that are in order stay as they are written.
  return before === after ? args : JSON.stringify(ordered);
}

/** The tool that a scenario file maps an intent to, with the arguments that it states. */
export function mappedTool({ name, arguments: args }: MappedTool): OfferedTool {
  return tool(name, ...args.map(({ key }) => key));
}

function tool(name: string, ...properties: readonly string[]): OfferedTool {
  const parameters: JsonObject = {
    type: 'object',
    properties: Object.fromEntries(properties.map((property) => [property, { type: 'string' }])),
  };
  return { name, input: 'json', parameters };
}
