import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';
import { nodeHeaders, readBody as readBodyOf } from '../../../../mock-llm-server/server/read-request.ts';
import { scenarioSet, steps } from '../../../support/stories/builders.ts';

const readBody = (request: Request, limit?: number) => readBodyOf(request, Object.fromEntries(request.headers), limit);

const MEBIBYTE = 1024 * 1024;
const TEXT = '{"text":"grüße 🙂"}';

function request(
  body: string | Uint8Array<ArrayBuffer> | ReadableStream,
  headers: Record<string, string> = {},
): Request {
  return new Request('http://mock/', { method: 'POST', body, headers, duplex: 'half' });
}

function chunked(...chunks: readonly Uint8Array[]): ReadableStream {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

const bytesOf = (text: string | Uint8Array) => new Uint8Array(Buffer.from(text));
const encoded = (encoding: string, bytes: Uint8Array) => request(bytesOf(bytes), { 'content-encoding': encoding });

describe('readBody', () => {
  it.each<readonly [string, Request]>([
    ['a plain body', request(TEXT)],
    ['a plain body with its length', request(TEXT, { 'content-length': String(Buffer.byteLength(TEXT)) })],
    ['a body with the encoding identity', encoded('identity', bytesOf(TEXT))],
    ['gzip', encoded('gzip', gzipSync(TEXT))],
    ['gzip by its older name in upper case', encoded('X-GZIP', gzipSync(TEXT))],
    ['deflate', encoded('deflate', deflateSync(TEXT))],
    ['brotli', encoded('br', brotliCompressSync(TEXT))],
    ['Zstandard, as Codex sends it', encoded('zstd', zstdCompressSync(TEXT))],
    ['a character in two chunks', request(chunked(bytesOf(TEXT).slice(0, 12), bytesOf(TEXT).slice(12)))],
  ])('reads %s', async (_name, input) => {
    expect(await readBody(input)).toBe(TEXT);
  });

  it('reads a request without a body', async () => {
    expect(await readBody(new Request('http://mock/', { method: 'POST' }))).toBe('');
  });

  it.each<readonly [string, Request, 'body' | 413]>([
    ['a content length above the limit', request('x', { 'content-length': String(MEBIBYTE + 1) }), 413],
    ['a body of the maximum size', request('x'.repeat(MEBIBYTE)), 'body'],
    ['chunks above the limit', request(chunked(bytesOf('x'.repeat(MEBIBYTE)), bytesOf('x'))), 413],
    ['a body that is small only while it is compressed', encoded('gzip', gzipSync('x'.repeat(MEBIBYTE + 1))), 413],
    ['the same in brotli', encoded('br', brotliCompressSync('x'.repeat(MEBIBYTE + 1))), 413],
    ['the same in Zstandard', encoded('zstd', zstdCompressSync('x'.repeat(MEBIBYTE + 1))), 413],
    ['a compressed body of the maximum size', encoded('gzip', gzipSync('x'.repeat(MEBIBYTE))), 'body'],
  ])('applies the limit to %s', async (_name, input, expected) => {
    const body = await readBody(input, 1);
    expect(typeof body === 'string' ? 'body' : body.status).toBe(expected);
    if (typeof body !== 'string') expect(body.message).toBe('The request is larger than 1 MiB.');
  });

  it('names the supported encodings', async () => {
    expect(await readBody(encoded('compress', bytesOf(TEXT)))).toEqual({
      type: 'error',
      status: 415,
      code: null,
      message: 'The content encoding "compress" is not supported; use gzip, deflate, br, zstd or none.',
    });
  });

  it('reports a body that does not have its encoding', async () => {
    expect(await readBody(encoded('gzip', bytesOf(TEXT)))).toEqual({
      type: 'error',
      status: 400,
      code: null,
      message: 'The body is not gzip: incorrect header check.',
    });
  });
});

it('nodeHeaders returns the headers of a request of Node unless one of them is a list', () => {
  const incoming = new IncomingMessage(new Socket());
  incoming.headers = { 'x-test-id': 'a' };
  expect(nodeHeaders({ incoming })).toEqual({ 'x-test-id': 'a' });
  incoming.headers = { 'set-cookie': ['b', 'c'] };
  expect(nodeHeaders({ incoming })).toBeUndefined();
});

it.each([[undefined], [null], ['env'], [{}], [{ incoming: { headers: { a: 'b' } } }]])(
  'nodeHeaders returns undefined for %j',
  (env) => {
    expect(nodeHeaders(env)).toBeUndefined();
  },
);

const app = createMockServer({ scenarios: scenarioSet({ scenarios: [{ name: 'n', trigger: 'go', steps: steps() }] }) });
const body = JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'go' }] });
const LIMIT = 32 * 1024 * 1024;

/** Sends a request that states the length of its body. `read-body.test.ts` sends bodies that really are too large. */
function send(path: string, length: number) {
  const headers = { 'anthropic-version': '2023-06-01', 'content-length': String(length) };
  return app.request(path, { method: 'POST', headers, body });
}

it('the server accepts a body of 32 MiB and answers a larger one with 413', async () => {
  expect((await send('/v1/chat/completions', LIMIT)).status).toBe(200);
  const refused = await send('/v1/messages', LIMIT + 1);
  expect(refused.headers.get('connection')).toBe('close');
  expect([refused.status, await refused.json()]).toMatchObject([413, { error: { type: 'request_too_large' } }]);
});

it('the server ends the connection of a request for scenarios that it has not read whole', async () => {
  const refused = await send('/__mock/scenarios', LIMIT + 1);
  expect([refused.status, refused.headers.get('connection')]).toEqual([413, 'close']);
});
