import type { Check } from './check.ts';
import { ANSWER_CHECKS } from './checks/answers.ts';

/** All checks, in the order of the table. */
export const CHECKS: readonly Check[] = [...ANSWER_CHECKS];
