import { describe, expect, it } from 'vitest';
import type { AnyTool } from '../../../src/ports/tool.ts';
import { createRegistry } from '../../../src/tools/registry.ts';

const context = { callId: 'a', signal: new AbortController().signal };

/** A tool that says in its plan which arguments reached it. */
function echo(name: string): AnyTool {
  return {
    definition: { name, description: `The tool ${name}.`, parameters: { type: 'object' }, effect: 'read' },
    async prepare(args) {
      return {
        effect: { summary: JSON.stringify(args), paths: [] },
        async *run() {
          return { content: 'ran', isError: false, summary: 'ran' };
        },
      };
    },
  };
}

const NAMES = ['read_file', 'write_file', 'edit_file', 'list_files', 'search_files', 'run_shell'];
const registry = createRegistry([...NAMES, 'my_tool'].map(echo));

async function understood(name: string, args: unknown): Promise<string> {
  const tool = registry.find(name);
  if (tool === undefined) return 'unknown';
  return `${tool.definition.name} ${(await tool.prepare(args, context)).effect.summary}`;
}

describe('the registry', () => {
  it('offers its tools in the order given', () => {
    expect(registry.definitions.map((definition) => definition.name)).toEqual([...NAMES, 'my_tool']);
  });

  it.each([
    ['read_file', { path: 'a' }, 'read_file {"path":"a"}'],
    ['read_file', { file_path: 'a' }, 'read_file {"path":"a"}'],
    ['read_file', { file_path: 'alias', path: 'own' }, 'read_file {"path":"own"}'],
    ['Read', { file_path: 'a', offset: 2 }, 'read_file {"path":"a","offset":2}'],
    ['Write', { filePath: 'a', content: 'x' }, 'write_file {"path":"a","content":"x"}'],
    ['create', { path: 'a', file_text: 'x' }, 'write_file {"content":"x","path":"a"}'],
    [
      'Edit',
      { file_path: 'a', old_string: 'x', new_string: 'y' },
      'edit_file {"path":"a","old_text":"x","new_text":"y"}',
    ],
    ['edit', { filePath: 'a', oldString: 'x', newString: 'y' }, 'edit_file {"path":"a","old_text":"x","new_text":"y"}'],
    ['edit_file', { path: 'a', replaceAll: true }, 'edit_file {"replace_all":true,"path":"a"}'],
    ['bash', { command: 'ls' }, 'run_shell {"command":"ls"}'],
    ['exec_command', { cmd: 'ls', workdir: 'src' }, 'run_shell {"command":"ls","working_dir":"src"}'],
    ['run_shell_command', { command: 'ls' }, 'run_shell {"command":"ls"}'],
    ['Glob', { pattern: '*' }, 'list_files {"pattern":"*"}'],
    ['Grep', { pattern: 'x', glob: '*.ts' }, 'search_files {"file_pattern":"*.ts","pattern":"x"}'],
    ['my_tool', { file_path: 'kept' }, 'my_tool {"file_path":"kept"}'],
    ['read_file', ['not an object'], 'read_file ["not an object"]'],
    ['read_file', null, 'read_file null'],
    ['read_file', 'text', 'read_file "text"'],
    ['constructor', {}, 'unknown'],
    ['nothing_like_it', {}, 'unknown'],
    ['', {}, 'unknown'],
  ])('understands %s %j', async (name, args, expected) => {
    expect(await understood(name, args)).toBe(expected);
  });

  it('runs the tool it found', async () => {
    const call = await registry.find('Read')?.prepare({}, context);
    expect(await call?.run().next()).toEqual({ done: true, value: { content: 'ran', isError: false, summary: 'ran' } });
  });

  it.each([
    ['read_fil', 'read_file'],
    ['reed', 'read_file'],
    ['run_shel', 'run_shell'],
    ['my_tol', 'my_tool'],
    ['utterly_different', undefined],
  ])('nearest to %s is %s', (name, expected) => {
    expect(registry.nearest(name)).toBe(expected);
  });

  it('names no tool that is switched off', () => {
    expect(createRegistry([echo('read_file')]).nearest('run_shel')).toBeUndefined();
    expect(createRegistry([echo('read_file')]).find('bash')).toBeUndefined();
  });

  it('refuses two tools of one name', () => {
    expect(() => createRegistry([echo('same'), echo('same')])).toThrow('Two tools have the same name.');
  });
});
