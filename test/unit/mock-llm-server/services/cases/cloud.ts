import { CHAT, chat, functions, MESSAGES, type RuleCase, user } from './case.ts';

const claude = (model: string, ...messages: readonly object[]) => ({ model, max_tokens: 9, messages });
const marked = (count: number) => [
  { role: 'user', content: Array.from({ length: count }, (_, index) => block(`part ${index}`)) },
];
const block = (text: string) => ({ type: 'text', text, cache_control: { type: 'ephemeral' } });
const answer = { role: 'assistant', content: 'The answer is' };

/** The cases of OpenAI. */
export const OPENAI_CASES: Readonly<Record<string, RuleCase>> = {
  'openai/max-tokens': {
    path: CHAT,
    refused: chat('gpt-5-mini', { max_tokens: 99 }),
    accepted: chat('gpt-5-mini', { max_completion_tokens: 99 }),
    says: "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
  },
  'openai/too-many-tools': {
    path: CHAT,
    refused: chat('gpt-4o', { tools: functions(129) }),
    accepted: chat('gpt-4o', { tools: functions(128) }),
    says: 'Expected an array with maximum length 128, but got an array with length 129 instead.',
  },
};

/** The cases of Anthropic. */
export const ANTHROPIC_CASES: Readonly<Record<string, RuleCase>> = {
  'anthropic/prefill': {
    path: MESSAGES,
    refused: claude('claude-sonnet-4-6', user(), answer),
    accepted: claude('claude-sonnet-4-5', user(), answer),
    says: 'This model does not support assistant message prefill. The conversation must end with a user message.',
  },
  'anthropic/cache-marks': {
    path: MESSAGES,
    refused: claude('claude-sonnet-4-5', ...marked(5)),
    accepted: claude('claude-sonnet-4-5', ...marked(4)),
    says: 'A maximum of 4 blocks with cache_control may be provided. Found 5.',
  },
};
