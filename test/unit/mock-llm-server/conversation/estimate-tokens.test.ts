import { expect, it } from 'vitest';
import { estimateTokens } from '../../../../mock-llm-server/conversation/estimate-tokens.ts';

it.each([
  ['', 0],
  ['a', 1],
  ['abcd', 1],
  ['abcde', 2],
  ['漢字', 2],
])('takes %j for %i tokens', (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens);
});
