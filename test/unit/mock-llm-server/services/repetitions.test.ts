import { expect, it } from 'vitest';
import { refuseRepetitions } from '../../../../mock-llm-server/services/checks/tools.ts';
import type { RawRequest } from '../../../../mock-llm-server/services/service.ts';

const check = refuseRepetitions((message) => ({ message }));

/** True if the check refuses a function whose parameter has these keywords. */
function isRefused(keywords: object): boolean {
  const parameters = { type: 'object', properties: { a: keywords } };
  const body = { tools: [{ type: 'function', function: { name: 'read', parameters } }] };
  const request: RawRequest = {
    ...{ protocol: 'openai-chat', path: '/v1/chat/completions', query: {}, headers: {}, model: 'm', body },
    ...{ isNamed: true, calls: [], recall: () => undefined },
  };
  return check(request) !== undefined;
}

it.each([
  ['^[a-z]{3000}$', true],
  ['^[a-z]{3000,}$', true],
  ['^a{3000}b{2}$', true],
  ['^a{2}b{3000}c$', true],
  ['^a{2000}$', false],
  ['^a\\{3000}$', false],
  ['a{3000}', false],
  ['^a{3000}', false],
])('of a pattern %s is refused: %s', (pattern, refused) => {
  expect(isRefused({ type: 'string', pattern })).toBe(refused);
});

it.each([
  ['digits', `^a{${'1'.repeat(100_000)}$`],
  ['repetitions', `^${'a{1}'.repeat(100_000)}`],
  ['brackets', `^${'{'.repeat(100_000)}$`],
])('of a long pattern of %s is decided in a short time', (_name, pattern) => {
  const start = performance.now();
  expect(isRefused({ type: 'string', pattern })).toBe(false);
  expect(performance.now() - start).toBeLessThan(1_000);
});
