import type { ModelIdentity, TokenUsage } from '../../agent/ports/language-model.ts';
import { PROVIDERS } from './presets.ts';

/** The price of a model in US dollars per million tokens. `cached`: input from the cache of the provider. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cached?: number | undefined;
}

/** The configured price, by `provider/model` or by model, or that of the default model of a provider. */
export function priceOf(
  { provider, model }: Pick<ModelIdentity, 'provider' | 'model'>,
  prices: Readonly<Record<string, Price>>,
): Price | undefined {
  const own = [`${provider}/${model}`, model].find((name) => Object.hasOwn(prices, name));
  if (own !== undefined) return prices[own];
  const preset = PROVIDERS.get(provider);
  return preset?.model === model ? preset.price : undefined;
}

/** The cost of tokens in US dollars; undefined without a price. */
export function costOf(usage: TokenUsage, price: Price): number;
export function costOf(usage: TokenUsage, price: Price | undefined): number | undefined;
export function costOf({ inputTokens, outputTokens, cachedTokens = 0 }: TokenUsage, price: Price | undefined) {
  if (price === undefined) return undefined;
  const { input, output, cached = input } = price;
  return ((inputTokens - cachedTokens) * input + cachedTokens * cached + outputTokens * output) / 1_000_000;
}
