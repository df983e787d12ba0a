import { expect, it } from 'vitest';
import { readRetryAfter } from '../../../../src/providers/http/retry-after.ts';

it.each([
  ['Please try again in 1.5s.', 1_500],
  ['Please try again in 1m30s. Visit us.', 90_000],
  ['try again in 250ms', 250],
  ['Please retry in 34.07s.', 34_070],
  ['Wait for 2 minutes', 120_000],
  ['try again in 1h', 3_600_000],
  ['{"retryDelay": "34s"}', 34_000],
  ['{"retry_after": 2.5}', 2_500],
  ['{"retry_after_ms": 12}', 12],
  ['Try again in ~179 min.', 10_740_000],
  ['try again in 1.2.3s', undefined],
  ['Try again later.', undefined],
])('reads the wait from the words %j', (body, expected) => {
  expect(readRetryAfter({ body }, 0)).toBe(expected);
});

it.each([['-5'], ['+3600']])('ignores %s, which is no wait and no year', (value) => {
  expect(readRetryAfter({ headers: new Headers({ 'retry-after': value }), body: '' }, 0)).toBeUndefined();
});

it('reads the wait that LiteLLM passes on', () => {
  const headers = new Headers({ 'llm_provider-retry-after': '7' });
  expect(readRetryAfter({ headers, body: '' }, 0)).toBe(7_000);
});
