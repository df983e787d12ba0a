import type { Intent } from './format/intent-format.ts';
import type { BlockSpecification, StepSpecification, ToolCallSpecification } from './format/step-format.ts';

type ResponseSpecification = Extract<StepSpecification, { readonly response: unknown }>['response'];
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
  if ('intent' in step) return [intentOf(step)];
  const { content, tool_calls: calls = [] } = step.response;
  return [...blocksIn(content).flatMap((block) => ('call' in block ? [block.call] : [])), ...calls];
}

/** The blocks of a content; none of a text. */
function blocksIn(content: ResponseSpecification['content']): readonly BlockSpecification[] {
  return Array.isArray(content) ? content : [];
}

/** The text of a content, joined if it has blocks; undefined if it has none. */
export function contentText(content: ResponseSpecification['content']): string | undefined {
  if (!Array.isArray(content)) return content ?? undefined;
  const texts = content.flatMap((block) => ('text' in block ? [block.text] : []));
  return texts.length === 0 ? undefined : texts.join('');
}

/** The number of results that lead from a step to the next one. */
export function resultCountOf(step: StepSpecification): number {
  const { results } = step;
  if (results === undefined) return callsOf(step).length;
  return typeof results === 'number' ? results : 1;
}
