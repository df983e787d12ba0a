import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createMockServer } from '../../../../../mock-llm-server/server/app.ts';
import { scenarioSet } from '../../../../support/stories/builders.ts';
import { WIRE_CASES, type WireCase } from '../../wire/wire-requests.ts';

const NOW = Date.UTC(2026, 10, 22, 12, 30, 15);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
});
afterEach(() => {
  vi.useRealTimers();
});

function caseOf(protocol: WireCase['protocol']): WireCase {
  const found = WIRE_CASES.find((wireCase) => wireCase.protocol === protocol);
  if (found === undefined) throw new Error(protocol);
  return found;
}

async function headersOf(protocol: WireCase['protocol'], fault: object): Promise<Record<string, string>> {
  const scenarios = scenarioSet({
    scenarios: [{ name: 'a', trigger: 'go', steps: [{ response: { content: 'x' }, fault }] }],
  });
  const { request } = caseOf(protocol);
  const { path, body, headers } = request;
  const response = await createMockServer({ scenarios }).request(path, { method: 'POST', body, headers });
  return Object.fromEntries(response.headers);
}

it.each(['openai-chat', 'openai-responses'] as const)(
  'a 429 of %s says that nothing remains until the time to retry',
  async (protocol) => {
    expect(await headersOf(protocol, { status: 429, retry_after: 2.5 })).toMatchObject({
      'x-ratelimit-limit-requests': '10000',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-remaining-tokens': '0',
      'x-ratelimit-reset-requests': '2.5s',
      'x-ratelimit-reset-tokens': '2.5s',
      'retry-after': '3',
    });
    expect(await headersOf(protocol, { status: 429 })).toMatchObject({ 'x-ratelimit-reset-requests': '1s' });
  },
);

it('a 429 of Anthropic says that nothing remains until the next minute', async () => {
  const headers = await headersOf('anthropic-messages', { status: 429 });
  for (const name of ['requests', 'tokens', 'input-tokens', 'output-tokens']) {
    expect(headers).toMatchObject({
      [`anthropic-ratelimit-${name}-limit`]: expect.stringMatching(/^\d+$/),
      [`anthropic-ratelimit-${name}-remaining`]: '0',
      [`anthropic-ratelimit-${name}-reset`]: '2026-11-22T12:31:00Z',
    });
  }
  expect(await headersOf('anthropic-messages', { status: 429, retry_after: 90 })).toMatchObject({
    'anthropic-ratelimit-requests-reset': '2026-11-22T12:32:00Z',
  });
});

it.each(['openai-chat', 'openai-responses', 'anthropic-messages'] as const)(
  'another error of %s leaves the limits as they are',
  async (protocol) => {
    const remaining = Object.entries(await headersOf(protocol, { status: 500 })).filter(
      ([name]) => name.endsWith('-remaining-requests') || name.endsWith('-requests-remaining'),
    );
    expect(remaining).toEqual([[expect.any(String), expect.stringMatching(/^[1-9]/)]]);
  },
);
