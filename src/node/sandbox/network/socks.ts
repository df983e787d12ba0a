import { Buffer } from 'node:buffer';
import type { Duplex } from 'node:stream';

/** The answers of SOCKS 5 (RFC 1928). */
const REPLIES = { connected: 0, refused: 2, unreachable: 4, unknownCommand: 7, unknownAddress: 8 } as const;

/** A request of a client to be connected. */
export interface SocksRequest {
  readonly host: string;
  readonly port: number;
  reply(answer: keyof typeof REPLIES): void;
}

/**
 * Reads the greeting and the request of a client of SOCKS 5, without authentication. Answers what it does not support, and
 * returns undefined. Only CONNECT exists. Rejects if the client leaves.
 */
export async function readSocksRequest(client: Duplex): Promise<SocksRequest | undefined> {
  const reply = (answer: keyof typeof REPLIES): void => {
    client.write(Buffer.from([5, REPLIES[answer], 0, 1, 0, 0, 0, 0, 0, 0]));
  };
  const [, methods = 0] = await readExactly(client, 2);
  await readExactly(client, methods);
  client.write(Buffer.from([5, 0]));
  const [, command, , type] = await readExactly(client, 4);
  const host = await readHost(client, type);
  const [high = 0, low = 0] = await readExactly(client, 2);
  if (command === 1 && host !== undefined) return { host, port: high * 256 + low, reply };
  reply(host === undefined ? 'unknownAddress' : 'unknownCommand');
  client.end();
  return undefined;
}

async function readHost(client: Duplex, type: number | undefined): Promise<string | undefined> {
  if (type === 1) return [...(await readExactly(client, 4))].join('.');
  if (type === 3) {
    const [length = 0] = await readExactly(client, 1);
    return (await readExactly(client, length)).toString('latin1');
  }
  if (type !== 4) return undefined;
  const bytes = await readExactly(client, 16);
  return Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16)).join(':');
}

/** Reads this many bytes, and leaves the rest. Rejects if the stream ends before. */
export async function readExactly(stream: Duplex, length: number): Promise<Buffer> {
  let taken: Buffer = Buffer.alloc(0);
  while (taken.length < length) {
    // A stream in which fewer bytes than requested wait reports them again and again, before any other event.
    const bytes: unknown = stream.read();
    if (Buffer.isBuffer(bytes)) taken = Buffer.concat([taken, bytes]);
    else if (stream.readableEnded || stream.destroyed) throw new Error('The client left.');
    else await nextEvent(stream);
  }
  if (taken.length > length) stream.unshift(taken.subarray(length));
  return taken.subarray(0, length);
}

async function nextEvent(stream: Duplex): Promise<void> {
  await new Promise<void>((resolve) => {
    const settle = (): void => {
      for (const name of EVENTS) stream.off(name, settle);
      resolve();
    };
    for (const name of EVENTS) stream.on(name, settle);
  });
}

const EVENTS = ['readable', 'end', 'close', 'error'] as const;
