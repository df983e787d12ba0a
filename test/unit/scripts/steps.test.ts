import { expect, it } from 'vitest';
import { addTotals, type Totals, totalsOf } from '../../../scripts/steps.ts';

const cases: readonly [name: string, repeated: boolean, ok: boolean, report: Totals | undefined, expected: Totals][] = [
  ['a step without tests', false, true, undefined, { passed: 0, failed: 0, skipped: 0 }],
  ['a step without tests that fails', false, false, undefined, { passed: 0, failed: 1, skipped: 0 }],
  ['tests', false, true, { passed: 9, failed: 0, skipped: 2 }, { passed: 9, failed: 0, skipped: 2 }],
  ['failed tests', false, false, { passed: 7, failed: 2, skipped: 0 }, { passed: 7, failed: 2, skipped: 0 }],
  [
    'a file that does not load beside passing tests',
    false,
    false,
    { passed: 7, failed: 0, skipped: 0 },
    { passed: 7, failed: 1, skipped: 0 },
  ],
  ['tests counted elsewhere', true, true, { passed: 9, failed: 0, skipped: 2 }, { passed: 0, failed: 0, skipped: 0 }],
  [
    'failures of tests counted elsewhere',
    true,
    false,
    { passed: 8, failed: 1, skipped: 0 },
    { passed: 0, failed: 1, skipped: 0 },
  ],
];
it.each(cases)('computes the totals of %s', (_name, repeated, ok, report, expected) => {
  expect(totalsOf({ repeated }, ok, report)).toEqual(expected);
});

it('adds totals up', () => {
  expect(addTotals([])).toEqual({ passed: 0, failed: 0, skipped: 0 });
  expect(
    addTotals([
      { passed: 1, failed: 2, skipped: 3 },
      { passed: 10, failed: 20, skipped: 30 },
    ]),
  ).toEqual({ passed: 11, failed: 22, skipped: 33 });
});
