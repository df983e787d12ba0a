import type { Tool } from '../agent/ports/tool.ts';
import { TOOL_DEFINITIONS } from './definitions.data.ts';
import { canonicalArguments } from './dialects/aliases.ts';
import type { FilePorts } from './files/load-file.ts';
import type { SearchPorts } from './search/search-root.ts';
import type { NamingPorts } from './shell/named-paths.ts';
import type { CommandPorts } from './shell/run-command.ts';
import type { TaskPorts } from './tasks/update-tasks.ts';
import { withTimeLimit } from './wrappers/time-limit.ts';

/** The ports of all tools of one session. Each tool's factory takes the ones it needs. */
export type ToolPorts = FilePorts & SearchPorts & CommandPorts & TaskPorts & Pick<NamingPorts, 'runGit'>;

export type ToolName = keyof typeof TOOL_DEFINITIONS;

/** The code of the built-in tools. Each one is loaded with its first call. */
const TOOLS: readonly { readonly name: ToolName; readonly load: () => Promise<(ports: ToolPorts) => Tool> }[] = [
  { name: 'read_file', load: async () => (await import('./files/read-file.ts')).createReadFile },
  { name: 'write_file', load: async () => (await import('./files/write-file.ts')).createWriteFile },
  { name: 'edit_file', load: async () => (await import('./files/edit-file.ts')).createEditFile },
  { name: 'run_shell', load: async () => (await import('./shell/run-shell.ts')).createRunShell },
  { name: 'list_files', load: async () => (await import('./search/list-files.ts')).createListFiles },
  { name: 'search_files', load: async () => (await import('./search/search-files.ts')).createSearchFiles },
  { name: 'update_tasks', load: async () => (await import('./tasks/update-tasks.ts')).createUpdateTasks },
];

/** The names of the built-in tools, in the order in which they are described to the model. */
export const TOOL_NAMES: readonly ToolName[] = TOOLS.map(({ name }) => name);

interface ToolSettings {
  readonly disabledTools?: readonly string[];
  /** Texts that replace descriptions, by the name of the tool. */
  readonly toolDescriptions?: Readonly<Partial<Record<string, string>>>;
  /** Maximum time of a call by the name of its tool, in seconds; a command has its own limit. */
  readonly toolSeconds?: Readonly<Partial<Record<string, number>>>;
}

/** Creates the tools of a session, without the disabled ones. */
export function createTools(
  ports: ToolPorts,
  { disabledTools = [], toolDescriptions = {}, toolSeconds = {} }: ToolSettings = {},
): readonly Tool[] {
  const enabled = TOOLS.filter(({ name }) => !disabledTools.includes(name));
  return enabled.map(({ name, load }) => {
    const own = TOOL_DEFINITIONS[name];
    let loaded: Promise<Tool> | undefined;
    const tool: Tool = {
      definition: { ...own, description: toolDescriptions[name] ?? own.description },
      // The tool is not loaded for it, because a question needs to know at once whether the command can be edited.
      ...(name === 'run_shell' && { withCommand }),
      async plan(args, context) {
        loaded ??= load().then((create) => create(ports));
        return (await loaded).plan(args, context);
      },
    };
    const seconds = name === 'run_shell' ? undefined : toolSeconds[name];
    return seconds === undefined ? tool : withTimeLimit(tool, seconds, ports.clock);
  });
}

/** The arguments of a call of `run_shell` with another command. */
function withCommand(args: unknown, command: string): unknown {
  const named = canonicalArguments('run_shell', args);
  return { ...(typeof named === 'object' && named), command };
}
