/** A name other agents use for one of our tools, and what they call its parameters. */
interface Dialect {
  readonly tool: string;
  readonly parameters: Readonly<Record<string, string>>;
}

const READ = { file_path: 'path', filePath: 'path', absolute_path: 'path', file: 'path', start_line: 'offset' };
const WRITE = { ...READ, file_text: 'content', text: 'content' };
const EDIT = {
  file_path: 'path',
  filePath: 'path',
  absolute_path: 'path',
  file: 'path',
  old_string: 'old_text',
  oldString: 'old_text',
  oldText: 'old_text',
  new_string: 'new_text',
  newString: 'new_text',
  newText: 'new_text',
  replaceAll: 'replace_all',
};
const SHELL = { cmd: 'command', cwd: 'working_dir', workdir: 'working_dir', working_directory: 'working_dir' };
const LIST = { dir: 'path', directory: 'path', dir_path: 'path', glob: 'pattern', limit: 'max_results' };
const SEARCH = {
  dir: 'path',
  directory: 'path',
  dir_path: 'path',
  regex: 'pattern',
  query: 'pattern',
  glob: 'file_pattern',
  include: 'file_pattern',
  limit: 'max_results',
};

/**
 * Names that models emit because other agents taught them, and what they mean here. Our own names come first: they
 * too are understood with other agents' parameters. Sources: the tool lists of Claude Code, Codex, Gemini CLI,
 * opencode, pi, Copilot CLI, Continue, Cline and Droid.
 */
export const DIALECTS: Readonly<Record<string, Dialect>> = {
  read_file: { tool: 'read_file', parameters: READ },
  write_file: { tool: 'write_file', parameters: WRITE },
  edit_file: { tool: 'edit_file', parameters: EDIT },
  run_shell: { tool: 'run_shell', parameters: SHELL },
  list_files: { tool: 'list_files', parameters: LIST },
  search_files: { tool: 'search_files', parameters: SEARCH },
  read: { tool: 'read_file', parameters: READ },
  view: { tool: 'read_file', parameters: READ },
  cat: { tool: 'read_file', parameters: READ },
  write: { tool: 'write_file', parameters: WRITE },
  create: { tool: 'write_file', parameters: WRITE },
  create_file: { tool: 'write_file', parameters: WRITE },
  edit: { tool: 'edit_file', parameters: EDIT },
  replace: { tool: 'edit_file', parameters: EDIT },
  str_replace: { tool: 'edit_file', parameters: { ...EDIT, old_str: 'old_text', new_str: 'new_text' } },
  bash: { tool: 'run_shell', parameters: SHELL },
  shell: { tool: 'run_shell', parameters: SHELL },
  execute: { tool: 'run_shell', parameters: SHELL },
  run_command: { tool: 'run_shell', parameters: SHELL },
  run_shell_command: { tool: 'run_shell', parameters: SHELL },
  exec_command: { tool: 'run_shell', parameters: SHELL },
  glob: { tool: 'list_files', parameters: LIST },
  grep: { tool: 'search_files', parameters: SEARCH },
  search_file_content: { tool: 'search_files', parameters: SEARCH },
};

/** The name of the tool that `name` means; names are compared without regard to case. */
export function canonicalToolName(name: string): string {
  return dialectOf(name)?.tool ?? name;
}

/**
 * The arguments with our parameter names. A parameter that is there under its own name wins over an alias, and a
 * value that is not an object is left as it is.
 */
export function canonicalArguments(name: string, args: unknown): unknown {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return args;
  const parameters = dialectOf(name)?.parameters ?? {};
  const own = Object.entries(args).filter(([key]) => !Object.hasOwn(parameters, key));
  const renamed = Object.entries(args).flatMap(([key, value]) => {
    const target = Object.hasOwn(parameters, key) ? parameters[key] : undefined;
    return target === undefined ? [] : [[target, value] as const];
  });
  return Object.fromEntries([...renamed, ...own]);
}

function dialectOf(name: string): Dialect | undefined {
  const key = name.toLowerCase();
  return Object.hasOwn(DIALECTS, key) ? DIALECTS[key] : undefined;
}
