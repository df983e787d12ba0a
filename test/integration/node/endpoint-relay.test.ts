import { once } from 'node:events';
import net from 'node:net';
import { expect, it } from 'vitest';
import { relayToServer, relayToSocket } from '../../../src/node/endpoint-relay.ts';

/** A port of this machine without a listener. */
async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return address !== null && typeof address === 'object' ? address.port : 0;
}

it('a server that is down ends the connection on both sides of a relay, but not the program', async () => {
  const down = await relayToServer(`http://127.0.0.1:${await freePort()}/v1`);
  const near = await relayToSocket(down.address, `http://127.0.0.1:${await freePort()}/v1`);
  await expect(fetch(`${near.address}/models`)).rejects.toThrow('fetch failed');
  await expect(fetch(`${near.address}/models`)).rejects.toThrow('fetch failed');
  await near.close();
  await down.close();
});
