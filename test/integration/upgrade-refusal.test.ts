import net from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScenarioSet } from '../../mock-llm-server/scenario/prepare.ts';
import { type RunningServer, startMockServer } from '../../mock-llm-server/server/listen.ts';

let server: RunningServer;

beforeAll(async () => {
  server = await startMockServer({ scenarios: createScenarioSet([]) });
});

afterAll(() => server.close());

/** What comes back for the bytes until the server ends the connection. */
function exchange(...chunks: readonly string[]): Promise<{ head: string; body: string }> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(new URL(server.url).port), '127.0.0.1');
    let received = '';
    socket.setEncoding('utf8');
    socket.on('error', reject);
    socket.on('data', (text) => {
      received += text;
    });
    socket.on('end', () => {
      socket.end();
      const [head = '', body = ''] = received.split('\r\n\r\n', 2);
      resolve({ head, body });
    });
    socket.write(chunks.join(''));
  });
}

function handshake(path: string): string {
  const headers = [
    `Host: ${new URL(server.url).host}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'OpenAI-Beta: responses_websockets=2026-02-06',
  ];
  return `GET ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`;
}

describe('a WebSocket', () => {
  it.each(['/v1/responses', '/responses', '/v1/responses?x=1'])('is refused with 426 at %s', async (path) => {
    const { head, body } = await exchange(handshake(path));
    expect(head.split('\r\n')).toEqual([
      'HTTP/1.1 426 Upgrade Required',
      'content-type: application/json',
      `content-length: ${body.length}`,
      'x-should-retry: false',
      'upgrade: HTTP/1.1',
      'connection: upgrade, close',
    ]);
    expect(JSON.parse(body)).toEqual({
      error: {
        message: 'WebSockets are not served here. Send a POST request.',
        type: 'invalid_request_error',
        param: null,
        code: 'websocket_not_supported',
      },
    });
  });

  it.each([
    ['/v1/realtime', { error: { code: 'unknown_url', message: 'Unknown request URL: GET /v1/realtime.' } }],
    ['/v1/messages', { type: 'error', error: { type: 'not_found_error' } }],
  ])('is refused with 404 in the shape of the protocol at %s', async (path, expected) => {
    const { head, body } = await exchange(handshake(path));
    expect(head).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
    expect(JSON.parse(body)).toMatchObject(expected);
  });

  it('leaves the server alive when the client is gone before the answer', async () => {
    await new Promise<void>((resolve, reject) => {
      const socket = net.connect(Number(new URL(server.url).port), '127.0.0.1');
      socket.on('error', reject);
      socket.write(handshake('/v1/responses'), () => {
        socket.resetAndDestroy();
        resolve();
      });
    });
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
  });
});

it('serves a request that offers HTTP/2 besides, as it would without the offer', async () => {
  const content = JSON.stringify({ model: 'm', input: '漢字' });
  const offer = [
    'POST /v1/responses HTTP/1.1',
    `Host: ${new URL(server.url).host}`,
    'Connection: Upgrade, HTTP2-Settings, close',
    'Upgrade: h2c',
    'HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(content)}`,
  ];
  const { head, body } = await exchange(`${offer.join('\r\n')}\r\n\r\n`, content);
  expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(body).toContain('No scenario matches this request');
});
