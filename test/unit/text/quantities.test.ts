import { describe, expect, it } from 'vitest';
import { countOf, formatSize, withSeparators } from '../../../src/text/quantities.ts';

describe('quantities in words', () => {
  it.each([
    [countOf(0, 'line'), '0 lines'],
    [countOf(1, 'line'), '1 line'],
    [countOf(2, 'line'), '2 lines'],
    [countOf(1, 'match', 'matches'), '1 match'],
    [countOf(2, 'match', 'matches'), '2 matches'],
    [formatSize(1), '1 byte'],
    [formatSize(1023), '1023 bytes'],
    [formatSize(1536), '1.5 KB'],
    [withSeparators(0), '0'],
    [withSeparators(999), '999'],
    [withSeparators(-1000), '-1,000'],
    [withSeparators(1_048_576), '1,048,576'],
    [formatSize(25 * 1024 * 1024), '25.0 MB'],
  ])('are written as %j', (written, expected) => {
    expect(written).toBe(expected);
  });
});
