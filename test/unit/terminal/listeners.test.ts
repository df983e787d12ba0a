import { expect, it } from 'vitest';
import { Listeners } from '../../../src/terminal/listeners.ts';

it('listeners are called in order until they are removed', () => {
  const calls: string[] = [];
  const listeners = new Listeners();
  const removeFirst = listeners.add(() => calls.push('first'));
  listeners.add(() => calls.push('second'));
  listeners.call();
  removeFirst();
  listeners.call();
  expect([calls, listeners.size]).toEqual([['first', 'second', 'second'], 1]);
});
