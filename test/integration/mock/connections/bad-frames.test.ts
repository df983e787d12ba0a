import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startMockServer } from '../../../../mock-llm-server/server/listen.ts';
import { scenarioSet } from '../../../support/stories/builders.ts';
import { exchangeBytes } from '../../../support/wires/raw-request.ts';

let server: RunningServer;
beforeAll(async () => {
  const steps = [{ response: { content: 'Hi.' } }];
  server = await startMockServer({ scenarios: scenarioSet({ scenarios: [{ name: 'hi', trigger: 'hello', steps }] }) });
});
afterAll(() => server.close());

const exchange = (parts: readonly (Buffer | string)[], done?: (received: Buffer) => boolean) =>
  exchangeBytes(server.url, parts, done);

/** Checks that the server still answers. */
async function isAlive(): Promise<boolean> {
  return (await fetch(`${server.url}/health`)).status === 200;
}

const handshake =
  `GET /v1/responses HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
  `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n`;

const POST = `POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n`;

describe('a request of HTTP/1.1', () => {
  it.each<readonly [string, string, number]>([
    ['whose chunk has no size', `${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`, 400],
    ['whose chunk is longer than its size', `${POST}Transfer-Encoding: chunked\r\n\r\n2\r\n{}x\r\n0\r\n\r\n`, 400],
    ['with a length and chunks', `${POST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
    ['with two lengths', `${POST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 400],
    ['with a length below zero', `${POST}Content-Length: -1\r\n\r\n`, 400],
    ['with a length of 2^64', `${POST}Content-Length: 18446744073709551616\r\n\r\n`, 400],
    ['with a header without a name', `GET /health HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n`, 400],
    ['with a NUL in a header', `GET /health HTTP/1.1\r\nHost: a\r\nX: \0\r\n\r\n`, 400],
    ['with 20 KB of headers', `GET /health HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['without a host', 'GET /health HTTP/1.1\r\n\r\n', 400],
    ['without a method', 'NOPE /health HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['of version 9.9', 'GET /health HTTP/9.9\r\nHost: a\r\n\r\n', 400],
    ['in the bytes of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 400],
    ['for a WebSocket of version 7', handshake.replace('Version: 13', 'Version: 7'), 400],
    ['for a WebSocket without a key', handshake.replace(/Sec-WebSocket-Key.*\r\n/, ''), 400],
    ['for a WebSocket with a short key', handshake.replace('dGhl', ''), 400],
  ])('%s ends with $2 and the connection', async (_what, text, status) => {
    const { received, ended } = await exchange([text]);
    expect(received.toString()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(received.toString().match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(ended).toBe(true);
    expect(await isAlive()).toBe(true);
  });

  it('with a body above the limit ends with 413 before the body is sent', async () => {
    const { received } = await exchange([`${POST}Content-Length: ${1024 ** 3}\r\n\r\n{`], (bytes) => bytes.length > 0);
    expect(received.toString()).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('with chunks above the limit ends with 413', async () => {
    const chunk = `100000\r\n${' '.repeat(0x100000)}\r\n`;
    const parts = [`${POST}Transfer-Encoding: chunked\r\n\r\n`, ...Array.from({ length: 40 }, () => chunk)];
    const { received } = await exchange(parts, (bytes) => bytes.length > 0);
    expect(received.toString()).toMatch(/^HTTP\/1\.1 413 /);
    expect(await isAlive()).toBe(true);
  });
});

/** A frame of HTTP/2. */
function http2Frame(
  type: number,
  flags: number,
  stream: number,
  payload: Buffer = Buffer.alloc(0),
  length = payload.length,
) {
  const head = Buffer.alloc(9);
  head.writeUIntBE(length, 0, 3);
  head.set([type, flags], 3);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const settings = http2Frame(4, 0, 0);
/** `:method GET`, `:scheme http`, `:path /` and `:authority`, in the table of HPACK. */
const fields = Buffer.concat([Buffer.from([0x82, 0x86, 0x84, 0x41, 9]), Buffer.from('127.0.0.1')]);
const head = http2Frame(1, 5, 1, fields);
const four = (value: number) => Buffer.from([0, 0, 0, value]);

/** The ends that a server sends: `goaway CODE` and `reset CODE`. */
function endsOf(received: Buffer): readonly string[] {
  const ends: string[] = [];
  for (let rest = received; rest.length >= 9; ) {
    const length = rest.readUIntBE(0, 3);
    const data = rest.subarray(9, 9 + length);
    if (rest[3] === 7) ends.push(`goaway ${data.readUInt32BE(4)}`);
    if (rest[3] === 3) ends.push(`reset ${data.readUInt32BE(0)}`);
    rest = rest.subarray(9 + length);
  }
  return ends;
}

describe('a frame of HTTP/2', () => {
  it.each<readonly [string, readonly (Buffer | string)[], string]>([
    ['above the size of frames', [settings, http2Frame(0, 0, 1, Buffer.alloc(0), 16_385)], 'goaway 6'],
    ['of data on stream 0', [settings, http2Frame(0, 1, 0, Buffer.from('x'))], 'goaway 1'],
    ['of headers on stream 0', [settings, http2Frame(1, 5, 0, Buffer.from([0x82]))], 'goaway 1'],
    ['of headers on an even stream', [settings, http2Frame(1, 5, 2, Buffer.from([0x82]))], 'goaway 1'],
    [
      'with a broken table',
      [settings, http2Frame(1, 5, 1, Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]))],
      'goaway 9',
    ],
    ['that widens the window by 0', [settings, http2Frame(8, 0, 0, four(0))], 'goaway 1'],
    ['of settings with 3 bytes', [settings, http2Frame(4, 0, 0, Buffer.alloc(3))], 'goaway 6'],
    ['of settings on a stream', [settings, http2Frame(4, 0, 1, Buffer.alloc(6))], 'goaway 1'],
    ['that acknowledges with content', [settings, http2Frame(4, 1, 0, Buffer.alloc(6))], 'goaway 6'],
    ['of a ping with 4 bytes', [settings, http2Frame(6, 0, 0, Buffer.alloc(4))], 'goaway 6'],
    ['of a ping on a stream', [settings, http2Frame(6, 0, 1, Buffer.alloc(8))], 'goaway 1'],
    ['that continues no headers', [settings, http2Frame(9, 4, 1, Buffer.from([0x82]))], 'goaway 1'],
    ['that resets stream 0', [settings, http2Frame(3, 0, 1, four(8))], 'goaway 1'],
    ['that pushes', [settings, http2Frame(5, 4, 1, Buffer.concat([four(2), Buffer.from([0x82])]))], 'goaway 1'],
    ['of data before settings', [http2Frame(0, 1, 1, Buffer.from('x'))], 'goaway 1'],
    [
      'for a name with a capital letter',
      [settings, http2Frame(1, 5, 1, Buffer.from([0x82, 0x86, 0x84, 0x00, 0x01, 0x41, 0x01, 0x61]))],
      'reset 1',
    ],
  ])('%s ends with the code of the protocol', async (_what, frames, expected) => {
    const { received } = await exchange([PREFACE, ...frames], (bytes) => endsOf(bytes).length > 0);
    expect(endsOf(received)[0]).toBe(expected);
    expect(await isAlive()).toBe(true);
  });

  it('that resets a request ends only that request', async () => {
    const ping = http2Frame(6, 0, 0, Buffer.alloc(8, 7));
    const reset = http2Frame(3, 0, 1, four(8));
    const { received } = await exchange([PREFACE, settings, head, reset, ping], (bytes) =>
      bytes.includes(Buffer.alloc(8, 7)),
    );
    expect(endsOf(received)).toEqual([]);
  });
});
