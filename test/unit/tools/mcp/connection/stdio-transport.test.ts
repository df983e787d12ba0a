import { expect, it } from 'vitest';
import { ServerLog } from '../../../../../src/tools/mcp/connection/server-log.ts';
import { stdioTransport } from '../../../../../src/tools/mcp/connection/stdio-transport.ts';
import type { ServerEvents } from '../../../../../src/tools/mcp/settings.ts';

/** A transport over a process that notes its listeners in `opened`. */
function openTransport(opened: ServerEvents[], discovered: () => void = () => {}) {
  return stdioTransport(
    async (_program, events) => {
      opened.push(events);
      return { write: () => {}, end: async () => {} };
    },
    {
      ...{ command: 'x', args: [], workingDirectory: '/', environment: {}, network: false, hosts: [] },
      ...{ localSockets: false, read: [], write: [] },
    },
    { log: new ServerLog(), discovered, over: new AbortController().signal },
  );
}

it('a message of the listener to the end of a server is refused', async () => {
  const opened: ServerEvents[] = [];
  const transport = openTransport(opened);
  await transport.start();
  const sent: Promise<void>[] = [];
  transport.onclose = () => void sent.push(transport.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' }));
  opened[0]?.ended('it has ended');
  await expect(sent[0]).rejects.toThrow('the server has ended');
  await transport.close();
  expect(sent).toHaveLength(1);
});

it('the first failure of a server is kept behind a flood of its later lines', () => {
  const log = new ServerLog();
  log.addStderr('starting\nError: no to');
  log.addStderr('ken\n');
  for (let line = 0; line < 2_000; line += 1) log.addStderr(`retry ${line} of the connection\n`);
  expect(log.lines(2)).toEqual(['Error: no token', 'retry 1999 of the connection']);
  log.begin();
  expect(log.lines()).toEqual([]);
});

it.each([
  ['an error', { error: { code: -32_601, message: 'Method not found' } }, []],
  ['a result', { result: { supportedVersions: ['2026-07-28'], capabilities: {} } }, ['discovered']],
])('%s that answers the first question after the handshake does not reach the library', async (_name, answer, told) => {
  const opened: ServerEvents[] = [];
  const heard: string[] = [];
  const note = (text: string) => () => void heard.push(text);
  const transport = openTransport(opened, note('discovered'));
  transport.onmessage = (message) => void heard.push(`message ${'id' in message ? message.id : ''}`);
  await transport.start();
  const say = (id: string | number, rest: object) => opened[0]?.line(JSON.stringify({ jsonrpc: '2.0', id, ...rest }));
  await transport.send({ jsonrpc: '2.0', id: 'probe', method: 'server/discover' });
  await transport.send({ jsonrpc: '2.0', id: 0, method: 'initialize' });
  say('probe', answer);
  say(0, { result: { protocolVersion: '2025-11-25', capabilities: {} } });
  expect(heard).toEqual([...told, 'message 0']);
});
