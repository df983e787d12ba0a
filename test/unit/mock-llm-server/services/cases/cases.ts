import { RULES } from '../../../../../mock-llm-server/services/services.ts';
import { ACCESS_CASES } from '../access/access-cases.ts';
import { STATED_CASES } from '../stated-cases.ts';
import { BLOCK_CASES, CONVERSE_CASES } from './blocks.ts';
import type { RuleCase } from './case.ts';
import { ANTHROPIC_CASES, GEMINI_CASES, OPENAI_CASES } from './cloud.ts';
import { CONTENT_CASES } from './contents.ts';
import { CONVERSE_MODEL_CASES } from './converse.ts';
import { FIELD_CASES } from './fields.ts';
import { CLOUD_PARAMETER_CASES, GATEWAY_CASES } from './gateways.ts';
import { HOST_CASES, LOCAL_CASES } from './hosts.ts';
import { MODEL_CASES } from './models.ts';
import { MISTRAL_CASES, OPEN_MODEL_CASES } from './open-models.ts';
import { RELAY_CASES } from './relays.ts';
import { REPORT_CASES } from './reports.ts';
import { TEMPLATE_CASES } from './templates.ts';
import { VALUE_CASES } from './values.ts';
import { WIRE_CASES } from './wires.ts';

/** The cases of the rules that services have of their own, by id. */
export const RULE_CASES: Readonly<Record<string, RuleCase>> = {
  ...ACCESS_CASES,
  ...OPENAI_CASES,
  ...ANTHROPIC_CASES,
  ...GEMINI_CASES,
  ...MISTRAL_CASES,
  ...OPEN_MODEL_CASES,
  ...HOST_CASES,
  ...LOCAL_CASES,
  ...BLOCK_CASES,
  ...CONVERSE_CASES,
  ...CONVERSE_MODEL_CASES,
  ...CLOUD_PARAMETER_CASES,
  ...GATEWAY_CASES,
  ...FIELD_CASES,
  ...TEMPLATE_CASES,
  ...REPORT_CASES,
  ...RELAY_CASES,
  ...CONTENT_CASES,
  ...VALUE_CASES,
  ...MODEL_CASES,
  ...WIRE_CASES,
  ...STATED_CASES,
};

/** The case of a rule; that of its origin if it shares it. */
export function caseOf(id: string): RuleCase {
  const origin = RULES.find((rule) => rule.id === id)?.origin ?? id;
  const found = RULE_CASES[origin];
  if (found === undefined) throw new Error(`The rule ${id} has no case.`);
  return found;
}
