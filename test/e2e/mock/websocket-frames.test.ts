import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mockServerEntry } from '../../support/processes/entry.ts';
import { exchangeBytes } from '../../support/wires/raw-request.ts';

// The numbers of cases are those of crossbario/autobahn-testsuite at b8a5120; the sequences of UTF-8 are Markus Kuhn's.

const child = { url: '', stop: () => {} };
beforeAll(async () => {
  const server = spawn(process.execPath, [mockServerEntry, '--port', '0'], { stdio: ['ignore', 'pipe', 'ignore'] });
  child.stop = () => server.kill();
  child.url = /"url":"([^"]+)"/.exec(String(await once(server.stdout, 'data')))?.[1] ?? '';
  const said = (name: string, trigger: string, step: object) => ({ name, trigger, steps: [step] });
  const hello = said('hi', 'hello', { response: { content: 'Hi.' } });
  const stuck = said('stuck', 'wait', { response: { content: 'a b' }, fault: { stall: 'forever' } });
  const body = JSON.stringify({ scenarios: [hello, stuck] });
  expect((await fetch(`${child.url}/__mock/scenarios`, { method: 'PUT', body })).status).toBe(200);
});
afterAll(() => child.stop());

const handshake = (more = '') =>
  `GET /v1/responses HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
  `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n${more}\r\n`;

type Bytes = Buffer | string;
const MASK = Buffer.from('12345678', 'hex');

/** A frame of a client: the first byte has FIN, the reserved bits and the kind. */
function frame(first: number, payload: Bytes = '', isMasked = true, claimed?: bigint): Buffer {
  const data = Buffer.from(payload);
  const length = claimed ?? BigInt(data.length);
  const head = Buffer.alloc(length < 126n ? 2 : length < 65_536n ? 4 : 10);
  head.set([first, head.length === 2 ? Number(length) : head.length === 4 ? 126 : 127]);
  if (head.length === 4) head.writeUInt16BE(Number(length), 2);
  if (head.length === 10) head.writeBigUInt64BE(length, 2);
  if (!isMasked) return Buffer.concat([head, data]);
  head[1] = Number(head[1]) | 0x80;
  return Buffer.concat([head, MASK, data.map((byte, index) => byte ^ Number(MASK[index % 4]))]);
}

const text = (payload: Bytes) => frame(0x81, payload);
const first = (payload: Bytes) => frame(0x01, payload);
const middle = (payload: Bytes) => frame(0x00, payload);
const last = (payload: Bytes) => frame(0x80, payload);
const ping = (payload: Bytes) => frame(0x89, payload);
const close = (code: number, reason: Bytes = '') =>
  frame(0x88, Buffer.concat([Buffer.from([code >> 8, code & 255]), Buffer.from(reason)]));

/** A message in fragments of this many bytes. */
function fragments(message: Bytes, size: number): readonly Buffer[] {
  const data = Buffer.from(message);
  return Array.from({ length: Math.ceil(data.length / size) }, (_, index) => {
    const start = index * size;
    const kind = (index === 0 ? 1 : 0) | (start + size >= data.length ? 0x80 : 0);
    return frame(kind, data.subarray(start, start + size));
  });
}

/** The frames of the server after its handshake: `close 1002`, `pong xy`, an unknown event's type, or the type of an event. */
function framesOf(received: Buffer): readonly string[] {
  const start = received.indexOf('\r\n\r\n') + 4;
  const frames: string[] = [];
  for (let rest = start < 4 ? Buffer.alloc(0) : received.subarray(start); rest.length >= 2; ) {
    const short = Number(rest[1]) & 0x7f;
    const head = short < 126 ? 2 : short === 126 ? 4 : 10;
    const length = short < 126 ? short : short === 126 ? rest.readUInt16BE(2) : Number(rest.readBigUInt64BE(2));
    const data = rest.subarray(head, head + length);
    if (data.length < length) break;
    const kind = Number(rest[0]) & 0x0f;
    const all = data.toString();
    const said = all.length > 60_000 ? `${all.split('*').length - 1} times *` : all;
    if (kind === 8) frames.push(`close ${data.length < 2 ? 'without a code' : data.readUInt16BE(0)}`);
    else if (kind === 10) frames.push(`pong ${data}`);
    else frames.push(/Unknown event type \\"(.*)\\"/.exec(said)?.[1] ?? /"type":"([\w.]+)"/.exec(said)?.[1] ?? said);
    rest = rest.subarray(head + length);
  }
  return frames;
}

const inBytes = (frames: readonly Buffer[]) => [...Buffer.concat(frames)].map((byte) => Buffer.from([byte]));

/** A message whose answer repeats the text. */
const say = (said: Bytes) => Buffer.concat([Buffer.from('{"type":"'), Buffer.from(said), Buffer.from('"}')]);
const create = (input: string) => JSON.stringify({ type: 'response.create', model: 'm', input });
const bytes = (hex: string) => Buffer.from(hex, 'hex');

/** Checks what the server sends to the frames up to its close, and that this ends nothing else. */
async function expectEnd(frames: readonly Buffer[], expected: readonly string[]): Promise<void> {
  const isClosed = (received: Buffer) => framesOf(received).some((each) => each.startsWith('close'));
  const { received } = await exchangeBytes(child.url, [handshake(), ...frames], isClosed);
  expect(framesOf(received)).toEqual(expected);
  expect((await fetch(`${child.url}/health`)).status).toBe(200);
}

/** Checks what the server sends to the frames on a connection that stays open. */
async function expectAnswer(frames: readonly Buffer[], expected: readonly string[]): Promise<void> {
  const isThere = (received: Buffer) => framesOf(received).length >= expected.length;
  const { received, ended } = await exchangeBytes(child.url, [handshake(), ...frames], isThere);
  expect([framesOf(received), ended]).toEqual([expected, false]);
}

const CONTROL_KINDS: readonly (readonly [string, number])[] = [
  ['a close', 8],
  ['a ping', 9],
  ['a pong', 10],
];
const RESERVED = [3, 4, 5, 6, 7, 11, 12, 13, 14, 15];
const MiB = 1024 * 1024;

describe('a frame of a WebSocket ends the connection with the code of the protocol', () => {
  it.each<readonly [string, readonly Buffer[], readonly string[]]>([
    ['text without a mask', [frame(0x81, '{}', false)], ['close 1002']],
    ['a continuation without a mask', [first('a'), frame(0x80, 'b', false)], ['close 1002']],
    ['a continuation of no message (5.9)', [last('x'), text('{}')], ['close 1002']],
    ['a continuation that is not the last, of no message (5.12)', [middle('x'), text('{}')], ['close 1002']],
    [
      'a continuation after a whole message (5.15)',
      [first('{"type":'), last('"x"}'), middle('y')],
      ['x', 'close 1002'],
    ],
    ['a message within another one (5.18)', [first('x'), text('y')], ['close 1002']],
    ['a first part within a message', [first('x'), first('y')], ['close 1002']],
    ['bytes within text', [first('x'), frame(0x82, 'y')], ['close 1002']],
    ['bytes', [frame(0x82, 'x'), text(create('hello'))], ['close 1003']],
    ['bytes in parts', [frame(0x02, 'x'), last('y')], ['close 1003']],
    ['one of 33 MiB', [frame(0x81, '', true, 33n * BigInt(MiB))], ['close 1009']],
    ['one of 2^53 bytes', [frame(0x81, '', true, 2n ** 53n)], ['close 1009']],
    ['one of 2^63 bytes', [frame(0x81, '', true, 2n ** 63n)], ['close 1009']],
    ['parts of 33 MiB', [first('x'.repeat(20 * MiB)), frame(0x80, '', true, 13n * BigInt(MiB))], ['close 1009']],
    [
      'more than 262,144 parts',
      Array.from({ length: 262_146 }, (_, at) => frame(at === 0 ? 1 : 0, 'x')),
      ['close 1008'],
    ],
    ['after an answer', [text(say('x')), frame(0x83, 'y'), ping('')], ['x', 'close 1002']],
    ['half of a close (7.3.2)', [frame(0x88, 'x')], ['close 1002']],
    ['a close without a code (7.3.1)', [frame(0x88)], ['close without a code']],
    ['a close with 123 bytes of a reason (7.3.5)', [close(1000, 'x'.repeat(123))], ['close 1000']],
    ['a close with 124 bytes of a reason (7.3.6)', [close(1000, 'x'.repeat(124))], ['close 1002']],
    ['a close with a reason that is not UTF-8 (7.5.1)', [close(1000, bytes('ceba1beda080'))], ['close 1007']],
    ['a second close (7.1.2)', [close(1000), close(1000)], ['close 1000']],
    ['a ping after a close (7.1.3)', [close(1000), ping('')], ['close 1000']],
    ['a close within a message (7.1.5)', [first('{'), close(1000), last('}')], ['close 1000']],
    ['a close after an answer (7.1.1)', [text(say('x')), close(1000)], ['x', 'close 1000']],
  ])('%s', (_what, frames, expected) => expectEnd(frames, expected));

  it('also for a client that does not answer the close, whose connection ends', async () => {
    const { received, ended } = await exchangeBytes(child.url, [handshake(), frame(0x83)]);
    expect([framesOf(received), ended]).toEqual([['close 1002'], true]);
  });

  it.each(CONTROL_KINDS)('%s in parts, without a mask, or above 125 bytes (2.5, 5.1)', async (_what, kind) => {
    await expectEnd([frame(kind, 'xx'), last('y')], ['close 1002']);
    await expectEnd([frame(0x80 | kind, 'xx', false)], ['close 1002']);
    await expectEnd([frame(0x80 | kind, 'x'.repeat(126))], ['close 1002']);
  });

  it.each([1, 2, 3, 4, 5, 6, 7])('the reserved bits %i (3.1–3.7)', async (bits) => {
    for (const kind of [0x81, 0x88, 0x89]) await expectEnd([frame(kind | (bits << 4), 'xx')], ['close 1002']);
    await expectEnd([first('x'), frame(0x80 | (bits << 4), 'y')], ['close 1002']);
  });

  it.each(RESERVED)('the unknown kind %i (4.1, 4.2)', async (kind) => {
    for (const fin of [0, 0x80]) await expectEnd([frame(fin | kind, 'x')], ['close 1002']);
  });

  it.each([1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999])(
    'the code %i of a close, which the server repeats (7.7)',
    (code) => expectEnd([close(code)], [`close ${code}`]),
  );

  it.each([0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535])(
    'the code %i, which no close may have (7.9)',
    (code) => expectEnd([close(code)], ['close 1002']),
  );

  it.each(
    (
      'ce cebae1 cebae1bd f888808080 fc8480808080 f7bfbfbf fbbfbfbfbf fdbfbfbfbfbf f4908080 80 bf 80bf 80bf80bf80bf ' +
      'c020c120 e020ef20 f020f720 f820 fc20 c0 e080 f08080 df efbf f7bfbf fe ff fefeffff c0af e080af f08080af ' +
      'f8808080af c1bf e09fbf f08fbfbf f887bfbfbf c080 e08080 f0808080 eda080 edadbf edae80 edafbf edb080 edbfbf ' +
      'eda080edb080 edafbfedbfbf'
    ).split(' '),
  )('text with %s, which is not UTF-8, also across parts (6.3–6.20)', async (hex) => {
    await expectEnd([text(say(bytes(hex)))], ['close 1007']);
    await expectEnd(fragments(say(bytes(hex)), 1), ['close 1007']);
    await expectEnd([text(Buffer.concat([bytes(hex), Buffer.alloc(40, 'x')]))], ['close 1007']);
  });

  it.each<readonly [string, Buffer, string]>([
    ['a close', close(1000), 'close 1000'],
    ['a bad frame', frame(0x83), 'close 1002'],
  ])('%s within an answer, of which nothing follows', async (_what, end, expected) => {
    let isSent = false;
    const { received, ended } = await exchangeBytes(child.url, [handshake(), text(create('wait'))], (all, socket) => {
      if (!isSent && framesOf(all).length > 0) isSent = socket.write(end);
      return false;
    });
    expect([framesOf(received)[0], framesOf(received).at(-1), ended]).toEqual(['response.created', expected, true]);
  });
});

describe('a WebSocket that stays open', () => {
  const fragmentsWithPings = [
    first('{"ty'),
    middle('pe"'),
    ping('1'),
    middle(':"'),
    middle('x'),
    ping('2'),
    last('"}'),
  ];

  it.each<readonly [string, readonly Buffer[], readonly string[]]>([
    ['answers an empty ping (2.1)', [ping('')], ['pong ']],
    ['answers a ping of 125 bytes (2.4)', [ping('x'.repeat(125))], [`pong ${'x'.repeat(125)}`]],
    ['answers 500 pings at once', Array(500).fill(ping('x')), [...Array<string>(500).fill('pong x')]],
    ['ignores pongs (2.9)', [frame(0x8a), frame(0x8a, 'xy'), ping('z')], ['pong z']],
    ['answers pings between the parts of a message (5.19)', fragmentsWithPings, ['pong 1', 'pong 2', 'x']],
    ['reads frames that come in single bytes (5.20)', inBytes(fragmentsWithPings), ['pong 1', 'pong 2', 'x']],
    ['accepts empty parts (6.1.3)', [first(''), middle(say('x')), last('')], ['x']],
    ['answers text that is not JSON with an event', [text('no')], ['error']],
    ['answers an empty message with an event (6.1.1)', [text('')], ['error']],
    ['answers a message in empty parts with an event (6.1.2)', [first(''), middle(''), last('')], ['error']],
  ])('%s', (_what, frames, expected) => expectAnswer(frames, expected));

  it.each([0, 125, 126, 127, 128, 65_535, 65_536, MiB])('reads a text of %i bytes (1.1, 9.1)', (length) =>
    expectAnswer([text(say('*'.repeat(length)))], [length < 60_000 ? '*'.repeat(length) : `${length} times *`]),
  );

  it.each([64, 1024, 65_536])('reads 1 MiB in parts of %i bytes (9.3)', (size) =>
    expectAnswer([Buffer.concat(fragments(say('*'.repeat(MiB)), size))], [`${MiB} times *`]),
  );

  it.each(
    (
      '68656c6c6f24 68656c6c6fc2a2 68656c6c6fe282ac 68656c6c6ff0a4ada2 cebae1bdb9cf83cebcceb5 c280 e0a080 f0908080 7f ' +
      'dfbf efbfbf f48fbfbf ed9fbf ee8080 efbfbd efbfbe efbfb9 efbfbb f09fbfbe f0afbfbf f3bfbfbf f48fbfbe'
    ).split(' '),
  )('reads %s, which is UTF-8, also across parts (6.2–6.23)', async (hex) => {
    const said = bytes(hex).toString();
    await expectAnswer([text(say(bytes(hex)))], [said]);
    for (const size of [1, 2, 3]) await expectAnswer(fragments(say(bytes(hex)), size), [said]);
  });

  it('reads a request in three parts', async () => {
    const isDone = (received: Buffer) => framesOf(received).includes('response.completed');
    await exchangeBytes(child.url, [handshake(), ...fragments(create('hello'), 20)], isDone);
  });

  it('does not negotiate compression', async () => {
    const offer = handshake('Sec-WebSocket-Extensions: permessage-deflate\r\n');
    const { received } = await exchangeBytes(child.url, [offer], () => true);
    expect(received.toString()).toMatch(/^HTTP\/1\.1 101 /);
    expect(received.toString()).not.toMatch(/extensions/i);
  });

  it('survives a client that disconnects within a frame', async () => {
    await exchangeBytes(child.url, [handshake(), text(create('hello')).subarray(0, 20)], (all) => all.length > 0);
    expect((await fetch(`${child.url}/health`)).status).toBe(200);
  });
});
