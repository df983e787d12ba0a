import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ShellOutput } from '../../../../src/agent/ports/shell.ts';
import { OutputQueue } from '../../../../src/node/shell/output-queue.ts';
import { anyText } from '../../../support/random/any-text.ts';
import { propertySettings } from '../../../support/random/property.ts';

function drain(queue: OutputQueue): readonly ShellOutput[] {
  const pieces: ShellOutput[] = [];
  for (let piece = queue.shift(); piece !== undefined; piece = queue.shift()) pieces.push(piece);
  return pieces;
}

describe('OutputQueue', () => {
  it('keeps the order of arrival and joins adjacent pieces of one stream', () => {
    const queue = new OutputQueue();
    for (const [stream, text] of [
      ['stdout', 'a'],
      ['stdout', 'b'],
      ['stderr', 'c'],
      ['stdout', 'd'],
    ] as const) {
      queue.push(stream, Buffer.from(text));
    }
    expect(queue.size).toBe(4);
    expect(drain(queue).map(({ stream, text }) => `${stream} ${text}`)).toEqual(['stdout ab', 'stderr c', 'stdout d']);
    expect(queue.size).toBe(0);
  });

  it('discards all pieces when it is cleared', () => {
    const queue = new OutputQueue();
    queue.push('stdout', Buffer.from('a'));
    queue.clear();
    expect({ size: queue.size, pieces: drain(queue) }).toEqual({ size: 0, pieces: [] });
  });

  it('decodes bytes independently of how they are split, and never returns half of a character', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      anyText.map((text) => Buffer.from(text)),
    );
    fc.assert(
      fc.property(bytes, fc.array(fc.nat(7)), (all, cuts) => {
        const queue = new OutputQueue();
        const texts: string[] = [];
        let from = 0;
        for (const length of [...cuts, all.length]) {
          queue.push('stdout', all.subarray(from, from + length));
          from += length;
          texts.push(...drain(queue).map(({ text }) => text));
        }
        queue.end('stdout');
        texts.push(...drain(queue).map(({ text }) => text));
        expect(texts.join('')).toBe(new TextDecoder('utf-8', { ignoreBOM: true }).decode(all));
        for (const text of texts) expect(text).not.toMatch(/\p{Surrogate}/u);
      }),
      propertySettings(),
    );
  });
});
