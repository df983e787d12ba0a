import { expect, it } from 'vitest';
import { countOf } from '../../../mock-llm-server/text.ts';

it('counts one in the singular', () => {
  expect([0, 1, 2].map((number) => countOf(number, 'file'))).toEqual(['0 files', '1 file', '2 files']);
});
