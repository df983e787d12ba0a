import type { Intent } from './format/intent-format.ts';
import type { StepSpecification, ToolCallSpecification } from './format/step-format.ts';

type IntentSpecification = Extract<StepSpecification | ToolCallSpecification, { intent: string }>;

/** The fields of an intent without the others of a tool call or a step. */
export function intentOf(specification: IntentSpecification): Intent {
  const {
    id: _id,
    results: _results,
    expect: _expect,
    fault: _fault,
    timing: _timing,
    ...intent
  } = {
    id: undefined,
    results: undefined,
    expect: undefined,
    fault: undefined,
    timing: undefined,
    ...specification,
  };
  return intent;
}

/** The tool calls of a step of either form. */
export function callsOf(step: StepSpecification): readonly ToolCallSpecification[] {
  return 'intent' in step ? [intentOf(step)] : (step.response.tool_calls ?? []);
}

/** The number of results that lead from a step to the next one. */
export function resultCountOf(step: StepSpecification): number {
  const { results } = step;
  if (results === undefined) return callsOf(step).length;
  return typeof results === 'number' ? results : 1;
}
