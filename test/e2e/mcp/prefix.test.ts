import path from 'node:path';
import { expect, it } from 'vitest';
import { homeWith, runWithModel } from '../../support/mcp/run-with-model.ts';

const server = (file: string, ...args: readonly string[]) => ({
  ...{ command: process.execPath, args: [path.join(import.meta.dirname, '../../support/mcp', file), ...args] },
});

/** The bytes of a request up to the end of its messages, and those of its tools. */
function partsOf(request: string): { readonly messages: string; readonly tools: string } {
  const { messages, tools } = JSON.parse(request);
  return { messages: JSON.stringify(messages).slice(0, -1), tools: JSON.stringify(tools) };
}

it.each(['older', 'newer'])(
  'request n is a prefix of request n+1, over turns and changed lists: a server of the %s revision',
  async (revision) => {
    const home = homeWith({ full: server('full-server.mjs', revision), srv: server('hostile-server.mjs', 'many') });
    const added = (name: string) => ['call_tool', { name, arguments: {} }] as const;
    const { requests, results } = await runWithModel(home, [
      ['find_tool', { server: 'full' }],
      ['find_tool', { server: 'srv', query: 'tool_7' }],
      ['call_tool', { name: 'srv__tool_7', arguments: { a: 1 } }],
      added('full__grow'),
      ['find_tool', { query: 'added' }],
      added('full__added'),
      undefined,
      added('full__plain'),
      undefined,
    ]);
    expect(results.slice(2)).toEqual([
      'called with {"a":1}',
      'grown',
      expect.stringContaining('full__added\nIt is new.'),
      'added',
      'plain',
    ]);
    expect(requests).toHaveLength(9);
    const parts = requests.map(partsOf);
    for (const [index, { messages, tools }] of parts.slice(1).entries()) {
      expect(messages.startsWith(parts[index]?.messages ?? '-')).toBe(true);
      expect(tools).toBe(parts[index]?.tools);
    }
  },
);

it('a process that continues a session offers the tools that the session began with', async () => {
  const home = homeWith({ full: server('full-server.mjs', 'newer') });
  const first = await runWithModel(home, [['find_tool', { server: 'full' }]]);
  const call = ['call_tool', { name: 'full__plain', arguments: {} }] as const;
  const second = await runWithModel(home, [call], ['--continue']);
  const third = await runWithModel(home, [], ['--continue']);
  expect(second.results.at(-1)).toBe('plain');
  const parts = [first, second, third].flatMap(({ requests }) => requests).map(partsOf);
  expect(parts).toHaveLength(5);
  for (const [index, { messages, tools }] of parts.slice(1).entries()) {
    expect(tools).toBe(parts[index]?.tools);
    expect(messages.startsWith(parts[index]?.messages ?? '-')).toBe(true);
  }
  // A new session offers the tools that are known now.
  const { requests } = await runWithModel(home, []);
  expect(partsOf(requests[0] ?? '').tools).toContain('"full__plain"');
});
