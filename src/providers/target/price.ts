import type { ModelIdentity, TokenUsage } from '../../agent/ports/language-model.ts';
import { knownModel, type Price } from '../limits/known-model.ts';

/** The providers of servers that the user runs, where a name says nothing about a price. */
const FREE: ReadonlySet<string> = new Set(['mock', 'ollama', 'lmstudio', 'apple']);

/** The configured price, by `provider/model` or by model, or that of the table of known models. */
export function priceOf(
  { provider, model }: Pick<ModelIdentity, 'provider' | 'model'>,
  prices: Readonly<Record<string, Price>>,
): Price | undefined {
  const own = [`${provider}/${model}`, model].find((name) => Object.hasOwn(prices, name));
  if (own !== undefined) return prices[own];
  return FREE.has(provider) ? undefined : knownModel(model)?.price;
}

/** The cost of tokens in US dollars; undefined without a price. */
export function costOf(usage: TokenUsage, price: Price): number;
export function costOf(usage: TokenUsage, price: Price | undefined): number | undefined;
export function costOf({ inputTokens, outputTokens, cachedTokens = 0 }: TokenUsage, price: Price | undefined) {
  if (price === undefined) return undefined;
  const { input, output, cached = input } = price;
  return ((inputTokens - cachedTokens) * input + cachedTokens * cached + outputTokens * output) / 1_000_000;
}
