import { describe, expect, it } from 'vitest';
import { fuzzFrames } from '../support/hosts/fuzz-frames.ts';

describe.each(['stream-json', 'yume-json'] as const)('a broken host in %s', (name) => {
  it.each([1, 2, 3, 4, 5])('gets an answer to each of 2,000 lines with seed %i', async (seed) => {
    expect(await fuzzFrames({ name, count: 2_000, seed })).toEqual({
      ...{ lines: 2_000, silent: [], problems: [], alive: true },
    });
  });
});
