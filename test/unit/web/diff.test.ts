import { expect, it } from 'vitest';
import { shownRows } from '../../../src/web/page/conversation/diff.js';

it('a long diff is truncated, but never by a single line, which takes as much room as the button', () => {
  expect([3, 4, 5, 6].map((rows) => shownRows(rows, 4))).toEqual([3, 4, 5, 4]);
});
