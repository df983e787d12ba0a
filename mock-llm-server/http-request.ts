import type { Context } from 'hono';
import { nodeHeaders } from './node-headers.ts';
import { readBody } from './read-body.ts';
import { isKeyName } from './redact.ts';
import type { WireError, WireRequest } from './wire/wire.ts';

/** A request with its body, and why that cannot be taken where it cannot. */
export interface HttpRequest {
  readonly request: WireRequest;
  readonly fault?: WireError;
}

/** Reads a request. Rejects when the client goes before all of it is there. */
export async function readHttp(context: Context): Promise<HttpRequest> {
  const request = describeHttp(context);
  if (request.method !== 'POST') return { request };
  const reading = await readBody(context.req.raw, request.headers);
  if (reading.type === 'body') return { request: { ...request, body: reading.text } };
  const { status, message } = reading;
  return { request, fault: { type: 'error', status, code: null, message } };
}

const NO_QUERY = {};

/** A request without its body. */
export function describeHttp(context: Context): WireRequest {
  const { method, path, url } = context.req;
  const headers = nodeHeaders(context.env) ?? context.req.header();
  return { method, path, body: '', query: url.includes('?') ? readQuery(context.req) : NO_QUERY, headers };
}

/** The first of each parameter; all of those for keys, because each of them may be the right one. */
function readQuery(request: Context['req']): Readonly<Record<string, string>> {
  const query = request.query();
  const names = Object.keys(query).filter(isKeyName);
  if (names.length === 0) return query;
  return { ...query, ...Object.fromEntries(names.map((name) => [name, request.queries(name)?.join(' ') ?? ''])) };
}
