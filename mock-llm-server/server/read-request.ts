import { IncomingMessage, ServerResponse } from 'node:http';
import { Http2ServerResponse } from 'node:http2';
import { promisify } from 'node:util';
import zlib, { brotliDecompress, gunzip, inflate, type ZstdOptions } from 'node:zlib';
import type { Context } from 'hono';
import { getPath } from 'hono/utils/url';
import type { Connection } from '../delivery/deliver.ts';
import { isKeyName } from '../journal/redact.ts';
import { SERVICE_PREFIX, splitService } from '../services/choose-service.ts';
import { errorText } from '../text.ts';
import type { WireError, WireRequest } from '../wire/wire.ts';

/** A request with its body, or with the error of a body that cannot be read. */
export interface HttpRequest {
  readonly request: WireRequest;
  readonly error?: WireError;
}

/** Reads a request. Rejects if the client disconnects before the whole request has arrived. */
export async function readHttp(context: Context): Promise<HttpRequest> {
  const request = describeHttp(context);
  if (request.method !== 'POST') return { request };
  const body = await readBody(context.req.raw, request.headers);
  if (incomingOf(context.env) !== undefined) await endOfTurn();
  return typeof body === 'string' ? { request: { ...request, body } } : { request, error: body };
}

// A test in the same process may replace the global function by one that waits for the test.
const atEndOfTurn = setImmediate;
let turn: Promise<void> | undefined;

/**
 * Resolves when Node has read all sockets that have data. The requests that arrived together are then answered together,
 * which takes a third to nearly half less CPU time: see tooling/bench/mock.md.
 */
function endOfTurn(): Promise<void> {
  turn ??= new Promise((resolve) => {
    atEndOfTurn(() => {
      turn = undefined;
      resolve();
    });
  });
  return turn;
}

const NO_QUERY = {};
const NO_SERVICE = { service: undefined };

/** A request without its body. */
export function describeHttp(context: Context): WireRequest {
  const { method, path, url } = context.req;
  const headers = nodeHeaders(context.env) ?? context.req.header();
  const query = url.includes('?') ? readQuery(context.req) : NO_QUERY;
  const { service } = url.includes(SERVICE_PREFIX) ? splitService(getPath(context.req.raw)) : NO_SERVICE;
  return { method, path, body: '', query, headers, ...(service && { service }) };
}

/** The first value of each parameter; all values of a parameter for keys, because any of them may be the key. */
function readQuery(request: Context['req']): Readonly<Record<string, string>> {
  const query = request.query();
  const names = Object.keys(query).filter(isKeyName);
  if (names.length === 0) return query;
  return { ...query, ...Object.fromEntries(names.map((name) => [name, request.queries(name)?.join(' ') ?? ''])) };
}

const MEBIBYTE = 1024 * 1024;
/** Maximum size of a body in MiB, about that of the providers. */
const MAX_BODY = 32;

const DECODERS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
  // Node.js 22.12 lacks it.
  zstd: (bytes: Buffer, options: ZstdOptions) => promisify(zlib.zstdDecompress)(bytes, options),
};

/**
 * Reads a body of at most `limit` MiB, both as received and decompressed. `headers` are those of the request, with
 * lower-case names. `hono/body-limit` does not limit decompressed bodies and costs a second `Request` for each request.
 */
export async function readBody(
  request: Request,
  headers: Readonly<Record<string, string>>,
  limit = MAX_BODY,
): Promise<string | WireError> {
  const length = headers['content-length'] ?? null;
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (Number(length) > limit * MEBIBYTE) return tooLarge(limit);
  if (length !== null && (encoding === '' || encoding === 'identity')) return request.text();
  const bytes = await readBytes(request, limit);
  if (bytes === undefined) return tooLarge(limit);
  return decodeBody(bytes, encoding, limit);
}

/** The bytes of a body as received; undefined if there are more than `limit` MiB. */
export async function readBytes(request: Request, limit = MAX_BODY): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength;
    if (length > limit * MEBIBYTE) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The text of a body with an encoding in lower case. */
export async function decodeBody(bytes: Buffer, encoding: string, limit = MAX_BODY): Promise<string | WireError> {
  if (encoding === '' || encoding === 'identity') return bytes.toString();
  const decoder = Object.entries(DECODERS).find(([name]) => name === encoding)?.[1];
  if (decoder === undefined) {
    return bodyError(415, `The content encoding "${encoding}" is not supported; use gzip, deflate, br, zstd or none.`);
  }
  try {
    return (await decoder(bytes, { maxOutputLength: limit * MEBIBYTE })).toString();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') return tooLarge(limit);
    return bodyError(400, `The body is not ${encoding}: ${errorText(error)}.`);
  }
}

function tooLarge(limit: number): WireError {
  return bodyError(413, `The request is larger than ${limit} MiB.`);
}

function bodyError(status: 400 | 413 | 415, message: string): WireError {
  return { type: 'error', status, code: null, message };
}

/**
 * The headers of a request that came through Node's HTTP server, with lower-case names; undefined for other requests.
 * `env` are the bindings of the HTTP adapter. Much cheaper than the `Headers` of a `Request`.
 */
export function nodeHeaders(env: unknown): Readonly<Record<string, string>> | undefined {
  const headers = incomingOf(env)?.headers;
  return headers !== undefined && isJoined(headers) ? headers : undefined;
}

/** A header of a request. `name` is lower-case. */
export function headerOf({ env, req }: Context, name: string): string | undefined {
  const headers = nodeHeaders(env);
  return headers === undefined ? req.header(name) : headers[name];
}

/** The request as Node received it; undefined for a request in process. */
function incomingOf(env: unknown): IncomingMessage | undefined {
  if (typeof env !== 'object' || env === null || !('incoming' in env)) return undefined;
  return env.incoming instanceof IncomingMessage ? env.incoming : undefined;
}

/** Node joins the values of every repeated header but this one, which belongs to responses. */
function isJoined(headers: NodeJS.Dict<string | string[]>): headers is Record<string, string> {
  return headers['set-cookie'] === undefined;
}

/** The connection of the client of a request. */
export function connectionOf(context: Context): Connection {
  return { reset: connectionReset(context.env), signal: clientSignal(context) };
}

/** The code with which HTTP/2 ends one stream of a connection: an internal error. */
const RESET = 2;

/** Returns a function that resets the connection after the bytes written so far have been sent. */
function connectionReset(env: unknown): (() => void) | undefined {
  if (typeof env !== 'object' || env === null || !('outgoing' in env)) return undefined;
  const { outgoing } = env;
  if (outgoing instanceof Http2ServerResponse) return () => void setImmediate(() => outgoing.stream.close(RESET));
  if (!(outgoing instanceof ServerResponse)) return undefined;
  // Node buffers writes until the end of the current turn of the event loop.
  return () => void setImmediate(() => outgoing.socket?.resetAndDestroy());
}

/**
 * Aborts when the client of a request disconnects. In process, the caller passes its signal as a binding, because a
 * `Request` holds the signal that it was created with by a weak reference only and may miss the abort.
 */
export function clientSignal({ env, req }: Context): AbortSignal {
  const bindings: unknown = env;
  const signal =
    typeof bindings === 'object' && bindings !== null && 'signal' in bindings ? bindings.signal : undefined;
  return signal instanceof AbortSignal ? signal : req.raw.signal;
}
