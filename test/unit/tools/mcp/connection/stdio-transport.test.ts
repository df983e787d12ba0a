import { expect, it } from 'vitest';
import { ServerLog } from '../../../../../src/tools/mcp/connection/server-log.ts';
import { stdioTransport } from '../../../../../src/tools/mcp/connection/stdio-transport.ts';
import type { ServerEvents } from '../../../../../src/tools/mcp/settings.ts';

it.each([
  ['an error', { error: { code: -32_601, message: 'Method not found' } }, []],
  ['a result', { result: { supportedVersions: ['2026-07-28'], capabilities: {} } }, ['discovered']],
])('%s that answers the first question after the handshake does not reach the library', async (_name, answer, told) => {
  const opened: ServerEvents[] = [];
  const heard: string[] = [];
  const note = (text: string) => () => void heard.push(text);
  const transport = stdioTransport(
    async (_program, events) => {
      opened.push(events);
      return { write: () => {}, end: async () => {} };
    },
    {
      ...{
        command: 'x',
        args: [],
        workingDirectory: '/',
        environment: {},
        network: false,
        hosts: [],
        localSockets: false,
      },
      ...{ read: [], write: [] },
    },
    {
      ...{ log: new ServerLog(), discovered: note('discovered'), over: new AbortController().signal },
    },
  );
  transport.onmessage = (message) => void heard.push(`message ${'id' in message ? message.id : ''}`);
  await transport.start();
  const say = (id: string | number, rest: object) => opened[0]?.line(JSON.stringify({ jsonrpc: '2.0', id, ...rest }));
  await transport.send({ jsonrpc: '2.0', id: 'probe', method: 'server/discover' });
  await transport.send({ jsonrpc: '2.0', id: 0, method: 'initialize' });
  say('probe', answer);
  say(0, { result: { protocolVersion: '2025-11-25', capabilities: {} } });
  expect(heard).toEqual([...told, 'message 0']);
});
