import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readBody as readBodyOf } from '../../../../mock-llm-server/server/read-request.ts';

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
    ['a body that says it is plain', encoded('identity', bytesOf(TEXT))],
    ['gzip', encoded('gzip', gzipSync(TEXT))],
    ['gzip by its older name, in another case', encoded('X-GZIP', gzipSync(TEXT))],
    ['deflate', encoded('deflate', deflateSync(TEXT))],
    ['brotli', encoded('br', brotliCompressSync(TEXT))],
    ['chunks, a character in two', request(chunked(bytesOf(TEXT).slice(0, 12), bytesOf(TEXT).slice(12)))],
  ])('reads %s', async (_name, input) => {
    expect(await readBody(input)).toBe(TEXT);
  });

  it('reads a request without a body', async () => {
    expect(await readBody(new Request('http://mock/', { method: 'POST' }))).toBe('');
  });

  it.each<readonly [string, Request, 'body' | 413]>([
    ['a length that says too much', request('x', { 'content-length': String(MEBIBYTE + 1) }), 413],
    ['as much as may be', request('x'.repeat(MEBIBYTE)), 'body'],
    ['chunks that are too much', request(chunked(bytesOf('x'.repeat(MEBIBYTE)), bytesOf('x'))), 413],
    ['what is small only while it is compressed', encoded('gzip', gzipSync('x'.repeat(MEBIBYTE + 1))), 413],
    ['the same in brotli', encoded('br', brotliCompressSync('x'.repeat(MEBIBYTE + 1))), 413],
    ['as much as may be, compressed', encoded('gzip', gzipSync('x'.repeat(MEBIBYTE))), 'body'],
  ])('takes no more than the limit: %s', async (_name, input, expected) => {
    const body = await readBody(input, 1);
    expect(typeof body === 'string' ? 'body' : body.status).toBe(expected);
    if (typeof body !== 'string') expect(body.message).toBe('The request is larger than 1 MiB.');
  });

  it('says which encodings there are', async () => {
    expect(await readBody(encoded('zstd', bytesOf(TEXT)))).toEqual({
      type: 'error',
      status: 415,
      code: null,
      message: 'The content encoding "zstd" is not supported; use gzip, deflate, br or none.',
    });
  });

  it('says that a body is not what it says', async () => {
    expect(await readBody(encoded('gzip', bytesOf(TEXT)))).toEqual({
      type: 'error',
      status: 400,
      code: null,
      message: 'The body is not gzip: incorrect header check.',
    });
  });
});
