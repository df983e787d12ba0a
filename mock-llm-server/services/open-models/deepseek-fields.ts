import { isJsonObject } from '../../conversation/json.ts';
import { refuseIf } from '../checks/fields.ts';
import { objectOf, textOf } from '../raw.ts';
import type { Rule } from '../service.ts';
import { rulesOf } from '../share-rules.ts';
import { unreadable } from './deepseek-messages.ts';

const BOTH = ['openai-chat', 'anthropic-messages'] as const;

/** The rules of DeepSeek for the choice of a tool, and for the name of the user. */
export const DEEPSEEK_FIELD_RULES: readonly Rule[] = rulesOf('deepseek', {
  choice: {
    refuses: 'another word than `none`, `auto` and `required` as `tool_choice`, such as `any`',
    accepts: '`auto`',
    source: 'https://github.com/BerriAI/litellm/pull/37470',
    date: '2026-08-19',
    check: ({ body: { tool_choice: choice } }) =>
      typeof choice === 'string' && !['none', 'auto', 'required'].includes(choice)
        ? unreadable('tool_choice', `unknown variant \`${choice}\`, expected one of \`none\`, \`auto\`, \`required\``)
        : undefined,
  },
  'user-id': {
    refuses: 'a `user_id` with other characters than letters, digits, `_` and `-`',
    accepts: '`user-1`',
    source: 'https://github.com/vercel/ai/issues/19380',
    date: '2026-08-24',
    check: refuseIf(({ user_id: user }) => typeof user === 'string' && !/^[\w-]{1,512}$/.test(user), {
      message:
        "Invalid 'user_id': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
    }),
  },
  'choice-while-thinking': {
    protocols: BOTH,
    models: /^deepseek-(?:reasoner|v[4-9]|flash)/,
    refuses: 'a `tool_choice` of `required` or of a tool while the model thinks',
    accepts: '`auto` and `none`, or `thinking: {"type":"disabled"}`',
    source: 'https://github.com/tickernelz/opencode-mem/issues/253',
    date: '2026-08-27',
    check: refuseIf(
      ({ tool_choice: choice, thinking }) =>
        objectOf(thinking)['type'] !== 'disabled' &&
        (choice === 'required' || (isJsonObject(choice) && !['auto', 'none'].includes(textOf(choice['type'])))),
      { message: 'Thinking mode does not support this tool_choice' },
    ),
  },
});
