import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';

/**
 * The status of the response to a GET with headers that `fetch` does not send, like `host` and `upgrade`. A switch of
 * protocols is a 101. Rejects when the connection breaks.
 */
export function requestWith(url: string, headers: Readonly<Record<string, string>>): Promise<{ status: number }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, agent: false });
    sent.on('error', reject);
    sent.on('response', (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0 });
    });
    sent.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0 });
    });
    sent.end();
  });
}

/**
 * The bytes that a server sends on a connection until it ends the connection, or until `done` returns true. `done` may
 * also write to the socket. The client then leaves.
 */
export async function exchangeBytes(
  url: string,
  parts: readonly (Buffer | string)[],
  done: (received: Buffer, socket: Socket) => boolean = () => false,
): Promise<{ readonly received: Buffer; readonly ended: boolean }> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' });
  socket.on('error', () => {});
  await once(socket, 'connect');
  let received: Buffer = Buffer.alloc(0);
  let ended = false;
  const finished = new Promise<void>((resolve) => {
    socket.on('data', (bytes) => {
      received = Buffer.concat([received, bytes]);
      if (done(received, socket)) resolve();
    });
    socket.on('close', () => {
      ended = true;
      resolve();
    });
  });
  for (const part of parts) socket.write(part);
  await finished;
  socket.destroy();
  return { received, ended };
}
