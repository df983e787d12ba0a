import { describe, expect, it } from 'vitest';
import { fetchStream, wellFormedJson } from '../../../../src/providers/http/fetch-stream.ts';
import { readRetryAfter } from '../../../../src/providers/http/retry-after.ts';

const FORMAT = { contentType: 'text/event-stream' } as const;
const now = Date.parse('2026-11-20T09:00:00Z');

const rows: readonly (readonly [string, Readonly<Record<string, string>>, number | undefined])[] = [
  ['no wait', {}, undefined],
  ['seconds', { 'retry-after': '2' }, 2_000],
  ['a fraction of a second', { 'retry-after': ' 0.0015 ' }, 2],
  ['zero', { 'retry-after': '0' }, 0],
  ['a date', { 'retry-after': 'Fri, 20 Nov 2026 09:00:05 GMT' }, 5_000],
  ['a date in the past', { 'retry-after': 'Fri, 20 Nov 2026 08:00:00 GMT' }, 0],
  ['both units, preferring milliseconds', { 'retry-after-ms': '150', 'retry-after': '2' }, 150],
  ['seconds and invalid milliseconds', { 'retry-after-ms': 'soon', 'retry-after': '2' }, 2_000],
  ['a negative number', { 'retry-after-ms': '-5' }, undefined],
  ['words', { 'retry-after': 'in a moment' }, undefined],
];

it.each(rows)('reads the wait from headers with %s', (_name, headers, expected) => {
  expect(readRetryAfter({ headers: new Headers(headers), body: '{}' }, now)).toBe(expected);
});

it.each([
  ['plain text', 'é😀\n"', 'é😀\n"'],
  ['halves of characters', 'a\ud83db\ude00', 'a\ufffdb\ufffd'],
  ['text that looks like an escape', '\\ud83d \\\ud83d', '\\ud83d \\\ufffd'],
])('writes a body with %s', (_name, text, expected) => {
  expect(JSON.parse(wellFormedJson({ [text]: [text] }))).toEqual({ [expected]: [expected] });
});

describe('an event stream', () => {
  const bytesOf = (text: string) => new TextEncoder().encode(text);
  const MEGABYTE = bytesOf('x'.repeat(1024 * 1024));
  const LINE = bytesOf(`${'x'.repeat(1024 * 1024)}\n`);
  const times = (count: number, piece: Uint8Array<ArrayBuffer>) => Array.from({ length: count }, () => piece);

  /** Reads the stream of a server that sends these pieces, and returns the number of bytes. */
  async function read(pieces: readonly Uint8Array[]): Promise<number> {
    const body = ReadableStream.from(pieces);
    const headers = { 'content-type': 'text/event-stream' };
    const send = fetchStream(async () => new Response(body, { headers }), FORMAT);
    let length = 0;
    for await (const bytes of (await send('http://localhost', {})).body ?? []) length += bytes.length;
    return length;
  }

  it.each([
    ['lines of any number', times(40, LINE)],
    ['a line of 16 MB', [bytesOf('a\n'), ...times(16, MEGABYTE), bytesOf('\nb')]],
    ['lines that end with a carriage return', [bytesOf('a\r'), ...times(16, MEGABYTE), bytesOf('\rb')]],
    ['lines that share a piece', [bytesOf('a\nb\nc'), bytesOf(`d\n${'x'.repeat(1024)}`)]],
  ])('is passed on with %s', async (_name, pieces) => {
    expect(await read(pieces)).toBe(pieces.reduce((sum, { length }) => sum + length, 0));
  });

  it.each([
    ['at its start', times(17, MEGABYTE)],
    ['after other lines', [bytesOf(`a\n${'x'.repeat(1024 * 1024)}`), ...times(15, MEGABYTE), bytesOf('y\n')]],
  ])('ends with an error at an endless line %s', async (_name, pieces) => {
    await expect(read(pieces)).rejects.toMatchObject({
      failure: { type: 'garbled', detail: 'a line of its answer has more than 16 MB' },
    });
  });

  it('may be empty', async () => {
    const response = await fetchStream(async () => new Response(null), FORMAT)('http://localhost', {});
    expect(response.body).toBeNull();
  });
});
