import { describe, expect, it } from 'vitest';
import type { Tool } from '../../../src/agent/ports/tool.ts';
import { TOOL_ALIASES } from '../../../src/tools/dialects/aliases.ts';
import { createRegistry } from '../../../src/tools/registry.ts';
import { TOOL_NAMES } from '../../../src/tools/tools.ts';

/** A tool that does nothing. */
function createTool(name: string): Tool {
  return {
    definition: { name, description: `The tool ${name}.`, parameters: { type: 'object' }, effect: 'read' },
    plan: () => Promise.reject(new Error('not planned in this test')),
  };
}

const registry = createRegistry([...TOOL_NAMES, 'my_tool'].map(createTool));

describe('the registry', () => {
  it('lists its tools in the given order', () => {
    expect(registry.definitions.map((definition) => definition.name)).toEqual([...TOOL_NAMES, 'my_tool']);
  });

  it.each([
    ['read_file', 'read_file'],
    ['Read', 'read_file'],
    ['Write', 'write_file'],
    ['create', 'write_file'],
    ['str_replace', 'edit_file'],
    ['bash', 'run_shell'],
    ['Glob', 'list_files'],
    ['Grep', 'search_files'],
    ['Run_Shell', 'run_shell'],
    ['my_tool', 'my_tool'],
    ['constructor', undefined],
    ['nothing_like_it', undefined],
    ['', undefined],
  ])('finds by the name %s the tool %s', (name, expected) => {
    expect(registry.find(name)?.definition.name).toBe(expected);
  });

  it('finds a tool by its own name even if that is an alias of another tool', () => {
    expect(createRegistry(['bash', 'run_shell'].map(createTool)).find('bash')?.definition.name).toBe('bash');
  });

  it('has aliases only for built-in tools', () => {
    expect(TOOL_NAMES).toEqual(expect.arrayContaining(Object.values(TOOL_ALIASES)));
  });

  it.each([
    ['read_fil', 'read_file'],
    ['reed', 'read_file'],
    ['run_shel', 'run_shell'],
    ['my_tol', 'my_tool'],
    ['utterly_different', undefined],
  ])('suggests for the unknown name %s the tool %s', (name, expected) => {
    expect(registry.nearest(name)).toBe(expected);
  });

  it('never finds or suggests a disabled tool', () => {
    expect(createRegistry([createTool('read_file')]).nearest('run_shel')).toBeUndefined();
    expect(createRegistry([createTool('read_file')]).find('bash')).toBeUndefined();
  });

  it('refuses two tools with the same name', () => {
    expect(() => createRegistry([createTool('same'), createTool('same')])).toThrow(
      'Two tools have the name "same". Give each tool its own name.',
    );
  });
});
