import { describe, expect, it } from 'vitest';
import type { Tool } from '../../../../src/agent/ports/tool.ts';
import { createRegistry } from '../../../../src/tools/registry.ts';
import { withDirectCalls } from '../../../../src/tools/wrappers/direct-calls.ts';

function createTool(name: string): Tool {
  return {
    definition: { name, description: 'About it.', parameters: { type: 'object' }, effect: 'execute' },
    plan: async (args) => {
      throw new Error(`${name} ${JSON.stringify(args)}`);
    },
  };
}

const withCaller = withDirectCalls(createRegistry(['call_tool', 'notes__list', 'read_file'].map(createTool)));
const without = withDirectCalls(createRegistry(['notes__list'].map(createTool)));

describe('calls of tools of servers', () => {
  it.each([
    ['a tool in the request', 'notes__list', 'notes__list {"a":1}'],
    ['its name in Claude Code', 'mcp__notes__list', 'notes__list {"a":1}'],
    ['a found tool', 'shop__order', 'call_tool {"name":"shop__order","arguments":{"a":1}}'],
    ['its name in Claude Code', 'mcp__shop__order', 'call_tool {"name":"shop__order","arguments":{"a":1}}'],
  ])('%s: %s', async (_, name, planned) => {
    const tool = withCaller.find(name);
    expect(tool?.definition.name).toBe(name.replace(/^mcp__/, ''));
    await expect(
      tool?.plan({ a: 1 }, { callId: 'c1', signal: new AbortController().signal, pause: async () => {} }),
    ).rejects.toThrow(planned);
  });

  it('finds no tool by a name without a server, or without a tool that calls', () => {
    expect(withCaller.find('order')).toBeUndefined();
    expect(without.find('shop__order')).toBeUndefined();
  });

  it('changes neither the tools of the request nor the names that are suggested', () => {
    expect(withCaller.definitions.map(({ name }) => name)).toEqual(['call_tool', 'notes__list', 'read_file']);
    expect(withCaller.nearest('read_fil')).toBe('read_file');
  });
});
