import { firstOf, isSet, refuseIf } from '../checks/fields.ts';
import { MOONSHOT_VALUES } from '../forms/open-models.ts';
import { formRules } from '../forms/stated-form.ts';
import type { Rule } from '../service.ts';
import { rulesOf } from '../share-rules.ts';

export const MOONSHOT_VALUE_RULES: readonly Rule[] = [
  ...formRules('moonshot', MOONSHOT_VALUES, {
    shape: {
      refuses:
        'a value of another type than the API reads: an object as `content`, `temperature: "hot"`, `reasoning_effort: 5` …',
      accepts: 'values of its types',
      source: 'https://github.com/LnYo-Cly/ai4j/issues/62',
      date: '2025-05-11',
    },
    range: {
      refuses: 'a `temperature` outside of 0 to 1, a `top_p` outside of 0 to 1, `n` above 5, penalties beyond 2',
      accepts: 'a number in its range',
      source: 'https://platform.moonshot.ai/docs/api/chat',
      date: '2026-11-28',
    },
  }),
  ...rulesOf('moonshot', {
    'fixed-value': {
      models: /^(?:kimi-)?k(?:2\.[5-9]|3)/,
      refuses: 'another `n` than 1, and other penalties than 0, with kimi-k2.5 and later',
      accepts: '`n: 1`; any with moonshot-v1',
      source: 'https://platform.moonshot.ai/docs/api/chat',
      date: '2026-11-30',
      check: firstOf(
        Object.entries({ n: 1, presence_penalty: 0, frequency_penalty: 0 }).map(([field, value]) =>
          refuseIf((body) => isSet(body[field]) && body[field] !== value, {
            message: `invalid ${field}: only ${value} is allowed for this model`,
          }),
        ),
      ),
    },
    'log-probabilities': {
      refuses: '`top_logprobs` without `logprobs`',
      accepts: 'both with moonshot-v1',
      source: 'https://platform.moonshot.ai/docs/api/chat',
      date: '2026-11-30',
      check: refuseIf(({ logprobs, top_logprobs: top }) => isSet(top) && logprobs !== true, {
        message: 'Invalid request: logprobs must be set to true if top_logprobs is used',
      }),
    },
    'top-p': {
      models: /^kimi-k(?:2\.[5-9]|3)/,
      refuses: 'a `top_p` other than 0.95, with kimi-k2.5 and later',
      accepts: '0.95',
      source: 'https://github.com/iOfficeAI/gemini-cli-pro/pull/30',
      date: '2026-02-13',
      check: refuseIf(({ top_p: value }) => isSet(value) && value !== 0.95, {
        message: 'invalid top_p: only 0.95 is allowed for this model',
      }),
    },
  }),
];
