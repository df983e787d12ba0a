import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startMockServer } from '../../../../mock-llm-server/server/listen.ts';
import { scenarioSet } from '../../../unit/mock-llm-server/builders.ts';

let server: RunningServer;
beforeAll(async () => {
  const steps = [{ response: { content: 'Hi.' } }];
  server = await startMockServer({ scenarios: scenarioSet({ scenarios: [{ name: 'hi', trigger: 'hello', steps }] }) });
});
afterAll(() => server.close());

const portOf = () => Number(new URL(server.url).port);

/** Everything that the server sends on a connection until it ends it, or until `done` holds. */
async function exchange(
  parts: readonly (Buffer | string)[],
  done: (received: Buffer) => boolean = () => false,
): Promise<{ readonly received: Buffer; readonly ended: boolean; readonly socket: Socket }> {
  const socket = connect({ port: portOf(), host: '127.0.0.1' });
  socket.on('error', () => {});
  await once(socket, 'connect');
  let received: Buffer = Buffer.alloc(0);
  let ended = false;
  const finished = new Promise<void>((resolve) => {
    socket.on('data', (bytes) => {
      received = Buffer.concat([received, bytes]);
      if (done(received)) resolve();
    });
    socket.on('close', () => {
      ended = true;
      resolve();
    });
  });
  for (const part of parts) socket.write(part);
  await finished;
  socket.destroy();
  return { received, ended, socket };
}

/** Checks that the server still answers. */
async function isAlive(): Promise<boolean> {
  return (await fetch(`${server.url}/health`)).status === 200;
}

const handshake = (more = '') =>
  `GET /v1/responses HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
  `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n${more}\r\n`;

/** A frame of a client: the first byte has FIN, the reserved bits and the kind. */
function frame(first: number, payload: Buffer | string = '', isMasked = true): Buffer {
  const data = Buffer.from(payload);
  const size = data.length < 126 ? Buffer.from([data.length]) : Buffer.from([126, data.length >> 8, data.length & 255]);
  if (isMasked) size[0] = Number(size[0]) | 0x80;
  return Buffer.concat([Buffer.from([first]), size, ...(isMasked ? [Buffer.alloc(4)] : []), data]);
}

/** The frames of the server after its handshake: `close 1002`, `pong xy`, or the type of an event. */
function framesOf(received: Buffer): readonly string[] {
  const start = received.indexOf('\r\n\r\n') + 4;
  const frames: string[] = [];
  for (let rest = start < 4 ? Buffer.alloc(0) : received.subarray(start); rest.length >= 2; ) {
    const short = Number(rest[1]) & 0x7f;
    const head = short < 126 ? 2 : short === 126 ? 4 : 10;
    const length = short < 126 ? short : short === 126 ? rest.readUInt16BE(2) : Number(rest.readBigUInt64BE(2));
    const data = rest.subarray(head, head + length);
    const kind = Number(rest[0]) & 0x0f;
    if (kind === 8) frames.push(`close ${data.length < 2 ? 'without a code' : data.readUInt16BE(0)}`);
    else if (kind === 10) frames.push(`pong ${data}`);
    else frames.push(/"type":"([\w.]+)"/.exec(data.toString())?.[1] ?? data.toString());
    rest = rest.subarray(head + length);
  }
  return frames;
}

const create = JSON.stringify({ type: 'response.create', model: 'm', input: 'hello' });
const longHead = (bytes: bigint) => {
  const head = Buffer.alloc(14);
  head.set([0x81, 0xff]);
  head.writeBigUInt64BE(bytes, 2);
  return head;
};

describe('a WebSocket', () => {
  it.each<readonly [string, () => readonly (Buffer | string)[], readonly string[]]>([
    ['without a mask', () => [frame(0x81, '{}', false)], ['close 1002']],
    ['that is compressed', () => [frame(0xc1, 'x')], ['close 1002']],
    ['with the second reserved bit', () => [frame(0xa1, 'x')], ['close 1002']],
    ['with the third reserved bit', () => [frame(0x91, 'x')], ['close 1002']],
    ['of the unknown opcode 3', () => [frame(0x83, 'x')], ['close 1002']],
    ['of the unknown control opcode 11', () => [frame(0x8b, 'x')], ['close 1002']],
    ['that is a fragmented ping', () => [frame(0x09, 'x')], ['close 1002']],
    ['that is a ping of 126 bytes', () => [frame(0x89, 'x'.repeat(126))], ['close 1002']],
    ['that continues no message', () => [frame(0x80, 'x')], ['close 1002']],
    ['that begins a message within another one', () => [frame(0x01, 'x'), frame(0x81, 'y')], ['close 1002']],
    ['with invalid UTF-8', () => [frame(0x81, Buffer.from([0xff, 0xfe]))], ['close 1007']],
    ['with half of a character', () => [frame(0x81, Buffer.from([0xe2, 0x82]))], ['close 1007']],
    ['of 33 MiB', () => [longHead(33n * 1024n * 1024n)], ['close 1009']],
    ['of 2^63 bytes', () => [longHead(2n ** 63n)], ['close 1009']],
    ['of bytes', () => [frame(0x82, 'x')], ['close 1003']],
    ['that closes with one byte', () => [frame(0x88, 'x')], ['close 1002']],
    ['that closes with 1005', () => [frame(0x88, Buffer.from([3, 237]))], ['close 1002']],
    ['that closes with 1006', () => [frame(0x88, Buffer.from([3, 238]))], ['close 1002']],
    ['that closes with 999', () => [frame(0x88, Buffer.from([3, 231]))], ['close 1002']],
    ['that closes with 5000', () => [frame(0x88, Buffer.from([19, 136]))], ['close 1002']],
    ['that closes with invalid UTF-8', () => [frame(0x88, Buffer.from([3, 232, 0xff]))], ['close 1007']],
    ['that closes with 1000', () => [frame(0x88, Buffer.from([3, 232]))], ['close 1000']],
    ['that closes with 4000', () => [frame(0x88, Buffer.from([15, 160]))], ['close 4000']],
    ['that closes without a code', () => [frame(0x88)], ['close without a code']],
    ['after bytes, which is not read', () => [frame(0x82, 'x'), frame(0x81, create)], ['close 1003']],
  ])('frame %s ends the connection with the code of the protocol', async (_what, frames, expected) => {
    const { received, ended } = await exchange([handshake(), ...frames()]);
    expect(framesOf(received)).toEqual(expected);
    expect(ended).toBe(true);
    expect(await isAlive()).toBe(true);
  });
});

describe('a WebSocket that stays open', () => {
  const ends =
    (...last: readonly string[]) =>
    (received: Buffer) =>
      last.every((each) => framesOf(received).includes(each));

  it.each<readonly [string, readonly Buffer[], readonly string[]]>([
    ['answers a ping', [frame(0x89, 'xy')], ['pong xy']],
    ['ignores a pong', [frame(0x8a, 'xy'), frame(0x89, 'z')], ['pong z']],
    [
      'accepts a ping between the parts of a message',
      [frame(0x01, '{'), frame(0x89, 'p'), frame(0x80, '}')],
      ['pong p', 'error'],
    ],
    ['answers text that is not JSON with an event', [frame(0x81, 'no')], ['error']],
    ['answers an empty message with an event', [frame(0x81)], ['error']],
    ['answers an unknown event with an event', [frame(0x81, '{"type":"x"}')], ['error']],
  ])('%s', async (_what, frames, expected) => {
    const { received, ended } = await exchange([handshake(), ...frames], ends(...expected));
    expect(framesOf(received)).toEqual(expected);
    expect(ended).toBe(false);
  });

  it('reads a request in three parts', async () => {
    const third = Math.ceil(create.length / 3);
    const parts = [0, 1, 2].map((index) => create.slice(index * third, (index + 1) * third));
    const frames = [frame(0x01, parts[0]), frame(0x00, parts[1]), frame(0x80, parts[2])];
    const { received } = await exchange([handshake(), ...frames], ends('response.completed'));
    expect(framesOf(received).at(0)).toBe('response.created');
  });

  it('does not negotiate compression', async () => {
    const { received } = await exchange([handshake('Sec-WebSocket-Extensions: permessage-deflate\r\n')], () => true);
    expect(received.toString()).toMatch(/^HTTP\/1\.1 101 /);
    expect(received.toString()).not.toMatch(/extensions/i);
  });

  it('survives a client that disconnects within a frame', async () => {
    const { socket } = await exchange([handshake(), frame(0x81, create).subarray(0, 20)], (bytes) => bytes.length > 0);
    expect(socket.destroyed).toBe(true);
    expect(await isAlive()).toBe(true);
  });
});

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
    ['for a WebSocket of version 7', handshake().replace('Version: 13', 'Version: 7'), 400],
    ['for a WebSocket without a key', handshake().replace(/Sec-WebSocket-Key.*\r\n/, ''), 400],
    ['for a WebSocket with a short key', handshake().replace('dGhl', ''), 400],
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
