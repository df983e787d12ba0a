import type { IntentName } from '../../scenario/format/intent-format.ts';
import type { Shape, Shapes } from './argument-shape.ts';

/** A tool of a known agent, recognized by its name and the keys of its arguments or else by the text that it takes. */
export interface KnownTool {
  readonly name: string;
  readonly namespace?: string;
  readonly paths: 'absolute' | 'relative';
  /** Keys that another tool with the same name has in addition. A tool that offers one of them is the other tool. */
  readonly without?: readonly string[];
  readonly takes:
    | { readonly type: 'json'; readonly arguments: Shapes }
    | { readonly type: 'text'; readonly text: 'patch' | 'code_mode' };
}

function json(name: string, args: Shapes, paths: KnownTool['paths'] = 'absolute'): KnownTool {
  return { name, paths, takes: { type: 'json', arguments: args } };
}

/** Names of the editing tool that Anthropic defines; requests offer it without a schema. */
const EDITORS = ['str_replace_based_edit_tool', 'str_replace_editor'] as const;

const EDITS: Shape = { list: { object: { oldText: 'old_text', newText: 'new_text' } } };

/** Tools of the known agents by intent, in order of preference. Each comment names the agents that have the tool. */
export const KNOWN_TOOLS: Readonly<Record<IntentName, readonly KnownTool[]>> = {
  write_file: [
    json('Write', { file_path: 'path', content: 'content' }), // Claude Code
    json('Write', { filepath: 'path', content: 'content' }), // Continue
    json('write_file', { file_path: 'path', content: 'content' }), // Gemini CLI, qwen-code
    json('write_file', { path: 'path', content: 'content' }, 'relative'), // ybs
    json('write', { filePath: 'path', content: 'content' }), // opencode, Kilo
    json('write', { path: 'path', content: 'content' }, 'relative'), // pi
    json('create', { path: 'path', file_text: 'content' }), // Copilot CLI
    json('Create', { file_path: 'path', content: 'content' }), // Droid
    json('editor', { path: 'path', new_text: 'content' }), // Cline
    json('write_to_file', { path: 'path', content: 'content' }, 'relative'), // Cline and Roo as editor extensions
    ...EDITORS.map((name) => json(name, { command: { fixed: 'create' }, path: 'path', file_text: 'content' })),
    { name: 'apply_patch', paths: 'relative', takes: { type: 'text', text: 'patch' } }, // Codex
    json('apply_patch', { patchText: 'patch' }, 'relative'), // opencode and Kilo with gpt models
  ],
  read_file: [
    json('Read', { file_path: 'path' }), // Claude Code, Droid
    json('Read', { filepath: 'path' }), // Continue
    json('read_file', { file_path: 'path' }), // Gemini CLI, qwen-code
    json('read_file', { absolute_path: 'path' }), // their older versions
    json('read_file', { path: 'path' }, 'relative'), // ybs, Cline and Roo as editor extensions
    json('read', { filePath: 'path' }), // opencode, Kilo
    json('read', { path: 'path' }, 'relative'), // pi
    json('read_text_file', { path: 'path' }), // the file server of MCP
    json('view', { path: 'path' }), // Copilot CLI
    json('read_files', { files: { list: { object: { path: 'path' } } } }), // Cline
    ...EDITORS.map((name) => json(name, { command: { fixed: 'view' }, path: 'path' })),
  ],
  edit_file: [
    json('Edit', { file_path: 'path', old_string: 'old_text', new_string: 'new_text' }), // Claude Code, Continue
    json('Edit', { file_path: 'path', old_str: 'old_text', new_str: 'new_text' }), // Droid
    json('MultiEdit', {
      file_path: 'path',
      edits: { list: { object: { old_string: 'old_text', new_string: 'new_text' } } },
    }), // Continue with some models, older Claude Code
    json('replace', { file_path: 'path', old_string: 'old_text', new_string: 'new_text' }), // Gemini CLI
    json('edit', { file_path: 'path', old_string: 'old_text', new_string: 'new_text' }), // qwen-code
    json('edit', { filePath: 'path', oldString: 'old_text', newString: 'new_text' }), // opencode, Kilo
    json('edit', { path: 'path', oldText: 'old_text', newText: 'new_text' }, 'relative'), // pi
    json('edit', { path: 'path', edits: EDITS }, 'relative'), // pi
    json('edit', { path: 'path', old_str: 'old_text', new_str: 'new_text' }), // Copilot CLI
    json('str_replace', { path: 'path', old_str: 'old_text', new_str: 'new_text' }), // Copilot CLI
    json('editor', { path: 'path', old_text: 'old_text', new_text: 'new_text' }), // Cline
    json('edit_file', { path: 'path', old_text: 'old_text', new_text: 'new_text' }, 'relative'), // ybs
    json('edit_file', { path: 'path', edits: EDITS }), // the file server of MCP
    ...EDITORS.map((name) =>
      json(name, { command: { fixed: 'str_replace' }, path: 'path', old_str: 'old_text', new_str: 'new_text' }),
    ),
  ],
  shell: [
    json('Bash', { command: 'command' }), // Claude Code, Continue
    json('bash', { command: 'command' }), // opencode, Kilo, pi, Copilot CLI
    json('run_shell_command', { command: 'command' }), // Gemini CLI, qwen-code
    json('exec_command', { cmd: 'command' }), // Codex
    { name: 'exec', namespace: 'functions', paths: 'relative', takes: { type: 'text', text: 'code_mode' } }, // Codex
    json('shell', { command: { argv: 'command' } }), // Codex, older
    json('shell', { commands: { list: 'command' } }), // the shell of OpenAI's Responses API
    json('local_shell', { command: { argv: 'command' } }), // the same, older
    json('shell_command', { command: 'command' }), // Codex with some models
    json('Execute', { command: 'command', riskLevel: { fixed: 'low' } }), // Droid
    json('Execute', { command: 'command' }), // Droid, older
    json('run_commands', { commands: { list: 'command' } }), // Cline
    json('execute_command', { command: 'command' }), // Cline and Roo as editor extensions
    json('run_shell', { command: 'command' }), // ybs
  ],
  list_files: [
    json('LS', { path: 'path' }), // Claude Code, older
    json('LS', { directory_path: 'path' }), // Droid
    json('List', { dirpath: 'path' }), // Continue
    json('list_directory', { dir_path: 'path' }), // Gemini CLI
    json('list_directory', { path: 'path' }), // qwen-code, the file server of MCP
    json('directory_tree', { path: 'path' }), // the file server of MCP
    json('search_files', { pattern: 'pattern', path: 'path', excludePatterns: { none: true } }), // the file server of MCP
    json('list', { path: 'path' }), // opencode, Kilo
    json('ls', { path: 'path' }, 'relative'), // pi
    json('Glob', { pattern: 'pattern', path: 'path' }), // Claude Code
    json('Glob', { patterns: { list: 'pattern' }, folder: 'path' }), // Droid
    json('glob', { pattern: 'pattern', dir_path: 'path' }), // Gemini CLI
    json('glob', { pattern: 'pattern', path: 'path' }), // opencode, Kilo, qwen-code
    json('glob', { pattern: 'pattern', paths: 'path' }), // Copilot CLI
    json('find', { pattern: 'pattern', path: 'path' }, 'relative'), // pi
    json('list_files', { pattern: 'pattern', path: 'path' }, 'relative'), // ybs
  ],
  search_files: [
    json('Grep', { pattern: 'pattern', path: 'path', output_mode: { fixed: 'content' } }), // Claude Code, Droid
    json('Grep', { pattern: 'pattern', path: 'path' }), // their older versions
    json('Search', { pattern: 'pattern', path: 'path' }), // Continue
    json('search_file_content', { pattern: 'pattern', dir_path: 'path' }), // Gemini CLI, older
    json('grep_search', { pattern: 'pattern', dir_path: 'path' }), // Gemini CLI
    json('search_file_content', { pattern: 'pattern', path: 'path' }), // qwen-code, older
    json('grep_search', { pattern: 'pattern', path: 'path' }), // qwen-code
    json('grep', { pattern: 'pattern', paths: 'path', output_mode: { fixed: 'content' } }), // Copilot CLI
    json('grep', { pattern: 'pattern', path: 'path' }), // opencode, Kilo, pi
    json('rg', { pattern: 'pattern', path: 'path' }), // Copilot CLI, older
    json('search_codebase', { queries: { list: 'pattern' } }), // Cline
    { ...json('search_files', { pattern: 'pattern', path: 'path' }, 'relative'), without: ['excludePatterns'] }, // ybs
  ],
};
