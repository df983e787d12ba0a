import type { ContentBlockParam, MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages/messages';
import type { JsonValue } from '../../agent/ports/json.ts';
import type { AssistantMessage } from '../../agent/ports/messages.ts';
import { conforms, type ValueOf } from '../../schema/conforms.ts';
import { arrangeAnswer } from '../provider-state.ts';
import type { EffortLevel } from '../service/service-rules.ts';
import { argumentsObject } from '../tool-calls.ts';
import { THINKING_ITEM } from './schemas.data.ts';

/** The part of `max_tokens` that a model with a thinking budget may think with. */
const BUDGETS: Readonly<Record<Exclude<EffortLevel, 'none'>, number>> = {
  minimal: 1 / 4,
  low: 1 / 4,
  medium: 1 / 2,
  high: 3 / 4,
  xhigh: 3 / 4,
  max: 3 / 4,
};

/** The smallest thinking budget that the API accepts. */
const MIN_BUDGET = 1_024;

/** The first version of Claude that decides itself how much it thinks; it refuses a budget from the next one on. */
const FIRST_ADAPTIVE = 4.6;

type ThinkingParams = Pick<MessageCreateParamsStreaming, 'thinking' | 'output_config'>;

/**
 * The fields of a request that set how much the model thinks; none without an effort. From version 4.6 on, Claude takes
 * the effort itself; earlier ones and models of other makers take a number of tokens, which must be less than
 * `max_tokens` (https://platform.claude.com/docs/en/build-with-claude/thinking).
 */
export function thinkingParams(model: string, effort: EffortLevel | undefined, maxTokens: number): ThinkingParams {
  if (effort === undefined) return {};
  if (!isAdaptive(model)) {
    if (effort === 'none') return { thinking: { type: 'disabled' } };
    const budget = Math.max(MIN_BUDGET, Math.floor(maxTokens * BUDGETS[effort]));
    return budget < maxTokens ? { thinking: { type: 'enabled', budget_tokens: budget } } : {};
  }
  if (effort !== 'none') return adaptive(effort);
  // These models refuse to be switched off.
  return /fable|mythos/.test(model) ? adaptive('low') : { thinking: { type: 'disabled' } };
}

/** The default of some models is to send no text while they think, which looks like silence. */
function adaptive(effort: Exclude<EffortLevel, 'none'>): ThinkingParams {
  return {
    thinking: { type: 'adaptive', display: 'summarized' },
    output_config: { effort: effort === 'minimal' ? 'low' : effort },
  };
}

/** `claude-opus-4-7` and `claude-sonnet-5` are; `claude-sonnet-4-20250514` and `claude-3-7-sonnet-latest` are not. */
function isAdaptive(model: string): boolean {
  const [, major, minor = '0'] = /claude-(?:[a-z]+-)?(\d+)(?:[-.](\d))?(?!\d)/.exec(model) ?? [];
  return major !== undefined && Number(`${major}.${minor}`) >= FIRST_ADAPTIVE;
}

/** See `THINKING_ITEM`. */
export type ThinkingItem = ValueOf<typeof THINKING_ITEM>;

/**
 * The blocks of an answer with its thinking; `missing` stands for it where there is none. A blank text has no block,
 * because the API refuses it.
 */
export function answerBlocks(
  message: AssistantMessage,
  items: readonly JsonValue[],
  missing?: string,
): ContentBlockParam[] {
  const blocks = arrangeAnswer<ContentBlockParam>(message, items, {
    text: (text) => (text.trim() === '' ? [] : [{ type: 'text', text }]),
    call: (call) => [{ type: 'tool_use', id: call.id, name: call.name, input: argumentsObject(call) }],
    item(item) {
      return conforms(item, THINKING_ITEM) ? [item] : [];
    },
  });
  const isComplete = missing === undefined || blocks.some(({ type }) => /thinking$/.test(type));
  return isComplete ? blocks : [{ type: 'thinking', thinking: missing, signature: '' }, ...blocks];
}
