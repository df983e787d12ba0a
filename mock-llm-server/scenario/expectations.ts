import type { ToolResultPart } from '../conversation/conversation.ts';
import type { ExpectSpecification, ResultExpectation } from './format/expect-format.ts';
import { type RequestFacts, readAccepted, readConditions } from './trigger/trigger.ts';

/** The parts of a request that expectations test. */
export interface ExpectedRequest extends RequestFacts {
  readonly messages: number;
  /** The tool results after the last answer. */
  readonly results: readonly ToolResultPart[];
}

/** An expectation of a step. Its functions are pure. */
export interface Expectation {
  /** `model`, `system`, `tools`, `header NAME`, `tool_result` or `messages`. */
  readonly field: string;
  /** The expected value, for reports. */
  readonly wanted: string;
  holds(request: ExpectedRequest): boolean;
  /** The tested part of the request, for reports. */
  found(request: ExpectedRequest): string;
}

/** Prepares the expectations of a step of a scenario. */
export function createExpectations(specification: ExpectSpecification, scenario: string): readonly Expectation[] {
  const { model, system, header, tools = [], tool_result: results = [], messages } = specification;
  const conditions: readonly Expectation[] = readConditions({ model, system, header }, scenario);
  return [
    ...conditions,
    ...tools.map(expectTool),
    ...(Array.isArray(results) ? results : [results]).map((result) => expectResult(result, scenario)),
    ...(messages === undefined ? [] : [expectMessages(messages)]),
  ];
}

function expectTool(name: string): Expectation {
  return {
    field: 'tools',
    wanted: name,
    holds: ({ tools }) => tools.includes(name),
    found: ({ tools }) => tools.join(', '),
  };
}

/** An expectation that one of the results must meet. */
function expectResult(specification: ResultExpectation, scenario: string): Expectation {
  const { contains, matches, flags, equals, is_error } =
    typeof specification === 'string' ? { contains: specification } : { contains: undefined, ...specification };
  const containing = contains === undefined ? undefined : readAccepted(contains, scenario);
  const matching = matches === undefined ? undefined : readAccepted({ regex: matches, flags }, scenario);
  const wanted = [
    containing && `contains ${JSON.stringify(containing.wanted)}`,
    matching && `matches ${matching.wanted}`,
    equals === undefined ? undefined : `equals ${JSON.stringify(equals)}`,
    is_error === undefined ? undefined : `is_error: ${is_error}`,
  ];
  const accepts = ({ content, isError }: ToolResultPart) =>
    (containing?.accepts(content) ?? true) &&
    (matching?.accepts(content) ?? true) &&
    (equals === undefined || content === equals) &&
    (is_error === undefined || is_error === (isError ?? false));
  return {
    field: 'tool_result',
    wanted: wanted.filter((part) => part !== undefined).join(', '),
    holds: ({ results }) => results.some(accepts),
    found: ({ results }) => results.map(({ content }) => content).join('\n') || 'no tool result',
  };
}

function expectMessages(specification: NonNullable<ExpectSpecification['messages']>): Expectation {
  const { min = 0, max = Number.POSITIVE_INFINITY } =
    typeof specification === 'number' ? { min: specification, max: specification } : specification;
  const atLeast = `at least ${min}`;
  const wanted = max === Number.POSITIVE_INFINITY ? atLeast : min === 0 ? `at most ${max}` : `${min} to ${max}`;
  return {
    field: 'messages',
    wanted: min === max ? String(min) : wanted,
    holds: ({ messages }) => messages >= min && messages <= max,
    found: ({ messages }) => String(messages),
  };
}
