import { expect, it } from 'vitest';
import { COST_COMMAND } from '../../../../../src/app/commands/session/cost-command.ts';
import { eventLine } from '../../../../../src/session/log/log-line.ts';
import { configOf } from '../../../../support/agent/config-of.ts';
import { commandText } from '../../../../support/commands/command-text.ts';
import { createFakeAgent } from '../../../../support/fakes/fake-agent.ts';

type Prices = Readonly<Record<string, object>>;
type Request = readonly [name: string, inputTokens: number, outputTokens: number, cachedTokens?: number];

/** The text of `/cost` in a session with these requests. */
function cost(requests: readonly Request[], prices: Prices = {}): Promise<string | undefined> {
  const lines = requests.flatMap(([name, inputTokens, outputTokens, cachedTokens]) => {
    const [provider = '', model = ''] = name.split('/');
    const identity = { provider, wire: 'w', model };
    const usage = { inputTokens, outputTokens, ...(cachedTokens !== undefined && { cachedTokens }) };
    return eventLine('2026-01-01T00:00:00.000Z', { type: 'usage', model: identity, ...usage }, (text) => text) ?? [];
  });
  const fake = createFakeAgent([]);
  const record = {
    ...fake.record,
    async *lines() {
      yield* ['not JSON', '{"type":"user","content":"hi"}', ...lines];
    },
  };
  const config = configOf({ models: { prices } });
  const configuration = { ...fake.configuration, config };
  return commandText(COST_COMMAND, { ...fake, record, configuration });
}

const MILLION = 1_000_000;

it.each<[string, readonly Request[], Prices, string]>([
  ['no request', [], {}, 'No provider has counted tokens in this session yet.'],
  [
    'a model without a price',
    [
      ['mock/m', 1_000, 20],
      ['mock/m', 2_000, 30],
    ],
    {},
    'mock/m: 2 requests; tokens: 3,000 in, 50 out; price unknown\nSet the price of a model in models.prices.',
  ],
  [
    'the default model of a provider',
    [['openai/gpt-5.4-mini', MILLION, MILLION]],
    {},
    'openai/gpt-5.4-mini: 1 request; tokens: 1,000,000 in, 1,000,000 out; $5.25',
  ],
  [
    'a configured price, that of the provider before that of the model',
    [['openai/gpt-5.4-mini', MILLION, 0]],
    { 'gpt-5.4-mini': { input: 1, output: 1 }, 'openai/gpt-5.4-mini': { input: 2, output: 1 } },
    'openai/gpt-5.4-mini: 1 request; tokens: 1,000,000 in, 0 out; $2.00',
  ],
  [
    'cached tokens without a price of their own',
    [['a/m', 1_000, 0, 400]],
    { m: { input: 10, output: 1 } },
    'a/m: 1 request; tokens: 1,000 in (400 cached), 0 out; $0.0100',
  ],
  [
    'cached tokens with a price',
    [['a/m', 1_000, 0, 400]],
    { m: { input: 10, output: 1, cached: 1 } },
    'a/m: 1 request; tokens: 1,000 in (400 cached), 0 out; $0.0064',
  ],
  [
    'several models',
    [
      ['a/m', MILLION, 0],
      ['b/m', MILLION, 0],
      ['c/x', 1, 1],
    ],
    { 'a/m': { input: 1, output: 0 }, 'b/m': { input: 0.5, output: 0 } },
    'a/m: 1 request; tokens: 1,000,000 in, 0 out; $1.00\nb/m: 1 request; tokens: 1,000,000 in, 0 out; $0.5000\nc/x: 1 request; tokens: 1 in, 1 out; price unknown\nall known prices: $1.50\nSet the price of a model in models.prices.',
  ],
])('/cost adds up %s', async (_name, requests, prices, text) => {
  expect(await cost(requests, prices)).toBe(text);
});
