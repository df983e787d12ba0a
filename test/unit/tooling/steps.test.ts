import { expect, it } from 'vitest';
import type { Totals } from '../../../tooling/run/progress-reporter.ts';
import { addTotals, totalsOf } from '../../../tooling/run/steps.ts';

const cases: readonly [name: string, ok: boolean, report: Totals | undefined, expected: Totals][] = [
  ['a step without tests', true, undefined, { passed: 0, failed: 0, skipped: 0 }],
  ['a step without tests that fails', false, undefined, { passed: 0, failed: 1, skipped: 0 }],
  ['tests', true, { passed: 9, failed: 0, skipped: 2 }, { passed: 9, failed: 0, skipped: 2 }],
  ['failed tests', false, { passed: 7, failed: 2, skipped: 0 }, { passed: 7, failed: 2, skipped: 0 }],
  [
    'a file that does not load among passing tests',
    false,
    { passed: 7, failed: 0, skipped: 0 },
    { passed: 7, failed: 1, skipped: 0 },
  ],
];
it.each(cases)('the totals are those of %s', (_name, ok, report, expected) => {
  expect(totalsOf(ok, report)).toEqual(expected);
});

it('totals are added up', () => {
  expect(addTotals([])).toEqual({ passed: 0, failed: 0, skipped: 0 });
  expect(
    addTotals([
      { passed: 1, failed: 2, skipped: 3 },
      { passed: 10, failed: 20, skipped: 30 },
    ]),
  ).toEqual({ passed: 11, failed: 22, skipped: 33 });
});
