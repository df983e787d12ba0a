import { describe, expect, it } from 'vitest';
import { expectLinearWork } from '../../support/growth.ts';

describe('expectLinearWork', () => {
  it('accepts a pass over the text', () => {
    expect(() => expectLinearWork(10_000, (size) => 'a'.repeat(size).replaceAll('a', 'b'))).not.toThrow();
  });

  it('accepts work below the noise, whatever its growth', () => {
    expect(() => expectLinearWork(1, (size) => size ** 2)).not.toThrow();
  });

  it.each<readonly [string, (size: number) => unknown]>([
    ['an expression that backtracks from each position', (size) => /a+b/.test('a'.repeat(size))],
    [
      'a loop within a loop',
      (size) => {
        let sum = 0;
        for (let left = 0; left < size; left++) for (let right = 0; right < size; right++) sum += left ^ right;
        return sum;
      },
    ],
  ])('rejects %s', (_name, task) => {
    expect(() => expectLinearWork(3_500, task)).toThrow(/^the work does not grow linearly; size 3500 and 14000 took /);
  });
});
