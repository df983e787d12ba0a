import { expect, it } from 'vitest';
import { readRetryAfter } from '../../../../src/providers/http/fetch-event-stream.ts';

const now = Date.parse('2026-11-20T09:00:00Z');

const rows: readonly (readonly [string, Readonly<Record<string, string>>, number | undefined])[] = [
  ['no wait', {}, undefined],
  ['seconds', { 'retry-after': '2' }, 2_000],
  ['a fraction of a second', { 'retry-after': ' 0.0015 ' }, 2],
  ['zero', { 'retry-after': '0' }, 0],
  ['a date', { 'retry-after': 'Fri, 20 Nov 2026 09:00:05 GMT' }, 5_000],
  ['a date in the past', { 'retry-after': 'Fri, 20 Nov 2026 08:00:00 GMT' }, 0],
  ['both units, preferring milliseconds', { 'retry-after-ms': '150', 'retry-after': '2' }, 150],
  ['seconds and invalid milliseconds', { 'retry-after-ms': 'soon', 'retry-after': '2' }, 2_000],
  ['a negative number', { 'retry-after-ms': '-5' }, undefined],
  ['words', { 'retry-after': 'in a moment' }, undefined],
];

it.each(rows)('reads the wait from headers with %s', (_name, headers, expected) => {
  expect(readRetryAfter(new Headers(headers), now)).toBe(expected);
});
