import { describe, expect, it } from 'vitest';
import {
  canonicalArguments,
  canonicalToolName,
  PARAMETER_ALIASES,
  TOOL_ALIASES,
} from '../../../../src/tools/dialects/aliases.ts';

describe('canonicalArguments', () => {
  it.each([
    ['read_file', { path: 'a' }, '{"path":"a"}'],
    ['read_file', { file_path: 'a', offset: 2 }, '{"path":"a","offset":2}'],
    ['read_file', { file_path: 'alias', path: 'own' }, '{"path":"own"}'],
    ['read_file', { path: 'own', file_path: 'alias' }, '{"path":"own"}'],
    ['write_file', { filePath: 'a', content: 'x' }, '{"path":"a","content":"x"}'],
    ['write_file', { path: 'a', file_text: 'x' }, '{"content":"x","path":"a"}'],
    ['edit_file', { file_path: 'a', old_string: 'x', new_string: 'y' }, '{"path":"a","old_text":"x","new_text":"y"}'],
    ['edit_file', { filePath: 'a', oldString: 'x', newString: 'y' }, '{"path":"a","old_text":"x","new_text":"y"}'],
    ['edit_file', { path: 'a', old_str: 'x', new_str: 'y' }, '{"old_text":"x","new_text":"y","path":"a"}'],
    ['edit_file', { path: 'a', replaceAll: true }, '{"replace_all":true,"path":"a"}'],
    ['run_shell', { command: 'ls' }, '{"command":"ls"}'],
    ['run_shell', { cmd: 'ls', workdir: 'src' }, '{"command":"ls","working_dir":"src"}'],
    ['search_files', { pattern: 'x', glob: '*.ts' }, '{"file_pattern":"*.ts","pattern":"x"}'],
    ['my_tool', { file_path: 'kept' }, '{"file_path":"kept"}'],
    ['read_file', { constructor: 1 }, '{"constructor":1}'],
    ['read_file', ['not an object'], '["not an object"]'],
    ['read_file', null, 'null'],
    ['read_file', 'text', '"text"'],
  ])('renames, for %s, the arguments %j', (name, args, expected) => {
    expect(JSON.stringify(canonicalArguments(name, args))).toBe(expected);
  });
});

/** The names of ybs for the names of other agents, one row for each row of the tables. */
const TOOLS: Readonly<Record<string, string>> = {
  read_file: 'read view cat',
  write_file: 'write create create_file',
  edit_file: 'edit replace str_replace edit_text multiedit multi_edit',
  run_shell: 'bash shell execute run_command run_shell_command exec_command',
  list_files: 'glob ls',
  search_files: 'grep search_file_content',
  update_tasks: 'todo_write todowrite',
};
const PARAMETERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  read_file: { path: 'file_path filePath absolute_path file', offset: 'start_line startLine' },
  write_file: { path: 'file_path filePath absolute_path file', content: 'file_text text' },
  edit_file: {
    path: 'file_path filePath absolute_path file',
    old_text: 'old_string oldString oldText old_str find',
    new_text: 'new_string newString newText new_str replace',
    replace_all: 'replaceAll',
  },
  run_shell: { command: 'cmd', working_dir: 'cwd workdir working_directory' },
  update_tasks: { tasks: 'todos items' },
  list_files: { path: 'dir directory dir_path', max_results: 'limit head_limit', pattern: 'glob' },
  search_files: {
    path: 'dir directory dir_path',
    max_results: 'limit head_limit',
    pattern: 'regex query',
    file_pattern: 'glob include',
  },
};

describe('the names of other agents', () => {
  const tools = Object.entries(TOOLS).flatMap(([name, aliases]) => aliases.split(' ').map((alias) => [alias, name]));
  const parameters = Object.entries(PARAMETERS).flatMap(([tool, names]) =>
    Object.entries(names).flatMap(([name, aliases]) => aliases.split(' ').map((alias) => [tool, alias, name] as const)),
  );

  it('have a case for every row of the tables', () => {
    expect(tools.map(([alias]) => alias).toSorted()).toEqual(Object.keys(TOOL_ALIASES).toSorted());
    const rows = Object.entries(PARAMETER_ALIASES).flatMap(([tool, aliases]) =>
      Object.keys(aliases).map((alias) => `${tool} ${alias}`),
    );
    expect(parameters.map(([tool, alias]) => `${tool} ${alias}`).toSorted()).toEqual(rows.toSorted());
  });

  it.each(tools)('map the tool %s to %s', (alias = '', name = '') => {
    expect(canonicalToolName(alias.toUpperCase())).toBe(name);
  });

  it.each(parameters)('map, for %s, the parameter %s to %s', (tool, alias, name) => {
    expect(canonicalArguments(tool, { [alias]: 1 })).toEqual({ [name]: 1 });
  });
});
