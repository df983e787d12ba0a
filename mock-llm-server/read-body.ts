import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { errorText } from './error-text.ts';

const MEBIBYTE = 1024 * 1024;
/** In MiB; providers take about as much. */
const MAX_BODY = 32;

/** The text of a body, or why it is not taken: `status` is 413, 415 or 400. */
type BodyReading =
  | { readonly type: 'body'; readonly text: string }
  | { readonly type: 'bad_body'; readonly status: 400 | 413 | 415; readonly message: string };

const DECODERS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/**
 * Reads a body of at most `limit` MiB, before and after its content encoding is undone. `headers` are those of the
 * request, with lower-case names.
 */
export async function readBody(
  request: Request,
  headers: Readonly<Record<string, string>>,
  limit = MAX_BODY,
): Promise<BodyReading> {
  const length = headers['content-length'] ?? null;
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (Number(length) > limit * MEBIBYTE) return tooLarge(limit);
  if (length !== null && (encoding === '' || encoding === 'identity')) {
    return { type: 'body', text: await request.text() };
  }
  const bytes = await readBytes(request, limit);
  if (bytes === undefined) return tooLarge(limit);
  return decode(bytes, encoding, limit);
}

async function readBytes(request: Request, limit: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength;
    if (length > limit * MEBIBYTE) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function decode(bytes: Buffer, encoding: string, limit: number): Promise<BodyReading> {
  if (encoding === '' || encoding === 'identity') return { type: 'body', text: bytes.toString() };
  const decoder = Object.entries(DECODERS).find(([name]) => name === encoding)?.[1];
  if (decoder === undefined) {
    const message = `The content encoding ${JSON.stringify(encoding)} is not known; use gzip, deflate, br or none.`;
    return { type: 'bad_body', status: 415, message };
  }
  try {
    return { type: 'body', text: (await decoder(bytes, { maxOutputLength: limit * MEBIBYTE })).toString() };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') return tooLarge(limit);
    const reason = errorText(error);
    return { type: 'bad_body', status: 400, message: `The body is not ${encoding}: ${reason}.` };
  }
}

function tooLarge(limit: number): BodyReading {
  return { type: 'bad_body', status: 413, message: `The request is larger than ${limit} MiB.` };
}
