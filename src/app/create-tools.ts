import type { AnyTool } from '../ports/tool.ts';
import { bindTool } from '../tools/define-tool.ts';
import { createEditFile } from '../tools/files/edit-file.ts';
import { createReadFile } from '../tools/files/read-file.ts';
import { createWriteFile } from '../tools/files/write-file.ts';
import { createListFiles } from '../tools/search/list-files.ts';
import { createSearchFiles } from '../tools/search/search-files.ts';
import { createRunShell } from '../tools/shell/run-shell.ts';
import type { ToolPorts } from '../tools/tool-ports.ts';

/** Our tools, in the order in which the model is told about them. */
export const TOOL_NAMES = ['read_file', 'write_file', 'edit_file', 'run_shell', 'list_files', 'search_files'] as const;

export type ToolName = (typeof TOOL_NAMES)[number];

const FACTORIES: Readonly<Record<ToolName, (ports: ToolPorts) => AnyTool>> = {
  read_file: (ports: ToolPorts) => bindTool(createReadFile(ports)),
  write_file: (ports: ToolPorts) => bindTool(createWriteFile(ports)),
  edit_file: (ports: ToolPorts) => bindTool(createEditFile(ports)),
  run_shell: (ports: ToolPorts) => bindTool(createRunShell(ports)),
  list_files: (ports: ToolPorts) => bindTool(createListFiles(ports)),
  search_files: (ports: ToolPorts) => bindTool(createSearchFiles(ports)),
};

/** The tools of a session, without those that are switched off. */
export function createTools(
  ports: ToolPorts,
  settings: { readonly disabledTools: readonly ToolName[] },
): readonly AnyTool[] {
  return TOOL_NAMES.filter((name) => !settings.disabledTools.includes(name)).map((name) => FACTORIES[name](ports));
}
