import net from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScenarioSet } from '../../../../mock-llm-server/scenario/prepare.ts';
import { type RunningServer, startMockServer } from '../../../../mock-llm-server/server/listen.ts';
import { exchangeBytes } from '../../../support/wires/raw-request.ts';

let server: RunningServer;

beforeAll(async () => {
  server = await startMockServer({ scenarios: createScenarioSet([]) });
});

afterAll(() => server.close());

/** The response to the bytes, up to the end of the connection. */
async function exchange(...chunks: readonly string[]): Promise<{ head: string; body: string }> {
  const [head = '', body = ''] = String((await exchangeBytes(server.url, [chunks.join('')])).received).split(
    '\r\n\r\n',
    2,
  );
  return { head, body };
}

function handshake(path: string, connection = 'Upgrade'): string {
  const headers = [
    `Host: ${new URL(server.url).host}`,
    `Connection: ${connection}`,
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'OpenAI-Beta: responses_websockets=2026-02-06',
  ];
  return `GET ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`;
}

describe('a WebSocket', () => {
  it.each(['/v1/chat/completions', '/chat/completions', '/v1/chat/completions?x=1'])(
    'is refused with 426 at %s',
    async (path) => {
      const { head, body } = await exchange(handshake(path));
      const lines = head.toLowerCase().split('\r\n');
      expect(lines[0]).toBe('http/1.1 426 upgrade required');
      expect(lines).toEqual(
        expect.arrayContaining([
          'content-type: application/json',
          'x-should-retry: false',
          'upgrade: http/1.1',
          'connection: upgrade, close',
        ]),
      );
      expect(JSON.parse(body)).toEqual({
        error: {
          message: 'WebSockets are not supported. Send a POST request.',
          type: 'invalid_request_error',
          param: null,
          code: 'websocket_not_supported',
        },
      });
    },
  );

  it('is refused with 404 where the provider has no route', async () => {
    const { head, body } = await exchange(handshake('/v1/realtime', 'Upgrade, close'));
    expect(head).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
    expect(JSON.parse(body)).toMatchObject({ error: { code: 'unknown_url' } });
  });

  it('does not stop the server when the client disconnects before the answer', async () => {
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

it('a request that also offers HTTP/2 is answered as without the offer', async () => {
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
