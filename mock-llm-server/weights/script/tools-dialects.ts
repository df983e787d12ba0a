import type { JsonObject, OfferedTool } from '../../conversation/conversation.ts';
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
    tool('read_file', 'path'),
    tool('write_file', 'path', 'content'),
    tool('edit_file', 'path', 'old_text', 'new_text'),
    tool('run_shell', 'command'),
    tool('list_files', 'pattern', 'path'),
    tool('search_files', 'pattern', 'path'),
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
