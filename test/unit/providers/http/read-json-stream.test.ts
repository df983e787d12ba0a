import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FetchResponse, StreamFormat } from '../../../../src/providers/http/fetch-stream.ts';
import { readJsonStream } from '../../../../src/providers/http/read-json-stream.ts';
import { propertySettings } from '../../../support/random/property.ts';

const LINES = { contentType: 'application/x-ndjson' } as const;
const EVENTS = { contentType: 'text/event-stream' } as const;
const redact = (text: string) => text.replace('sk-1', '[key]');

/** A response with these pieces and this media type, that of the format when absent. */
function responseOf(pieces: readonly string[], type: string | null): FetchResponse {
  const encoder = new TextEncoder();
  async function* body(): AsyncGenerator<Uint8Array> {
    for (const piece of pieces) yield encoder.encode(piece);
  }
  return { ok: true, status: 200, headers: { get: () => type }, body: body() };
}

async function read(
  pieces: readonly string[],
  format: StreamFormat,
  type: string | null = format.contentType,
): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const item of readJsonStream(responseOf(pieces, type), format, redact)) {
    if (item.type === 'value') values.push(item.value);
  }
  return values;
}

const garbled = (detail: string) => ({ failure: { type: 'garbled', detail: expect.stringContaining(detail) } });
const inStream = (detail: string, code = 'overloaded') => ({ failure: { type: 'in_stream', code, detail } });

describe('a stream of lines', () => {
  it.each([
    ['{"a":1}\n{"b":2}\n', [{ a: 1 }, { b: 2 }]],
    ['{"a":1}\r\n\n  \n[{"b":2}]\n', [{ a: 1 }, { b: 2 }]],
    ['{"a":1}\n{"b":2}', [{ a: 1 }, { b: 2 }]],
    ['{"a":1}\n{"b":', [{ a: 1 }]],
    ['', []],
    ['  \n', []],
    ['data: {"a":1}\n\n', [{ a: 1 }]],
  ])('%j has these values', async (text, values) => {
    expect(await read([text], LINES)).toEqual(values);
  });

  it('refuses a line that is not JSON', async () => {
    await expect(read(['{"a":\n'], LINES)).rejects.toMatchObject(garbled('its stream contains "{\\"a\\":"'));
  });
});

describe('a stream of events', () => {
  it.each([
    ['data: {"a":1}\n\ndata:[{"b":2}]\n\n', [{ a: 1 }, { b: 2 }]],
    [': hello\r\nevent: x\r\ndata: {"a":1}\r\n\r\n\r\n', [{ type: 'x', a: 1 }]],
    ['event: message\ndata: {"a":1}\n\n', [{ a: 1 }]],
    ['event: x\ndata: {"a":1,"type":"y"}\n\n', [{ type: 'y', a: 1 }]],
    ['data: {"a":1}\ndata: {"b":2}\ndata: [DONE]\n', [{ a: 1 }, { b: 2 }]],
    ['data: {"a":\ndata: 1}\n\n', [{ a: 1 }]],
    ['data: {"a":1}\n', [{ a: 1 }]],
    ['status: fine\nid: 7\ndata: {"a":1}\n\n', [{ a: 1 }]],
    ['data: {"a":1}', [{ a: 1 }]],
    ['data: {"a":1}\n\ndata: {"a"', [{ a: 1 }]],
    ['data: {"a"\n', []],
    ['data: {"a":1}\n\nevent', [{ a: 1 }]],
    ['data: {"a":1}\n\ndata: [DONE]\n\ndata: {"a":2}\n\n', [{ a: 1 }]],
    ['data: {"a":1}\n\ndata: "[DONE]"\n\ndata: {"a":2}\n\n', [{ a: 1 }]],
    ['data: data: {"a":1}\n\n', [{ a: 1 }]],
    ['\ufeffdata: {"a":1}\n\n', [{ a: 1 }]],
    ['\n\n\n\n\n\n\n\ndata: {"a":1}\n\n', [{ a: 1 }]],
  ])('%j has these values', async (text, values) => {
    expect(await read([text], EVENTS)).toEqual(values);
  });

  it.each([
    'data:',
    'data: ',
    'event: ping',
    'event: ping\ndata:',
    'event: ping\ndata: {"type": "ping", "error": "none"}',
    'event: heartbeat\ndata: 17',
    ': PROCESSING',
    'data: : PROCESSING',
    'data: : OPENROUTER PROCESSING',
    'data: OPENROUTER PROCESSING',
    'data: ping',
    'data: "ping"',
    'data: [heartbeat]',
    'data: keep-alive',
    'data: keepalive',
    'data: null',
    'data: 1',
    'data: ""',
    'data: []',
    'id: 1',
    'retry: 3000',
    'event: keepalive\nid: 5',
  ])('passes over the heartbeat %j', async (heartbeat) => {
    expect(await read([`${heartbeat}\n\ndata: {"a":1}\n\n${heartbeat}\n\n`], EVENTS)).toEqual([{ a: 1 }]);
  });

  it('refuses an event that is not JSON', async () => {
    await expect(read(['data: {sk-1\u0007\n\n'], EVENTS)).rejects.toMatchObject(
      garbled('its stream contains "{[key]\\u0007", which is not valid JSON'),
    );
  });

  it('refuses an event without an end', async () => {
    const line = `data: ${'a'.repeat(8 * 1024 * 1024)}\n`;
    await expect(read([line, line], EVENTS)).rejects.toMatchObject(garbled('has more than 16 MB'));
  });

  it.each([
    ...['data: 1\n', 'data:\r', ': ping\r\n', 'foo: x\n', '\n'],
    ...['data:\n\n', 'data: []\n\n', 'data: null\n\n', 'event: ping\ndata: {}\n\n'],
  ])('ends after many lines %j', async (line) => {
    const [lines, one] = [line.repeat(40_000), 'data: {"a":1}\n\n'];
    expect(await read([one, lines, lines, `\n\n${one}`, lines], EVENTS)).toContainEqual({ a: 1 });
    await expect(read([one, lines, lines, lines], EVENTS)).rejects.toMatchObject(
      garbled('100000 lines of it in a row have no value'),
    );
  });

  it.each([
    ['data: The backend sk-1 is gone.\n\ndata: [DONE]\n\n', inStream('The backend [key] is gone')],
    ['data: "The backend is gone."\n\n', inStream('The backend is gone')],
    ['event: error\ndata: gone\n\n', inStream('gone')],
    ['event: error\ndata: {"message": "gone"}\n\n', inStream('gone')],
    ['data: {"error": "gone"}\n\n', inStream('gone')],
    ['data: {"detail": "gone"}\n\n', inStream('gone')],
    ['Internal Server Error', inStream('Internal Server Error')],
    ['upstream connect error\r\n', inStream('upstream connect error')],
    [
      'data: Prompt sequence length is greater than 32768, perhaps consider using `truncate_sequence`?\n\n',
      inStream(
        'Prompt sequence length is greater than 32768, perhaps consider using `truncate_sequence`?',
        'context_overflow',
      ),
    ],
  ])('reports the error of the server %j', async (text, error) => {
    await expect(read([text], EVENTS)).rejects.toMatchObject(error);
  });
});

describe('a whole body', () => {
  it.each([
    ['{"a":1}', 'application/json', [{ a: 1 }]],
    ['{\n  "a": 1\n}\n', 'application/json; charset=utf-8', [{ a: 1 }]],
    ['[{"a":1},\r\n{"b":2}]', 'application/json', [{ a: 1 }, { b: 2 }]],
    ['{"a":1}', 'text/event-stream', [{ a: 1 }]],
    ['{"a":1}', null, [{ a: 1 }]],
    ['{"a":1}\n{"b":2}\n', 'application/json', [{ a: 1 }, { b: 2 }]],
    ['data: {"a":1}\n\n', 'application/json', [{ a: 1 }]],
    ['data: {"a":1}\n\n', 'text/plain', [{ a: 1 }]],
    ['data: {"a":1}\n\n', 'text/html; charset=utf-8', [{ a: 1 }]],
    ['{"a":1}', 'text/html', [{ a: 1 }]],
  ])('%j with the type %j has these values', async (text, type, values) => {
    expect(await read([text], EVENTS, type)).toEqual(values);
  });

  it.each([
    ['{"a":1', 'application/json', garbled('it contains "{\\"a\\":1", which is not valid JSON')],
    ['{"error": {"message": "gone", "code": 503}}', 'application/json', inStream('gone')],
    ['<html>', 'text/html', { status: 200, contentType: 'text/html', body: '<html>' }],
    ['<html>', 'text/event-stream', { body: '<html>' }],
    ['Hello world', 'text/plain', { body: 'Hello world' }],
  ])('%j with the type %j is an error', async (text, type, error) => {
    await expect(read([text], EVENTS, type)).rejects.toMatchObject(error);
  });

  it('ends beyond its limit', async () => {
    const piece = `"${'a'.repeat(6 * 1024 * 1024)}",\n`;
    await expect(read(['[', piece, piece, piece], EVENTS)).rejects.toMatchObject(garbled('it has more than 16 MB'));
  });

  it('is read only in part if it is no answer', async () => {
    const page = Array.from({ length: 100 }, () => 'x'.repeat(1024));
    const error: unknown = await read(['<p>', ...page], EVENTS).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ body: expect.stringMatching(/^<p>x{65536}/) });
  });
});

it('gives the same values for any split into pieces', async () => {
  const pieces = (text: string, cut: number) => [text.slice(0, cut), text.slice(cut)];
  const object = fc.dictionary(fc.constantFrom('a', 'b'), fc.jsonValue(), { minKeys: 1 });
  await fc.assert(
    fc.asyncProperty(fc.array(object), fc.nat({ max: 300 }), async (values, cut) => {
      const texts = values.map((value) => JSON.stringify(value));
      const expected = texts.map((text): unknown => JSON.parse(text));
      expect(await read(pieces(texts.map((text) => `${text}\n`).join(''), cut), LINES)).toEqual(expected);
      expect(await read(pieces(texts.map((text) => `data: ${text}\r\n\r\n`).join(''), cut), EVENTS)).toEqual(expected);
    }),
    propertySettings(50),
  );
});

it.each([LINES, EVENTS])('has no values without a body: %j', async (format) => {
  const response = { ok: true, status: 200, headers: { get: () => null }, body: null };
  const values: unknown[] = [];
  for await (const value of readJsonStream(response, format, redact)) values.push(value);
  expect(values).toEqual([]);
});

it('closes the body when its reader leaves after the first piece', async () => {
  let isClosed = false;
  async function* body(): AsyncGenerator<Uint8Array> {
    try {
      yield new TextEncoder().encode('data: {"a":1}\n\n');
    } finally {
      isClosed = true;
    }
  }
  const response = { ok: true, status: 200, headers: { get: () => null }, body: body() };
  for await (const item of readJsonStream(response, EVENTS, redact)) {
    expect(item).toEqual({ type: 'value', value: { a: 1 }, whole: false });
    break;
  }
  expect(isClosed).toBe(true);
});
