import { describe, expect, it } from 'vitest';
import { isInSample, type Outcome, summarize } from '../../../../tooling/mutation/summary.ts';

const KILLED: readonly Outcome[] = Array.from({ length: 19 }, (_, index) => ({
  file: 'a.ts',
  name: `killed ${index}`,
  kind: 'operator',
  killedBy: 'a.test.ts',
}));
const survivor = (kind: Outcome['kind'], name = 's'): Outcome => ({ file: 'a.ts', name, kind, killedBy: undefined });
const none = { equivalent: {}, tolerated: {}, exists: () => true };
const named = { 'a.ts': { s: 'a reason' } };

describe('summarize', () => {
  it('accepts 95 % with a reason for each survivor', () => {
    expect(summarize([...KILLED, survivor('operator')], { ...none, tolerated: named })).toEqual({
      text: '20 mutants, of which 0 are deleted rows: 19 of 20 are killed (95.0 %), 0 are equivalent',
      problems: [],
    });
  });

  it('does not count equivalent mutants', () => {
    expect(summarize([...KILLED, survivor('row')], { ...none, equivalent: named })).toEqual({
      text: '20 mutants, of which 1 are deleted rows: 19 of 19 are killed (100.0 %), 1 are equivalent',
      problems: [],
    });
  });

  it.each<readonly [string, Parameters<typeof summarize>, string]>([
    [
      'a low score',
      [KILLED.slice(0, 3).concat(survivor('operator')), { ...none, tolerated: named }],
      '75.0 % are kill',
    ],
    ['no mutants', [[], none], '0.0 % are killed, less than 95 %'],
    [
      'a survivor without a reason',
      [[...KILLED, survivor('operator')], none],
      'survivors.ts gives no reason for a.ts: s',
    ],
    [
      'a deleted row, even with a reason',
      [[...KILLED, survivor('row')], { ...none, tolerated: named }],
      'no test notices a deleted row of a.ts: s',
    ],
    [
      'a reason for a mutant that is killed',
      [KILLED, { ...none, equivalent: { 'a.ts': { 'killed 3': 'a reason' } } }],
      'survivors.ts contains a mutant that does not survive: a.ts: killed 3',
    ],
    [
      'a reason for a mutant that does not exist',
      [KILLED, { ...none, tolerated: named, exists: () => false }],
      'survivors.ts contains a mutant that does not survive: a.ts: s',
    ],
  ])('reports %s', (_name, args, problem) => {
    expect(summarize(...args).problems).toEqual([expect.stringContaining(problem)]);
  });

  it('accepts a reason for a mutant that was not measured', () => {
    expect(summarize(KILLED, { ...none, tolerated: named }).problems).toEqual([]);
  });
});

it('the sample is a fixed fifth of the names', () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `mutant ${index}`);
  const sample = names.filter((name) => isInSample('a.ts', name));
  expect(sample.length).toBeGreaterThan(150);
  expect(sample.length).toBeLessThan(250);
  expect(names.filter((name) => isInSample('a.ts', name))).toEqual(sample);
  expect(names.filter((name) => isInSample('b.ts', name))).not.toEqual(sample);
});
