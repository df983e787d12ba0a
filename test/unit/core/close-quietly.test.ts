import { expect, it } from 'vitest';
import { closeQuietly } from '../../../src/core/close-quietly.ts';

/** A source whose `return` does what it is given, and how often that was asked for. */
function source(end?: () => Promise<never>) {
  const calls: string[] = [];
  const next = (): Promise<never> => Promise.reject(new Error('nobody may read'));
  if (end === undefined) return { calls, iterator: { next } };
  const close = (): Promise<never> => {
    calls.push('return');
    return end();
  };
  return { calls, iterator: { next, return: close } };
}

it.each<[string, (() => Promise<never>) | undefined, number]>([
  ['hangs', () => new Promise<never>(() => {}), 1],
  ['fails', () => Promise.reject(new Error('late')), 1],
  [
    'throws at once',
    () => {
      throw new Error('at once');
    },
    1,
  ],
  ['cannot be closed', undefined, 0],
])('a source that %s is left alone', async (_name, end, times) => {
  const { calls, iterator } = source(end);
  expect(closeQuietly(iterator)).toBeUndefined();
  // A rejection that nobody handles would fail this test.
  await new Promise((resolve) => setImmediate(resolve));
  expect(calls).toHaveLength(times);
});

it('takes a source that never came to be', () => {
  expect(closeQuietly(undefined)).toBeUndefined();
});
