import { expect, it } from 'vitest';
import { describeFailures, describeSecondTry, describeSlowest } from '../../../tooling/run/progress-reporter.ts';

const stacks = [
  { file: '/p/node_modules/library/index.js', line: 1, column: 1 },
  { file: '/p/test/unit/a.test.ts', line: 12, column: 5 },
];

it('the report describes a failed test by its name, its place in the project, its message and its difference', () => {
  const error = {
    name: 'AssertionError',
    message: 'expected 1 to be 2',
    diff: '- 2\n\n\u001b[31m+ 1\u001b[39m',
    stacks,
  };
  expect(describeFailures([{ title: 'test/unit/a.test.ts > adds', errors: [error] }], '/p')).toBe(
    [
      'FAILED test/unit/a.test.ts > adds',
      '  at test/unit/a.test.ts:12:5',
      '  AssertionError: expected 1 to be 2',
      '  - 2',
      '  + 1',
    ].join('\n'),
  );
});

it('the report names the error behind an error', () => {
  const error = { name: 'TypeError', message: 'terminated', cause: { message: 'other side closed' } };
  expect(describeFailures([{ title: 'a test', errors: [error] }], '/p')).toBe(
    ['FAILED a test', '  TypeError: terminated', '  cause: other side closed'].join('\n'),
  );
});

it('the report truncates a long message, and counts the failures beyond the first twenty', () => {
  const message = Array.from({ length: 100 }, (_, line) => `line ${line}`).join('\n');
  const failures = Array.from({ length: 23 }, (_, index) => ({ title: `test ${index}`, errors: [{ message }] }));
  const text = describeFailures(failures, '/p');
  expect(text.split('\n\n')).toHaveLength(21);
  expect(text).toContain('  line 23\n  … 76 more lines\n\nFAILED test 1');
  expect(text).not.toContain('line 24');
  expect(text.endsWith('\n\n… 3 more failures')).toBe(true);
});

it('the report names the five slowest files', () => {
  const files = [300, 12_340, 50, 700, 1_000, 20].map((milliseconds) => ({
    name: `${milliseconds}.test.ts`,
    milliseconds,
  }));
  expect(describeSlowest(files)).toBe(
    '12340.test.ts 12.3 s, 1000.test.ts 1.0 s, 700.test.ts 0.7 s, 300.test.ts 0.3 s, 50.test.ts 0.1 s',
  );
});

it('the report describes a test that passed only on its second try by the first failure, in one line', () => {
  const test = { title: 'test/unit/a.test.ts > starts', errors: [{ message: 'timeout\nmore', stacks }] };
  expect(describeSecondTry(test, '/p')).toBe(
    'passed on the second try only: test/unit/a.test.ts > starts: at test/unit/a.test.ts:12:5: timeout',
  );
});
