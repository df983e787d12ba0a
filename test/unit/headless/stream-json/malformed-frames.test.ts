import { describe, expect, it } from 'vitest';
import { fuzzFrames } from '../../../support/fuzz-frames.ts';

describe('a broken host', () => {
  it('gets an answer to every line, and does not disturb the next ones', async () => {
    expect(await fuzzFrames(500, 13)).toEqual({ lines: 500, silent: [], alive: true });
  });
});
