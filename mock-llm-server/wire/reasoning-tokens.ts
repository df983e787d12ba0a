import type { Reply } from '../conversation.ts';
import { estimateTokens } from '../estimate-tokens.ts';

/** How many of the written tokens of an answer are what the model thought. */
export function reasoningTokensOf({ reasoning, usage }: Pick<Reply, 'reasoning' | 'usage'>): number {
  return reasoning === undefined ? 0 : Math.min(estimateTokens(reasoning), usage.outputTokens);
}
