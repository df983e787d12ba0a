import type { TokenUsage } from '../../agent/ports/language-model.ts';
import type { Price } from '../../providers/limits/known-model.ts';
import { costOf } from '../../providers/target/price.ts';

/** Limits on what an evaluation spends. Answers from the cache cost nothing. */
export interface EvaluationBudget {
  readonly maxTokens: number | undefined;
  /** In US dollars. */
  readonly maxCost: number | undefined;
}

/** Tokens, requests and money that an evaluation has spent. */
export interface Spending {
  readonly requests: number;
  /** Tokens of these requests and their answers. */
  readonly tokens: number;
  /** In US dollars; of the requests whose price is known. */
  readonly cost: number;
  readonly cached: number;
}

/** The spending of an evaluation that has not begun. */
export const NOTHING_SPENT: Spending = { requests: 0, tokens: 0, cost: 0, cached: 0 };

export function addRequest(spending: Spending, usage: TokenUsage, price: Price | undefined): Spending {
  const tokens = usage.inputTokens + usage.outputTokens;
  return addSpending(spending, { requests: 1, tokens, cost: costOf(usage, price) ?? 0, cached: 0 });
}

/** The sum of two spendings. */
export function addSpending(left: Spending, right: Spending): Spending {
  return {
    requests: left.requests + right.requests,
    tokens: left.tokens + right.tokens,
    cost: left.cost + right.cost,
    cached: left.cached + right.cached,
  };
}

/** The limit that is reached, in words; undefined if there is none. */
export function reachedLimit({ tokens, cost }: Spending, { maxTokens, maxCost }: EvaluationBudget): string | undefined {
  if (maxTokens !== undefined && tokens >= maxTokens)
    return `${tokens} of ${maxTokens} tokens are spent (--max-tokens)`;
  if (maxCost !== undefined && cost >= maxCost) return `$${cost.toFixed(4)} of $${maxCost} are spent (--max-cost)`;
  return undefined;
}
