import { findFaults, type Misfit } from '../../wire/forms/find-faults.ts';
import { CHAT_SHAPE } from '../../wire/openai/shapes/chat.ts';
import { RESPONSES_SHAPE } from '../../wire/openai/shapes/responses.ts';
import { openaiViolation } from '../../wire/openai/words.ts';
import type { Rule } from '../service.ts';

const firstOf = ([fault]: readonly Misfit[]) => (fault === undefined ? undefined : openaiViolation(fault));

/** The rule of OpenAI for the types, values, ranges and lengths that its published schema states. */
export const OPENAI_SHAPE_RULE: Rule = {
  id: 'openai/shape',
  protocols: ['openai-chat', 'openai-responses'],
  only: true,
  refuses:
    'a value that its schema excludes: `temperature: "1"`, `top_p: 7`, `service_tier: zz`, a tool without `type`, an item of an unknown type, a field that an item, a part or a tool of Responses does not have (`status` of reasoning, `cache_control` of a part), or a message of Chat Completions, if the service is named, 17 pairs of `metadata` …',
  accepts: 'the values of its schema, and null for what is not required',
  source:
    'https://github.com/kangminlee-maker/local-OAuth-CLI-API-adapter/blob/main/test/openai-responses-validation-parity.test.mjs',
  date: '2026-08-30',
  check: ({ protocol, body, isNamed }) => {
    if (protocol === 'openai-responses') return firstOf(findFaults(body, RESPONSES_SHAPE));
    // A server that only resembles the service may have other fields.
    return firstOf(findFaults(body, CHAT_SHAPE).filter(({ kind }) => isNamed || kind !== 'unknown'));
  },
};
