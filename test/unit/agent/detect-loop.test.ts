import { describe, expect, it } from 'vitest';
import { type CallRecord, RepetitionDetector } from '../../../src/agent/detect-loop.ts';

const call: CallRecord = { name: 'tool', arguments: '{}', outcome: 'ok', result: 'same' };

/** `a1` is a call of tool `a` with result `1`. */
function records(text: string): readonly CallRecord[] {
  return [...text.matchAll(/(\w)(\w)/g)].map(([, name = '', result = '']) => ({
    ...call,
    name,
    result,
  }));
}

/** The cycle that the last of these calls completes. */
function lastCycle(calls: readonly CallRecord[]): number | undefined {
  const detector = new RepetitionDetector();
  return calls.map((record) => detector.add(record, 1)).at(-1);
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
    expect(lastCycle(records(text))).toBe(expected);
  });

  it.each([
    ['the order of keys does not matter', '{"a":1,"b":[{"c":2,"d":3}]}', '{"b":[{"d":3,"c":2}], "a":1}', 1],
    ['a different value matters', '{"a":1}', '{"a":2}', undefined],
    ['the order of a list matters', '[1,2]', '[2,1]', undefined],
    ['a list differs from an object with numbers as keys', '["x"]', '{"0":"x"}', undefined],
    ['text that is not JSON is compared verbatim', '{"a":', '{"a":', 1],
    ['null equals null', 'null', 'null', 1],
    ['white space in 100,000 characters does not matter', spaced(100_000, 2), spaced(100_000, 6), 1],
    ['longer text is compared verbatim', spaced(100_001, 2), spaced(100_001, 6), undefined],
  ])('arguments: %s', (_name, first, second, expected) => {
    expect(lastCycle([first, second, first].map((text) => ({ ...call, arguments: text })))).toBe(expected);
  });
});

describe('the detection of repeated calls', () => {
  it('warns once, in the turn in which the calls repeat', () => {
    const detector = new RepetitionDetector();
    expect([1, 1, 1, 1].map((turn) => detector.add(call, turn))).toEqual([undefined, undefined, 1, undefined]);
    expect(detector.outcome).toBe(undefined);
  });

  it('ends the run as stuck when the calls still repeat in a later turn', () => {
    const detector = new RepetitionDetector();
    for (const turn of [1, 2, 3]) detector.add(call, turn);
    expect(detector.outcome).toBe(undefined);
    detector.add(call, 4);
    expect(detector.outcome).toBe('stuck');
    detector.add({ ...call, result: 'another' }, 5);
    expect(detector.outcome).toBe('stuck');
  });

  it.each([
    ['the same call is denied twice', { result: 'Denied again.' }, 'denied'],
    ['another call is denied', { arguments: '{"a":1}' }, undefined],
    ['another tool is denied', { name: 'other' }, undefined],
    ['a denied call succeeds', { outcome: 'ok' }, undefined],
  ] as const)('knows whether %s', (_name, second, expected) => {
    const detector = new RepetitionDetector();
    detector.add({ ...call, outcome: 'denied' }, 1);
    detector.add({ ...call, outcome: 'denied', ...second }, 2);
    expect(detector.outcome).toBe(expected);
  });
});
