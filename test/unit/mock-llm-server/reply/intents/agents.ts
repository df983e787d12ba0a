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

/**
 * Tools, one a line: `namespace.name keys — description`, with keys as in `offer`, or `(text)` for a tool that takes a
 * text.
 */
export function offers(lines: string): OfferedTool[] {
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [, namespace, name = '', keys = '', description] =
        /^\s*(?:(\w+)\.)?([\w-]+) ?(.*?)(?: — (.*))?$/.exec(line) ?? [];
      if (keys === '(text)') return offerText(name, namespace);
      return offer(name, keys, { ...(namespace && { namespace }), ...(description && { description }) });
    });
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

/** Tools of real agents, reduced to their names and keys. */
export const AGENTS = {
  'Claude Code': {
    tools: offers(`
      Task description! prompt! subagent_type!
      Bash command! timeout:number description run_in_background:boolean
      Glob pattern! path
      Grep pattern! path glob output_mode -A:number
      Read file_path! offset:number limit:number
      Edit file_path! old_string! new_string! replace_all:boolean
      Write file_path! content!
      NotebookEdit notebook_path! cell_id new_source!
      WebFetch url! prompt!
      TodoWrite todos!:objects
    `),
    system: 'You are an agent.\n\n<env>\nWorking directory: /w/p\nIs directory a git repo: No\n</env>',
  },
  'Codex, older': {
    tools: offers(`
      shell command!:strings workdir timeout_ms:number
      apply_patch input!
      update_plan explanation plan!:objects
    `),
    user: '<environment_context>\n  <cwd>/w/p</cwd>\n</environment_context>',
  },
  'qwen-code': {
    tools: offers(`
      list_directory path! ignore:strings
      read_file file_path! start_line:number end_line:number
      search_file_content pattern! path include
      glob pattern! path case_sensitive:boolean
      write_file file_path! content!
      web_fetch prompt!
      save_memory fact!
      run_shell_command command! is_background!:boolean description directory
      edit file_path! old_string! new_string! replace_all:boolean
    `),
    user: "I'm currently working in the directory: /w/p",
  },
  'Gemini CLI, older': {
    tools: [offer('read_file', 'absolute_path! offset:number'), offer('write_file', 'file_path! content!')],
    user: "I'm currently working in the following directories:\n  - /w/p\nHere is the folder",
  },
  Kilo: {
    tools: offers(`
      bash command! timeout:number workdir description!
      read filePath! offset:number limit:number
      glob pattern! path
      grep pattern! path include
      edit filePath! oldString! newString! replaceAll:boolean
      write content! filePath!
      list path ignore:strings
    `),
    system: '<env>\n  Working directory: /w/p\n</env>',
  },
  pi: {
    tools: offers(`
      read path! offset:number limit:number
      bash command! timeout:number
      edit path! oldText! newText!
      write path! content!
    `),
    system: 'Be helpful.\nCurrent date: 2026-11-20\nCurrent working directory: /w/p',
  },
  'pi, all tools': {
    tools: offers(`
      read path! offset:number limit:number
      bash command! timeout:number
      edit path! edits!:objects
      write path! content!
      grep pattern! path glob
      find pattern! path
      ls path limit:number
    `),
    system: 'Current working directory: /w/p',
  },
  'Copilot CLI, older': {
    tools: [offer('str_replace', 'path! old_str! new_str!'), offer('view', 'path!')],
    system: '* Current working directory: /w/p',
  },
  Continue: {
    tools: offers(`
      Read filepath!
      Write filepath! content!
      List dirpath!
      Bash command!
      Fetch url!
      Checklist checklist!
      Search pattern! path file_pattern
      Edit file_path! old_string! new_string! replace_all:boolean
    `),
    system: '<env>\nWorking directory: /w/p\nIs directory a git repo: false\n</env>',
  },
  ybs: {
    tools: offers(`
      read_file path! offset:integer limit:integer
      write_file path! content!
      edit_file path! old_text! new_text! replace_all:boolean
      list_files pattern! path max_results:integer
      search_files pattern! path file_pattern context_lines:integer max_results:integer
      run_shell command! working_dir timeout:integer
    `),
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
    tools: offers(`
      read_file path! tail:number head:number
      read_text_file path! tail:number head:number
      read_media_file path!
      read_multiple_files paths!:strings
      write_file path! content!
      edit_file path! edits!:objects dryRun:boolean
      create_directory path!
      list_directory path!
      directory_tree path! excludePatterns:strings
      move_file source! destination!
      search_files path! pattern! excludePatterns:strings — Recursively search for files and directories matching a pattern.
      get_file_info path!
      list_allowed_directories
    `),
  },
} as const satisfies Record<string, AgentFixture>;

export type AgentName = keyof typeof AGENTS;
