import type { RuleCase } from './case.ts';
import { ANTHROPIC_CASES, OPENAI_CASES } from './cloud.ts';
import { MISTRAL_CASES } from './open-models.ts';

/** The cases of every rule, by its id. */
export const RULE_CASES: Readonly<Record<string, RuleCase>> = {
  ...OPENAI_CASES,
  ...ANTHROPIC_CASES,
  ...MISTRAL_CASES,
};
