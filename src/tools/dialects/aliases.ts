import { ownEntry } from '../../text/json/own-entry.ts';
/**
 * Other agents' names for the built-in tools, in lower case. Models use them because they were trained with them.
 * Sources: the tool lists of Claude Code, Codex, Gemini CLI, opencode, pi, Copilot CLI, Continue, Cline, Droid and
 * Eidolon.
 */
export const TOOL_ALIASES: Readonly<Record<string, string>> = {
  read: 'read_file',
  view: 'read_file',
  cat: 'read_file',
  write: 'write_file',
  create: 'write_file',
  create_file: 'write_file',
  edit: 'edit_file',
  replace: 'edit_file',
  str_replace: 'edit_file',
  edit_text: 'edit_file',
  multiedit: 'edit_file',
  multi_edit: 'edit_file',
  bash: 'run_shell',
  shell: 'run_shell',
  execute: 'run_shell',
  run_command: 'run_shell',
  run_shell_command: 'run_shell',
  exec_command: 'run_shell',
  glob: 'list_files',
  ls: 'list_files',
  grep: 'search_files',
  search_file_content: 'search_files',
  todo_write: 'update_tasks',
  todowrite: 'update_tasks',
};

const FILE = { file_path: 'path', filePath: 'path', absolute_path: 'path', file: 'path' };
const DIRECTORY = { dir: 'path', directory: 'path', dir_path: 'path', limit: 'max_results', head_limit: 'max_results' };

/** Other agents' names for the parameters of the built-in tools, from the same sources. */
export const PARAMETER_ALIASES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  read_file: { ...FILE, start_line: 'offset', startLine: 'offset' },
  write_file: { ...FILE, file_text: 'content', text: 'content' },
  edit_file: {
    ...FILE,
    old_string: 'old_text',
    oldString: 'old_text',
    oldText: 'old_text',
    old_str: 'old_text',
    new_string: 'new_text',
    newString: 'new_text',
    newText: 'new_text',
    new_str: 'new_text',
    find: 'old_text',
    replace: 'new_text',
    replaceAll: 'replace_all',
  },
  run_shell: { cmd: 'command', cwd: 'working_dir', workdir: 'working_dir', working_directory: 'working_dir' },
  update_tasks: { todos: 'tasks', items: 'tasks' },
  list_files: { ...DIRECTORY, glob: 'pattern' },
  search_files: { ...DIRECTORY, regex: 'pattern', query: 'pattern', glob: 'file_pattern', include: 'file_pattern' },
};

/**
 * The name of the built-in tool of which `name` is an alias, or `name` itself. Ignores case, and returns lower case.
 */
export function canonicalToolName(name: string): string {
  const key = name.toLowerCase();
  return ownEntry(TOOL_ALIASES, key) ?? key;
}

/** The names under which the model is offered the built-in tools, by their own names; the first one of several. */
export function offeredNames(definitions: readonly { readonly name: string }[]): ReadonlyMap<string, string> {
  const names = definitions.map(({ name }) => name);
  const aliases = names.toReversed().map((name) => [canonicalToolName(name), name] as const);
  return new Map([...aliases, ...names.map((name) => [name, name] as const)]);
}

/**
 * Renames the arguments of the tool `toolName` to its own names of the parameters. A parameter under its own name takes
 * precedence over an alias. A value that is not an object is returned unchanged.
 */
export function canonicalArguments(toolName: string, args: unknown): unknown {
  const aliases = ownEntry(PARAMETER_ALIASES, toolName);
  if (aliases === undefined || typeof args !== 'object' || args === null || Array.isArray(args)) return args;
  const named = Object.entries(args).map(([key, value]) => ({ key, name: ownEntry(aliases, key) ?? key, value }));
  const renamed = named.filter(({ key, name }) => key !== name);
  const unchanged = named.filter(({ key, name }) => key === name);
  return Object.fromEntries([...renamed, ...unchanged].map(({ name, value }) => [name, value]));
}
