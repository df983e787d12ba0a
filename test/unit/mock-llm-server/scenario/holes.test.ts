import { describe, expect, it } from 'vitest';
import { fillHoles, holeProblems } from '../../../../mock-llm-server/scenario/holes.ts';

const values = { text: ['A "b"'], reasoning: ['R'], arguments: ['{"a":1}', ''], call_id: ['c1'], echo: { tools: [1] } };

describe('fillHoles', () => {
  it.each([
    ['{{text 1}}', 'A "b"'],
    ['x {{reasoning 1}} y', 'x R y'],
    ['{{arguments 1}}', '{"a":1}'],
    ['fc_{{call_id 1}}', 'fc_c1'],
    ['{{call_id 2}}', ''],
    ['{{response_id}}', ''],
    ['{{{{text 1}}', '{{text 1}}'],
    ['{{echo tools}}', [1]],
    ['{{echo user}}', null],
    ['{{{{echo tools}}', '{{echo tools}}'],
  ])('replaces %j by %j', (text, filled) => {
    expect(fillHoles({ list: [text] }, values)).toEqual({ list: [filled] });
  });

  it('returns a value without holes as it is', () => {
    const value = { a: 'b' };
    expect(fillHoles(value, values)).toBe(value);
  });
});

describe('holeProblems', () => {
  const counts = { text: 1, reasoning: 1, arguments: 1, call_id: 1 };

  it('accepts holes that have a value, and literal braces', () => {
    expect(holeProblems({ a: '{{text 1}}{{{{x}}' }, counts)).toEqual([]);
    expect(holeProblems(undefined, counts)).toEqual([]);
  });

  it('names a hole that counts beyond the answer', () => {
    expect(holeProblems({ a: '{{call_id 2}}' }, counts)).toMatchObject([
      { reason: '{{call_id 2}} has no value: the answer has fewer of call_id' },
    ]);
  });

  it('names braces that are no hole, with the ones that exist', () => {
    expect(holeProblems({ a: '{{last_user}}' }, counts)).toEqual([
      {
        path: [],
        reason: '{{last_user}} is not a value of a native answer',
        fix: 'write one of {{text N}}, {{reasoning N}}, {{arguments N}}, {{call_id N}}, {{response_id}}, or {{{{ for literal braces',
      },
    ]);
  });
});
