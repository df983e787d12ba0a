import type { OfferedTool } from '../../../../../mock-llm-server/conversation/conversation.ts';

/**
 * A tool with its keys as one text: `path! content! mode:boolean list!:strings`. `!` marks required keys. The default
 * type is a string; `either=string|array` is a union, `free` any type, `types=string|null` a list of types.
 */
export function offer(name: string, keys: string, more: Partial<OfferedTool> = {}): OfferedTool {
  const fields = keys.split(' ').flatMap((text) => {
    const [, key = '', mark = '', type = 'string'] = /^([\w-]+)(!?)(?::(.+))?$/.exec(text) ?? [];
    return key === '' ? [] : [{ key, isRequired: mark === '!', schema: schemaOf(type) }];
  });
  const properties = Object.fromEntries(fields.map(({ key, schema }) => [key, schema]));
  const required = fields.flatMap(({ key, isRequired }) => (isRequired ? [key] : []));
  return {
    name,
    input: 'json',
    parameters: { type: 'object', properties, required, additionalProperties: false },
    ...more,
  };
}

/** A tool that takes a text instead of JSON arguments. */
export function offerText(name: string, namespace?: string): OfferedTool {
  return { name, input: 'text', ...(namespace !== undefined && { namespace }) };
}

function schemaOf(type: string): object {
  if (type === 'strings') return { type: 'array', items: { type: 'string' } };
  if (type === 'objects') return { type: 'array', items: { type: 'object' } };
  if (type.startsWith('types=')) return { type: type.slice(6).split('|') };
  if (type === 'free') return {};
  if (type.startsWith('either='))
    return {
      anyOf: type
        .slice(4)
        .split('|')
        .map((name) => ({ type: name })),
    };
  if (type.startsWith('enum=')) return { type: 'string', enum: type.slice(5).split('|') };
  return { type };
}

/** A known agent: the tools that it offers, and a text that states its working directory. */
export interface AgentFixture {
  readonly tools: readonly OfferedTool[];
  readonly system?: string;
  readonly user?: string;
}

const geminiTools = (path: string) => [
  offer('list_directory', `${path}! ignore:strings`),
  offer('read_file', 'file_path! start_line:number end_line:number'),
  offer(path === 'dir_path' ? 'grep_search' : 'search_file_content', `pattern! ${path} include`),
  offer('glob', `pattern! ${path} case_sensitive:boolean`),
  offer('write_file', 'file_path! content!'),
  offer('web_fetch', 'prompt!'),
  offer('run_shell_command', `command! description ${path} is_background:boolean`),
  offer('save_memory', 'fact!'),
];

const OPENCODE = [
  offer('bash', 'command! timeout:number workdir description!'),
  offer('read', 'filePath! offset:number limit:number'),
  offer('glob', 'pattern! path'),
  offer('grep', 'pattern! path include'),
];
const OPENCODE_FILES = [
  offer('edit', 'filePath! oldString! newString! replaceAll:boolean'),
  offer('write', 'content! filePath!'),
];
const OPENCODE_MORE = [
  offer('task', 'description! prompt! subagent_type!'),
  offer('webfetch', 'url! format! timeout:number'),
  offer('todowrite', 'todos!:objects'),
];

/** Tools of real agents, reduced to their names and keys. */
export const AGENTS = {
  'Claude Code': {
    tools: [
      offer('Task', 'description! prompt! subagent_type!'),
      offer('Bash', 'command! timeout:number description run_in_background:boolean'),
      offer('Glob', 'pattern! path'),
      offer('Grep', 'pattern! path glob output_mode -A:number'),
      offer('Read', 'file_path! offset:number limit:number'),
      offer('Edit', 'file_path! old_string! new_string! replace_all:boolean'),
      offer('Write', 'file_path! content!'),
      offer('NotebookEdit', 'notebook_path! cell_id new_source!'),
      offer('WebFetch', 'url! prompt!'),
      offer('TodoWrite', 'todos!:objects'),
    ],
    system: 'You are an agent.\n\n<env>\nWorking directory: /w/p\nIs directory a git repo: No\n</env>',
  },
  Codex: {
    tools: [
      offer('exec_command', 'cmd! workdir shell tty:boolean yield_time_ms:number max_output_tokens:number'),
      offer('write_stdin', 'session_id!:number chars'),
      offer('update_plan', 'explanation plan!:objects'),
      offer('view_image', 'path!', { description: 'View a local image from the filesystem.' }),
      offerText('apply_patch'),
    ],
    user: '<environment_context>\n  <cwd>/w/p</cwd>\n  <shell>bash</shell>\n</environment_context>',
  },
  'Codex in code mode': {
    tools: [offerText('exec', 'functions'), offer('wait', 'cell_id!', { namespace: 'functions' })],
    user: '<environment_context>\n  <cwd>/w/p</cwd>\n</environment_context>',
  },
  'Codex, older': {
    tools: [
      offer('shell', 'command!:strings workdir timeout_ms:number'),
      offer('apply_patch', 'input!'),
      offer('update_plan', 'explanation plan!:objects'),
    ],
    user: '<environment_context>\n  <cwd>/w/p</cwd>\n</environment_context>',
  },
  'Gemini CLI': {
    tools: [
      ...geminiTools('dir_path'),
      offer('replace', 'file_path! instruction! old_string! new_string! allow_multiple:boolean'),
    ],
    user: "This is the CLI. My operating system is: linux\nI'm currently working in the directory: /w/p\nHere is the folder structure",
  },
  'qwen-code': {
    tools: [
      ...geminiTools('path').filter(({ name }) => name !== 'run_shell_command'),
      offer('run_shell_command', 'command! is_background!:boolean description directory'),
      offer('edit', 'file_path! old_string! new_string! replace_all:boolean'),
    ],
    user: "I'm currently working in the directory: /w/p",
  },
  'Gemini CLI, older': {
    tools: [offer('read_file', 'absolute_path! offset:number'), offer('write_file', 'file_path! content!')],
    user: "I'm currently working in the following directories:\n  - /w/p\nHere is the folder",
  },
  opencode: {
    tools: [...OPENCODE, ...OPENCODE_FILES, ...OPENCODE_MORE],
    system: 'Here is the environment:\n<env>\n  Working directory: /w/p\n  Platform: linux\n</env>',
  },
  'opencode with gpt': {
    tools: [...OPENCODE, offer('apply_patch', 'patchText!'), ...OPENCODE_MORE],
    system: '<env>\n  Working directory: /w/p\n</env>',
  },
  Kilo: {
    tools: [...OPENCODE, ...OPENCODE_FILES, offer('list', 'path ignore:strings')],
    system: '<env>\n  Working directory: /w/p\n</env>',
  },
  pi: {
    tools: [
      offer('read', 'path! offset:number limit:number'),
      offer('bash', 'command! timeout:number'),
      offer('edit', 'path! oldText! newText!'),
      offer('write', 'path! content!'),
    ],
    system: 'Be helpful.\nCurrent date: 2026-11-20\nCurrent working directory: /w/p',
  },
  'pi, all tools': {
    tools: [
      offer('read', 'path! offset:number limit:number'),
      offer('bash', 'command! timeout:number'),
      offer('edit', 'path! edits!:objects'),
      offer('write', 'path! content!'),
      offer('grep', 'pattern! path glob'),
      offer('find', 'pattern! path'),
      offer('ls', 'path limit:number'),
    ],
    system: 'Current working directory: /w/p',
  },
  'Copilot CLI': {
    tools: [
      offer('bash', 'command! description! mode sessionId'),
      offer('view', 'path! view_range:objects'),
      offer('create', 'path! file_text!'),
      offer('edit', 'path! old_str! new_str!'),
      offer('grep', 'pattern! path glob'),
      offer('glob', 'pattern! path'),
      offer('report_intent', 'intent!'),
    ],
    system:
      '<environment_context>\n* Current working directory: /w/p\n* Git repository root: none\n</environment_context>',
  },
  'Copilot CLI, older': {
    tools: [offer('str_replace', 'path! old_str! new_str!'), offer('view', 'path!')],
    system: '* Current working directory: /w/p',
  },
  Continue: {
    tools: [
      offer('Read', 'filepath!'),
      offer('Write', 'filepath! content!'),
      offer('List', 'dirpath!'),
      offer('Bash', 'command!'),
      offer('Fetch', 'url!'),
      offer('Checklist', 'checklist!'),
      offer('Search', 'pattern! path file_pattern'),
      offer('Edit', 'file_path! old_string! new_string! replace_all:boolean'),
    ],
    system: '<env>\nWorking directory: /w/p\nIs directory a git repo: false\n</env>',
  },
  'Continue with other models': {
    tools: [offer('MultiEdit', 'file_path! edits!:objects'), offer('Bash', 'command!')],
    system: 'Working directory: /w/p',
  },
  Cline: {
    tools: [
      offer('read_files', 'files!:objects'),
      offer('search_codebase', 'queries!:strings'),
      offer('run_commands', 'commands!:strings'),
      offer('editor', 'path! old_text new_text! insert_line:number'),
      offer('fetch_web_content', 'requests!:objects'),
      offer('ask_question', 'question! options!:strings'),
    ],
    system: '# Current Working Directory (/w/p) Files\nhello.txt',
  },
  Droid: {
    tools: [
      offer('Read', 'file_path! offset:number limit:number'),
      offer('LS', 'directory_path ignorePatterns:strings'),
      offer('Execute', 'command! summary! timeout:number riskLevelReason! riskLevel!:enum=low|medium|high'),
      offer('Edit', 'file_path! old_str! new_str! change_all:boolean'),
      offer('Grep', 'pattern! path glob_pattern output_mode'),
      offer('Glob', 'patterns!:strings excludePatterns:strings folder'),
      offer('Create', 'file_path! content!'),
      offer('TodoWrite', 'todos!'),
    ],
    user: '<system-reminder>\n% pwd\n/w/p\n\n% ls\nhello.txt\n</system-reminder>',
  },
  ybs: {
    tools: [
      offer('read_file', 'path! offset:integer limit:integer'),
      offer('write_file', 'path! content!'),
      offer('edit_file', 'path! old_text! new_text! replace_all:boolean'),
      offer('list_files', 'pattern! path max_results:integer'),
      offer('search_files', 'pattern! path file_pattern context_lines:integer max_results:integer'),
      offer('run_shell', 'command! working_dir timeout:integer'),
    ],
    system: 'You are ybs, a coding agent.\n\nDirectory: /w/p\nRelative paths start there.',
  },
  'an agent with the editor of Anthropic': {
    tools: [
      { name: 'str_replace_based_edit_tool', input: 'json' },
      { name: 'bash', input: 'json' },
    ],
    system: 'cwd: /w/p',
  },
  'the file server of MCP': {
    tools: [
      offer('read_file', 'path! tail:number head:number'),
      offer('read_text_file', 'path! tail:number head:number'),
      offer('read_media_file', 'path!'),
      offer('read_multiple_files', 'paths!:strings'),
      offer('write_file', 'path! content!'),
      offer('edit_file', 'path! edits!:objects dryRun:boolean'),
      offer('create_directory', 'path!'),
      offer('list_directory', 'path!'),
      offer('directory_tree', 'path! excludePatterns:strings'),
      offer('move_file', 'source! destination!'),
      offer('search_files', 'path! pattern! excludePatterns:strings', {
        description: 'Recursively search for files and directories matching a pattern.',
      }),
      offer('get_file_info', 'path!'),
      offer('list_allowed_directories', ''),
    ],
  },
} as const satisfies Record<string, AgentFixture>;

export type AgentName = keyof typeof AGENTS;
