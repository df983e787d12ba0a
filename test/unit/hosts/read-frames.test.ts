import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Frame, readFrames } from '../../../src/hosts/read-frames.ts';
import { fuzzFrames } from '../../support/hosts/fuzz-frames.ts';
import { LONG, propertySettings } from '../../support/random/property.ts';

async function framesOf(chunks: readonly (string | Uint8Array)[], maxBytes?: number): Promise<readonly Frame[]> {
  const frames: Frame[] = [];
  for await (const frame of readFrames(bytesOf(chunks), maxBytes)) frames.push(frame);
  return frames;
}

async function* bytesOf(chunks: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array, void, void> {
  for (const chunk of chunks) yield typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
}

const value = (object: object): Frame => ({ type: 'frame', value: { ...object } });
const malformed = (problem: string): Frame => ({ type: 'malformed', problem });

describe('readFrames', () => {
  it.each<readonly [name: string, chunks: readonly string[], frames: readonly Frame[]]>([
    ['reads one object per line', ['{"a":1}\n{"b":2}\n'], [value({ a: 1 }), value({ b: 2 })]],
    ['joins the chunks of a line', ['{"a"', ':1', '}\n'], [value({ a: 1 })]],
    ['ends the last line with the input', ['{"a":1}'], [value({ a: 1 })]],
    ['skips empty lines and carriage returns', ['\n  \r\n{"a":1}\r\n\n'], [value({ a: 1 })]],
    ['reads nothing from an empty input', [], []],
    [
      'reports a line that is not JSON',
      ['{"a":}\n{"b":2}\n'],
      [expect.objectContaining({ type: 'malformed' }), value({ b: 2 })],
    ],
    [
      'reports a value that is not an object',
      ['[1]\nnull\n"x"\n'],
      ['[1]', 'null', '"x"'].map((text) => malformed(`The line is not a JSON object: ${text}`)),
    ],
  ])('%s', async (_name, chunks, frames) => {
    expect(await framesOf(chunks)).toEqual(frames);
  });

  it('drops a line that is too long, and reads the next one', async () => {
    const long = JSON.stringify({ text: 'x'.repeat(30) });
    const problem = 'A line is longer than 20 bytes. Send less at once.';
    expect(
      await framesOf([`${long}\n{"a":1}\n`, long.slice(0, 15), long.slice(15), '\n', '{"b":2}\n', long], 20),
    ).toEqual([malformed(problem), value({ a: 1 }), malformed(problem), value({ b: 2 }), malformed(problem)]);
  });

  it('reads a line of exactly the maximum length', async () => {
    expect(await framesOf(['{"a":1}\n'], 7)).toEqual([value({ a: 1 })]);
    expect(await framesOf(['{"a":1}\n'], 6)).toEqual([malformed('A line is longer than 6 bytes. Send less at once.')]);
  });

  it('reads the same from every split of the bytes, even within characters', async () => {
    const text = '{"a":"ä€😀"}\nno\n{"b":"\\u2028"}';
    const bytes = new TextEncoder().encode(text);
    const whole = await framesOf([bytes]);
    expect(whole).toHaveLength(3);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length)), async (cuts) => {
        const edges = [0, ...cuts.sort((left, right) => left - right), bytes.length];
        const chunks = edges.slice(1).map((end, index) => bytes.slice(edges[index], end));
        expect(await framesOf(chunks)).toEqual(whole);
      }),
      propertySettings(50),
    );
  });
});

const COUNT = LONG ? 3000 : 120;

describe.each(['stream-json', 'yume-json'] as const)('a broken host in %s', (name) => {
  it.each(LONG ? [13, 1, 2, 3, 4, 5] : [13])(
    'gets an answer to every line, and does not disturb the next ones (seed %i)',
    async (seed) => {
      expect(await fuzzFrames({ name, count: COUNT, seed })).toEqual({
        ...{ lines: COUNT, silent: [], problems: [], alive: true },
      });
    },
  );

  it('would wait in vain for a decoder that ignores unreadable lines', async () => {
    const damage = (command: Parameters<NonNullable<Parameters<typeof fuzzFrames>[0]['damage']>>[0]) =>
      command.type === 'reply' ? { type: 'ignored' as const } : command;
    const { silent, alive } = await fuzzFrames({ name, count: COUNT, seed: 13, damage });
    expect(silent.length).toBeGreaterThan(COUNT / 3);
    expect(alive).toBe(false);
  });
});
