import type { Check } from './check.ts';
import { ANSWER_CHECKS } from './checks/answers.ts';
import { COMPARISON_CHECKS } from './checks/comparison.ts';
import { DAMAGE_CHECKS } from './checks/damaged.ts';
import { INTERRUPTION_CHECKS } from './checks/interruptions.ts';
import { MARKUP_CHECKS } from './checks/markups.ts';
import { MODEL_CHECKS } from './checks/models.ts';
import { REASONING_CHECKS } from './checks/reasoning.ts';
import { SESSION_CHECKS } from './checks/sessions.ts';
import { TEMPLATE_CHECKS } from './checks/templates.ts';

/** All checks, in the order of the table. */
export const CHECKS: readonly Check[] = [
  ...ANSWER_CHECKS,
  ...REASONING_CHECKS,
  ...MARKUP_CHECKS,
  ...DAMAGE_CHECKS,
  ...MODEL_CHECKS,
  ...INTERRUPTION_CHECKS,
  ...SESSION_CHECKS,
  ...TEMPLATE_CHECKS,
  ...COMPARISON_CHECKS,
];
