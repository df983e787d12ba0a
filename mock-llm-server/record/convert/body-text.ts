import type { JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject, tryJson } from '../../conversation/json.ts';
import { EventUnpacker, isEventStream } from '../../wire/bedrock/event-stream.ts';
import { decompressBody } from '../decompress.ts';

/** Headers by lower-case name, with the first value of each. */
export type PlainHeaders = Readonly<Record<string, string>>;

/** The text of a body: a string, bytes, an object that holds one of them, or JSON. Throws for one that is broken. */
export function textOfBody(body: unknown, headers: PlainHeaders): string {
  if (body === undefined || body === null) return '';
  // The proxy of Datadog writes bytes in this way.
  if (typeof body === 'string' && body.startsWith('base64:')) {
    return decompress(Buffer.from(body.slice('base64:'.length), 'base64'), headers);
  }
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return decompress(body, headers);
  if (Array.isArray(body)) return textOfPieces(body, headers);
  return isJsonObject(body) ? textOfHolder(body, headers) : String(body);
}

/** Nock keeps chunks in hexadecimal, the test proxy of Azure lines, and others the chunks of a stream. */
function textOfPieces(pieces: readonly unknown[], headers: PlainHeaders): string {
  if (pieces.length === 0 || !pieces.every((piece) => typeof piece === 'string')) return JSON.stringify(pieces);
  const text = pieces.join('');
  return /^(?:[0-9a-f]{2})+$/.test(text) ? decompress(Buffer.from(text, 'hex'), headers) : text;
}

/** The fields in which formats hold bytes: of Ruby, ReqLLM and Charles. */
const BASE64 = ['base64_string', 'base64', 'b64', 'encoded'];

function textOfHolder(body: JsonObject, headers: PlainHeaders): string {
  const base64 = BASE64.map((name) => body[name]).find((value) => typeof value === 'string');
  if (typeof base64 === 'string') return decompress(Buffer.from(base64, 'base64'), headers);
  const { mode, type, encoding, bodySegments } = body;
  // The test-server of Google has the events of a stream, or one value.
  if (Array.isArray(bodySegments)) {
    const texts = bodySegments.map((segment) => textOfBody(segment, {}));
    const isStream = headers['content-type']?.startsWith('text/event-stream') === true;
    return isStream ? texts.map((text) => `data: ${text}\n\n`).join('') : texts.join('');
  }
  // Postman has a text of this mode, MockServer a condition of this type.
  if (mode === 'raw' || type === 'JSON') return textOfBody(body['raw'] ?? body['json'], headers);
  const inner = body['string'] ?? body['text'];
  const isHolder =
    'string' in body ||
    ('text' in body &&
      (Object.keys(body).length === 1 || ['mimeType', 'size', 'encoding', 'charset'].some((name) => name in body)));
  if (!isHolder) return JSON.stringify(body);
  if (encoding === 'base64' && typeof inner === 'string') {
    // HAR keeps the body after it was decompressed; Polly.js keeps a list of compressed pieces.
    const pieces = tryJson(inner);
    const bytes = (Array.isArray(pieces) ? pieces : [inner]).map((piece) => Buffer.from(String(piece), 'base64'));
    return decompress(Buffer.concat(bytes), { 'content-type': headers['content-type'] ?? '' });
  }
  const { mimeType } = body;
  const mayBeMisread = typeof mimeType === 'string' && !mimeType.includes('charset');
  return textOfBody(typeof inner === 'string' && mayBeMisread ? readAgain(inner) : inner, headers);
}

/** The bytes 0x80 to 0x9f as browsers read them if a type has no charset. */
const BROWSER_BYTES = new TextDecoder('windows-1252').decode(
  Uint8Array.from({ length: 32 }, (_, index) => 0x80 + index),
);

/** Repairs UTF-8 that a browser or proxy decoded as windows-1252 or Latin-1: `GrÃ¼ÃŸe`. Other texts are unchanged. */
function readAgain(text: string): string {
  const codes = Array.from(text, (character) => {
    const index = BROWSER_BYTES.indexOf(character);
    return index < 0 ? (character.codePointAt(0) ?? 0) : 0x80 + index;
  });
  if (codes.some((code) => code > 0xff)) return text;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(codes));
  } catch {
    return text;
  }
}

function decompress(bytes: Uint8Array, { 'content-type': type, 'content-encoding': encoding }: PlainHeaders): string {
  if (isEventStream(type) || hasEvents(bytes)) return new EventUnpacker().write(Buffer.from(bytes));
  return Buffer.from(decompressBody(bytes, encoding).bytes).toString('utf8');
}

/** True for the messages of Amazon's event stream; a cassette may lack the type. The first header is `:event-type`. */
function hasEvents(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 64)).includes(':event-type');
}

/**
 * Headers of an object of texts or lists, of a list of `{name, value}` or `{key, value}`, of names and values in turn, or
 * of any of them as JSON.
 */
export function headersOf(headers: unknown): Record<string, string> {
  const value = typeof headers === 'string' ? tryJson(headers) : headers;
  const entries: (readonly [string, unknown])[] = Array.isArray(value)
    ? value.every((each) => typeof each === 'string')
      ? value.flatMap((name, index) => (index % 2 === 0 ? [[name, value[index + 1]] as const] : []))
      : value.filter(isJsonObject).map(({ name, key, value: text }) => [String(name ?? key), text] as const)
    : Object.entries(isJsonObject(value) ? value : {});
  return Object.fromEntries(
    entries.map(([name, text]) => [name.toLowerCase(), String(Array.isArray(text) ? text[0] : text)]),
  );
}
