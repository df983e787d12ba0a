import type { Tool } from '../ports/tool.ts';
import type { FilePorts } from './files/load-file.ts';
import type { SearchPorts } from './search/search-root.ts';
import type { CommandPorts } from './shell/run-command.ts';
import type { TaskPorts } from './update-tasks.ts';

/** The ports of all tools of one session. Each tool's factory takes the ones it needs. */
export type ToolPorts = FilePorts & SearchPorts & CommandPorts & TaskPorts;

/**
 * Our tools by name, in the order in which they are described to the model. Each one is loaded only when it is created,
 * because the configuration needs just the names, and before the first prompt.
 */
const TOOLS = [
  { name: 'read_file', load: async () => (await import('./files/read-file.ts')).createReadFile },
  { name: 'write_file', load: async () => (await import('./files/write-file.ts')).createWriteFile },
  { name: 'edit_file', load: async () => (await import('./files/edit-file.ts')).createEditFile },
  { name: 'run_shell', load: async () => (await import('./shell/run-shell.ts')).createRunShell },
  { name: 'list_files', load: async () => (await import('./search/list-files.ts')).createListFiles },
  { name: 'search_files', load: async () => (await import('./search/search-files.ts')).createSearchFiles },
  { name: 'update_tasks', load: async () => (await import('./update-tasks.ts')).createUpdateTasks },
] as const satisfies readonly { readonly name: string; readonly load: () => Promise<(ports: ToolPorts) => Tool> }[];

/** The name of one of our tools. */
export type ToolName = (typeof TOOLS)[number]['name'];

/** The names of our tools, in the order in which they are described to the model. */
export const TOOL_NAMES: readonly ToolName[] = TOOLS.map(({ name }) => name);

/** Creates the tools of a session, without the disabled ones. `toolDescriptions` replaces descriptions, by name. */
export async function createTools(
  ports: ToolPorts,
  {
    disabledTools = [],
    toolDescriptions = {},
  }: {
    readonly disabledTools?: readonly ToolName[];
    readonly toolDescriptions?: Readonly<Partial<Record<ToolName, string>>>;
  } = {},
): Promise<readonly Tool[]> {
  const enabled = TOOLS.filter(({ name }) => !disabledTools.includes(name));
  return Promise.all(
    enabled.map(async ({ name, load }) => {
      const tool = (await load())(ports);
      const description = toolDescriptions[name];
      return description === undefined ? tool : { ...tool, definition: { ...tool.definition, description } };
    }),
  );
}
