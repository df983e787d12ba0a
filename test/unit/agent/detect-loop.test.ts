import { describe, expect, it } from 'vitest';
import { type CallRecord, cycleLength, RepetitionDetector, signatureOf } from '../../../src/agent/detect-loop.ts';

/** `a1` is a call of tool `a` with result `1`. */
function records(text: string): readonly CallRecord[] {
  return [...text.matchAll(/(\w)(\w)/g)].map(([, name = '', result = '']) => ({ name, arguments: '{}', result }));
}

const rows: readonly [string, number | undefined][] = [
  ['', undefined],
  ['a1', undefined],
  ['a1 a1', undefined],
  ['a1 a1 a1', 1],
  ['b1 a1 a1 a1', 1],
  ['a1 a1 a1 b1', undefined],
  ['a1 a2 a3', undefined],
  ['a1 a1 a2', undefined],
  ['a1 b1 a1 b1', undefined],
  ['a1 b1 a1 b1 a1 b1', 2],
  ['a1 b1 a1 b1 a1 b2', undefined],
  ['a1 b1 c1 a1 b1 c1 a1 b1 c1', 3],
  ['b1 c1 a1 b1 c1 a1 b1 c1 a1', 3],
  ['a1 b1 c1 d1 a1 b1 c1 d1 a1 b1 c1 d1', undefined],
];

/** Arguments of this length with a space at the end of one property or another. */
function spaced(length: number, position: number): string {
  const text = `{"a":"${'x'.repeat(length - 9)}"}`;
  return `${text.slice(0, position - 1)} ${text.slice(position - 1)}`;
}

describe('the length of a cycle', () => {
  it.each(rows)('%s → %s', (text, expected) => {
    expect(cycleLength(records(text).map(signatureOf))).toBe(expected);
  });

  it.each([
    ['the order of keys does not matter', '{"a":1,"b":[{"c":2,"d":3}]}', '{"b":[{"d":3,"c":2}], "a":1}', 1],
    ['a different value matters', '{"a":1}', '{"a":2}', undefined],
    ['the order of a list matters', '[1,2]', '[2,1]', undefined],
    ['a list is no object with numbers as keys', '["x"]', '{"0":"x"}', undefined],
    ['text that is not JSON is compared verbatim', '{"a":', '{"a":', 1],
    ['null is a value', 'null', 'null', 1],
    ['white space in 100,000 characters does not matter', spaced(100_000, 2), spaced(100_000, 6), 1],
    ['longer text is compared verbatim', spaced(100_001, 2), spaced(100_001, 6), undefined],
  ])('arguments: %s', (_name, first, second, expected) => {
    const call = (text: string) => ({ name: 'tool', arguments: text, result: 'same' });
    expect(cycleLength([call(first), call(second), call(first)].map(signatureOf))).toBe(expected);
  });
});

describe('the detection of repeated calls', () => {
  const record = { name: 'tool', arguments: '{}', result: 'same' };

  it('warns once, in the turn in which the calls repeat', () => {
    const detector = new RepetitionDetector();
    expect([1, 1, 1, 1].map((turn) => detector.add(record, turn))).toEqual([undefined, undefined, 1, undefined]);
    expect(detector.stuck).toBe(false);
  });

  it('reports a stuck model when the calls still repeat in a later turn', () => {
    const detector = new RepetitionDetector();
    for (const turn of [1, 2, 3]) detector.add(record, turn);
    expect(detector.stuck).toBe(false);
    detector.add(record, 4);
    expect(detector.stuck).toBe(true);
  });
});
