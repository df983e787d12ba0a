import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { describeServers } from '../../../src/tools/mcp/describe-servers.ts';
import { serverOf, signal } from '../../support/mcp/open-server.ts';

describe('the revision of a server', () => {
  it.each(['exits-first', 'silent-first', 'plain'])('is the older one: %s', async (mode) => {
    const { server, home } = await serverOf(mode);
    await server.listTools(signal);
    expect(server.state.revision).toBe('2025-11-25');
    // The next session does not query it again.
    const again = await serverOf(mode, { home });
    expect(again.server.remembered.revision).toBe('2025-11-25');
    expect(again.tools().map(({ definition }) => definition.name)).toEqual(['srv__t']);
    expect(await again.call('srv__t')).toMatchObject({ isError: false });
  });

  it.each([
    ['rejects', 'slow-modern'],
    ['accepts', 'slow-both'],
  ])('is the newer one for a server that answers late, and %s the older handshake', async (_name, mode) => {
    const { server, call } = await serverOf(mode);
    await server.listTools(signal);
    expect(server.state.revision).toBe('2026-07-28');
    expect(await call('srv__t')).toMatchObject({ isError: false });
  });

  it('is determined again after the entry has changed', async () => {
    const { server, home } = await serverOf('plain');
    await server.listTools(signal);
    const { tools } = await serverOf('plain', { home, entry: { env: { A: '1' } } });
    expect(tools().map(({ definition }) => definition.name)).toEqual(['find_tool', 'call_tool']);
  });
});

describe('the list of tools', () => {
  it.each<readonly [string, readonly string[]]>([
    ['pages', ['same', 't0', 't1', 't2', 't3']],
    ['numbered-pages', ['same', 't0', 't1', 't2', 't3']],
    ['endless', ['only']],
    ['empty-cursor', ['a']],
    ['malformed', ['good', 'none']],
    ['no-tools', []],
  ])('of %s is read', async (mode, names) => {
    const { server } = await serverOf(mode);
    const { tools, problems } = await server.listTools(signal);
    expect(tools.map(({ name }) => name)).toEqual(names);
    if (mode !== 'malformed') return;
    expect(problems).toEqual([
      'a tool without a name is left out (2 times)',
      'the tool array is left out: its schema is not an object',
      'the tool text is left out: its schema is not of type object',
      'the tool broken is left out: its schema is not an object',
    ]);
    expect(tools[0]?.parameters).toEqual({
      $defs: { A: { type: 'string' } },
      properties: { a: { $ref: '#/$defs/A' }, b: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
      type: 'object',
    });
  });

  it.each(['false', 'true', '0', '{}', '[]'])('has no next page where its cursor is %s', async (cursor) => {
    const { server } = await serverOf('no-cursor', { args: [cursor] });
    expect(await server.listTools(signal)).toMatchObject({ tools: [{ name: 'a' }], problems: [] });
  });

  it('is that of its entry, if it has one', async () => {
    const { server, tools, call } = await serverOf('many', { entry: { tools: ['tool_3', 'gone'] } });
    await server.listTools(signal);
    expect(tools().map(({ definition }) => definition.name)).toEqual(['srv__tool_3']);
    expect(await call('srv__tool_3')).toMatchObject({ isError: false });
    await expect(call('srv__tool_4')).rejects.toThrow('no tool srv__tool_4');
  });

  it('is in the request with a name and one line per tool if it is long', async () => {
    const { server, tools, call } = await serverOf('many');
    await server.listTools(signal);
    expect(tools().map(({ definition }) => definition.name)).toEqual(['find_tool', 'call_tool']);
    expect(tools()[0]?.definition.description).toContain('- srv__tool_29: About tool_29.');
    expect((await call('find_tool', { query: 'tool_7' })).content).toContain(
      'srv__tool_7\nAbout tool_7.\nparameters: {',
    );
    const { content, effect } = await call('call_tool', { name: 'srv__tool_7', arguments: { a: 1 } });
    expect(content).toBe('called with {"a":1}');
    expect(effect).toMatchObject({
      ...{ toolName: 'srv__tool_7', summary: 'call srv__tool_7 with {"a":1}' },
      mcp: { server: 'srv', tool: 'tool_7', input: '{"a":1}' },
    });
  });
});

it('a server that cannot start is reported once with the reason', async () => {
  const { server } = await serverOf('fails-at-once');
  const text =
    'it ended with exit code 3. Its last lines: Error: TOKEN is missing | at c | v26. A later call tries again.';
  await expect(server.listTools(signal)).rejects.toThrow(text);
  expect(describeServers([server])).toMatch(/\n {2}stderr: Error: TOKEN is missing\n.*v26$/s);
});

describe('a server that exits', () => {
  it.each([
    ['no-such-program', 'the program no-such-program was not found in PATH'],
    ['npx -y @claude-code/3369', '"args" has its arguments'],
    ['uvx mcp-server-time', '"args" has its arguments'],
    ['docker run -i --rm mcp/time', '"args" has its arguments'],
    ['/usr/bin/env node server.js', '"args" has its arguments'],
    ['./a server of mine', 'of mine was not found.'],
  ])('cannot be started if its program is missing, which is named: %s', async (command, reason) => {
    const { server } = await serverOf('x', { entry: { command } });
    await expect(server.listTools(signal)).rejects.toThrow(reason);
    expect(server.state).toMatchObject({ type: 'failed' });
  });

  it('delays a call only for a limited time if it never answers, and the end not at all', async () => {
    const { server } = await serverOf('silent', { entry: { start_seconds: 1 } });
    await expect(server.listTools(signal)).rejects.toThrow('The server srv is still starting after 1 s');
    await server.close();
    expect(server.state.type).toBe('failed');
  });

  it('leaves no process behind, even with a launcher', async () => {
    const { server } = await serverOf('orphan');
    await server.listTools(signal);
    const [, pid = ''] = /child (\d+)/.exec(server.state.stderr.join('\n')) ?? [];
    process.kill(Number(pid), 0);
    await server.close();
    await expect.poll(() => isAlive(Number(pid))).toBe(false);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
