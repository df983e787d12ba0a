import { createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as it came. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** The bytes of a response with a body of this type; the connection is closed after it. */
export function rawResponse(status: number, type: string, body: string): string {
  const length = Buffer.byteLength(body);
  return `HTTP/1.1 ${status} Status\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\nconnection: close\r\n\r\n${body}`;
}

/** A JSON response. */
export function rawJson(value: unknown, status = 200): string {
  return rawResponse(status, 'application/json', JSON.stringify(value));
}

/** A stream of server-sent events with these values, and the usual end. */
export function rawEvents(...values: readonly unknown[]): string {
  const frames = values.map((value) => `data: ${JSON.stringify(value)}\n\n`);
  return rawResponse(200, 'text/event-stream', `${frames.join('')}data: [DONE]\n\n`);
}

/** A chat completion in two chunks: a delta, and the end. */
export function rawChat(delta: object, finish: string, usage?: object): string {
  return rawEvents(
    { choices: [{ index: 0, delta }] },
    { choices: [{ index: 0, delta: {}, finish_reason: finish }], usage },
  );
}

/** Starts a server on a socket of this machine that answers each request with the bytes of `answer`. Ends with the test. */
export async function startRawServer(
  answer: (request: RawRequest) => string,
): Promise<{ readonly url: string; readonly requests: readonly RawRequest[] }> {
  const requests: RawRequest[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let received = '';
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1');
      const end = received.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
      if (end === -1 || received.length < end + 4 + length) return;
      const [method = '', path = ''] = received.split(' ', 2);
      const body = Buffer.from(received.slice(end + 4), 'latin1').toString('utf8');
      received = '';
      const request = { method, path, body };
      requests.push(request);
      socket.end(answer(request));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, requests };
}
