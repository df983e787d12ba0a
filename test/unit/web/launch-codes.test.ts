import { expect, it } from 'vitest';
import { createLaunchCodes } from '../../../src/web/launch-codes.ts';

function codes() {
  let time = 0;
  let count = 0;
  const created = createLaunchCodes({
    now: () => time,
    random: () => `code-${++count}`,
    isEqual: (left, right) => left === right,
  });
  return { created, pass: (ms: number) => (time += ms) };
}

it('a code opens the page once', () => {
  const { created } = codes();
  expect(created.take('code-1')).toBe(false);
  const code = created.create();
  expect(created.take('other')).toBe(false);
  expect(created.isTaken).toBe(false);
  expect(created.take(code)).toBe(true);
  expect(created.isTaken).toBe(true);
  expect(created.take(code)).toBe(false);
});

it('a code is no longer valid after a minute, or when there is another one', () => {
  const { created, pass } = codes();
  const first = created.create();
  const second = created.create();
  expect(created.take(first)).toBe(false);
  pass(60_001);
  expect(created.take(second)).toBe(false);
});
