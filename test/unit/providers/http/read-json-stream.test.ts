import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJsonStream } from '../../../../src/providers/http/read-json-stream.ts';
import { propertySettings } from '../../../support/random/property.ts';
import { eventStream } from '../../../support/wires/chat-completion-wire.ts';

const LINES = { contentType: 'application/x-ndjson' } as const;
const redact = (text: string) => text.replace('sk-1', '[key]');
const EVENTS = { contentType: 'text/event-stream' } as const;

async function read(pieces: readonly string[], format: typeof LINES | typeof EVENTS): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const value of readJsonStream(eventStream(pieces), format, redact)) values.push(value);
  return values;
}

describe('a stream of lines', () => {
  it.each([
    ['{"a":1}\n{"b":2}\n', [{ a: 1 }, { b: 2 }]],
    ['{"a":1}\r\n\n  \n[2]\n', [{ a: 1 }, [2]]],
    ['{"a":1}\n{"b":2}', [{ a: 1 }, { b: 2 }]],
    ['{"a":1}\n{"b":', [{ a: 1 }]],
    ['', []],
  ])('%j has these values', async (text, values) => {
    expect(await read([text], LINES)).toEqual(values);
  });

  it('refuses a line that is not JSON', async () => {
    await expect(read(['{"a":\n'], LINES)).rejects.toThrow(SyntaxError);
  });
});

describe('a stream of events', () => {
  it.each([
    ['data: {"a":1}\n\ndata:[2]\n\n', [{ a: 1 }, [2]]],
    [': hello\r\nevent: x\r\ndata: {"a":1}\r\n\r\n\r\n', [{ a: 1 }]],
    ['data: {"a":\ndata: 1}\n\n', [{ a: 1 }]],
    ['data: {"a":1}\n', [{ a: 1 }]],
    ['status: fine\nid: 7\ndata: 1\n\n', [1]],
    ['data: {"a":1}', [{ a: 1 }]],
    ['data: 1\n\ndata: {"a"', [1]],
    ['data: {"a"\n', []],
    ['data: 1\n\nevent', [1]],
  ])('%j has these values', async (text, values) => {
    expect(await read([text], EVENTS)).toEqual(values);
  });

  it('refuses an event that is not JSON', async () => {
    await expect(read(['data: {\n\n'], EVENTS)).rejects.toThrow(SyntaxError);
  });

  it('refuses an event without an end', async () => {
    const line = `data: ${'a'.repeat(8 * 1024 * 1024)}\n`;
    await expect(read([line, line], EVENTS)).rejects.toThrow('too long');
  });
});

it('gives the same values for any split into pieces', async () => {
  const pieces = (text: string, cut: number) => [text.slice(0, cut), text.slice(cut)];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.json()), fc.nat({ max: 300 }), async (values, cut) => {
      const expected = values.map((value): unknown => JSON.parse(value));
      expect(await read(pieces(values.map((value) => `${value}\n`).join(''), cut), LINES)).toEqual(expected);
      expect(await read(pieces(values.map((value) => `data: ${value}\r\n\r\n`).join(''), cut), EVENTS)).toEqual(
        expected,
      );
    }),
    propertySettings(50),
  );
});

it.each([LINES, EVENTS])('has no values without a body: %j', async (format) => {
  const values: unknown[] = [];
  for await (const value of readJsonStream(new Response(null), format, redact)) values.push(value);
  expect(values).toEqual([]);
});
