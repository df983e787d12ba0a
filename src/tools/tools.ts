import type { Tool } from '../ports/tool.ts';
import { createEditFile } from './files/edit-file.ts';
import type { FilePorts } from './files/load-file.ts';
import { createReadFile } from './files/read-file.ts';
import { createWriteFile } from './files/write-file.ts';
import { createListFiles } from './search/list-files.ts';
import { createSearchFiles } from './search/search-files.ts';
import type { SearchPorts } from './search/search-root.ts';
import type { CommandPorts } from './shell/run-command.ts';
import { createRunShell } from './shell/run-shell.ts';

/** The ports of all tools of one session. Each tool's factory takes the part it needs. */
export type ToolPorts = FilePorts & SearchPorts & CommandPorts;

/** Our tools by name, in the order in which they are described to the model. */
const TOOLS = [
  { name: 'read_file', create: createReadFile },
  { name: 'write_file', create: createWriteFile },
  { name: 'edit_file', create: createEditFile },
  { name: 'run_shell', create: createRunShell },
  { name: 'list_files', create: createListFiles },
  { name: 'search_files', create: createSearchFiles },
] as const satisfies readonly { readonly name: string; readonly create: (ports: ToolPorts) => Tool }[];

/** The name of one of our tools. */
export type ToolName = (typeof TOOLS)[number]['name'];

/** The names of our tools, in the order in which they are described to the model. */
export const TOOL_NAMES: readonly ToolName[] = TOOLS.map(({ name }) => name);

/** Creates the tools of a session, without the disabled ones. */
export function createTools(
  ports: ToolPorts,
  { disabledTools = [] }: { readonly disabledTools?: readonly ToolName[] } = {},
): readonly Tool[] {
  return TOOLS.filter(({ name }) => !disabledTools.includes(name)).map(({ create }) => create(ports));
}
