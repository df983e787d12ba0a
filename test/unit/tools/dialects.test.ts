import { describe, expect, it } from 'vitest';
import { canonicalArguments } from '../../../src/tools/dialects.ts';

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
  ])('renames for %s the arguments %j', (name, args, expected) => {
    expect(JSON.stringify(canonicalArguments(name, args))).toBe(expected);
  });
});
