import type { Conversation, Protocol, ToolResultPart } from '../../conversation/conversation.ts';
import { digestOf } from '../../conversation/ids.ts';
import type {
  ConditionSpecification,
  ResultConditionSpecification,
  TriggerSpecification,
} from '../format/trigger-format.ts';
import { createSearch, type Groups } from './pattern.ts';

/** The facts of a request that conditions test. Names of headers are lower-case. */
export interface RequestFacts {
  readonly model: string;
  readonly system: readonly string[];
  /** Names of the offered tools. */
  readonly tools: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly protocol: Protocol;
  /** The requested form of the answer. */
  readonly output: Pick<Conversation, 'outputSchema' | 'outputName' | 'outputIsText'>;
}

/** A condition on the request as a whole. */
export interface Condition {
  /** `protocol`, `model`, `system`, `tool`, `response_format`, `header NAME` or `chance`. */
  readonly field: string;
  /** The text or expression that must be found, for errors. */
  readonly wanted: string;
  holds(facts: RequestFacts): boolean;
  /** The tested part of the request, for errors. */
  found(facts: RequestFacts): string;
}

/** The trigger of a scenario. Its functions are pure. */
export interface Trigger {
  /** The trigger in errors. */
  readonly text: string;
  /** True if it tests the user's texts; any text matches otherwise. */
  readonly needsText: boolean;
  /** A lower-case text that every matching text contains; undefined for an expression. */
  readonly literal: string | undefined;
  /** The named groups of the match, if there is one. `lowerCased` is `candidate` in lower case, made once. */
  find(candidate: string, lowerCased: string): Groups | undefined;
  /** Conditions that must all hold. */
  readonly conditions: readonly Condition[];
  /** If defined, the scenario starts at a tool result that it accepts. */
  readonly toolResult: { readonly wanted: string; accepts(result: ToolResultPart): boolean } | undefined;
}

type Finder = Pick<Trigger, 'text' | 'find' | 'literal'>;
type Conditions = Exclude<TriggerSpecification, string>;
type ConditionFields = Pick<Conditions, 'protocol' | 'model' | 'system' | 'tool' | 'response_format' | 'header'>;

/** Prepares the trigger of the scenario with this name. */
export function createTrigger(specification: TriggerSpecification, name: string): Trigger {
  if (typeof specification === 'string') {
    return { ...textFinder(specification), needsText: true, conditions: [], toolResult: undefined };
  }
  const conditions = [...readConditions(specification, name), ...readChance(specification.chance, name)];
  const toolResult = readToolResult(specification.tool_result, name);
  const { text: wantedText, regex, flags } = specification;
  if (wantedText !== undefined) return { ...textFinder(wantedText), needsText: true, conditions, toolResult };
  if (regex !== undefined) return { ...regexFinder(regex, flags, name), needsText: true, conditions, toolResult };
  const named = conditions.map(({ field, wanted }) => `${field}: ${wanted}`);
  const text = [...named, ...(toolResult === undefined ? [] : [`tool_result: ${toolResult.wanted}`])].join(', ');
  return { text, find: () => ({}), literal: undefined, needsText: false, conditions, toolResult };
}

function textFinder(text: string): Finder {
  const literal = text.toLowerCase();
  return { text, literal, find: (_candidate, lowerCased) => (lowerCased.includes(literal) ? {} : undefined) };
}

function regexFinder(source: string, flags = 'i', scenario: string): Finder {
  return { text: `/${source}/${flags}`, literal: undefined, find: createSearch(source, flags, scenario) };
}

/** The conditions of a scenario on a request as a whole, in the order of the fields of a trigger. */
export function readConditions(fields: ConditionFields, scenario: string): Condition[] {
  const { protocol, model, system, tool, response_format, header } = fields;
  const condition = (
    field: string,
    specification: ConditionSpecification | undefined,
    valuesOf: (facts: RequestFacts) => readonly string[],
  ): Condition[] => {
    if (specification === undefined) return [];
    const { wanted, accepts } = readAccepted(specification, scenario);
    const found = (facts: RequestFacts) => valuesOf(facts).join(', ');
    return [{ field, wanted, holds: (facts) => valuesOf(facts).some(accepts), found }];
  };
  return [
    ...(typeof protocol === 'string' ? [protocolCondition(protocol)] : condition('protocol', protocol, protocolOf)),
    ...condition('model', model, (facts) => [facts.model]),
    ...condition('system', system, (facts) => facts.system),
    ...condition('tool', tool, (facts) => facts.tools),
    ...condition('response_format', response_format, (facts) => formatsOf(facts.output)),
    ...Object.entries(header ?? {}).flatMap(([name, wanted]) =>
      condition(`header ${name.toLowerCase()}`, wanted, ({ headers }) => {
        const value = headers[name.toLowerCase()];
        return value === undefined ? [] : [value];
      }),
    ),
  ];
}

const protocolOf = (facts: RequestFacts) => [facts.protocol];

/** The name of a protocol is not part of another one: `gemini` is not `gemini-interactions`. */
function protocolCondition(wanted: string): Condition {
  return { field: 'protocol', wanted, holds: (facts) => facts.protocol === wanted, found: (facts) => facts.protocol };
}

/** The header whose value decides every chance. A client that sends none has the empty seed. */
const SEED_HEADER = 'x-mock-seed';

/** A chance draws a number for each seed, and another one in each scenario, so that scenarios are independent. */
function readChance(chance: number | undefined, name: string): Condition[] {
  if (chance === undefined) return [];
  const draw = ({ headers }: RequestFacts) => drawOf(name, headers[SEED_HEADER] ?? '');
  return [
    {
      field: 'chance',
      wanted: `${chance} in ${JSON.stringify(name)}`,
      holds: (facts) => draw(facts) < chance,
      found: (facts) =>
        `${draw(facts).toFixed(3)} for the ${SEED_HEADER} ${JSON.stringify(facts.headers[SEED_HEADER] ?? '')}`,
    },
  ];
}

/** A number from 0 (inclusive) to 1 (exclusive), the same for equal texts in any process. */
function drawOf(name: string, seed: string): number {
  return Number.parseInt(digestOf('chance', name, seed).slice(0, 12), 16) / 2 ** 48;
}

/** The type of a requested form, in the words of OpenAI, and the name and the title of its schema. */
function formatsOf({ outputSchema, outputName, outputIsText }: RequestFacts['output']): readonly string[] {
  if (outputSchema === undefined) return ['text'];
  if (outputIsText) return ['enum'];
  const title = outputSchema['title'];
  const names = [outputName, title].filter((name) => typeof name === 'string');
  const isAnyJson = names.length === 0 && Object.keys(outputSchema).length === 0;
  return [isAnyJson ? 'json_object' : 'json_schema', ...names];
}

function readToolResult(
  specification: ResultConditionSpecification | undefined,
  scenario: string,
): Trigger['toolResult'] {
  if (specification === undefined) return undefined;
  if (typeof specification === 'string') {
    const { wanted, accepts } = readAccepted(specification, scenario);
    return { wanted, accepts: ({ content }) => accepts(content) };
  }
  const { regex, flags, is_error: isError } = specification;
  const inContent = regex === undefined ? undefined : readAccepted({ regex, flags }, scenario);
  const onError = isError === undefined ? undefined : `is_error: ${isError}`;
  return {
    wanted: [inContent?.wanted, onError].filter((part) => part !== undefined).join(', '),
    accepts: (result) =>
      (inContent?.accepts(result.content) ?? true) && (isError === undefined || isError === (result.isError ?? false)),
  };
}

/** The wanted text or expression of a scenario for errors, and the test of a value. */
export function readAccepted(specification: ConditionSpecification, scenario: string) {
  const { text, find } =
    typeof specification === 'string'
      ? textFinder(specification)
      : regexFinder(specification.regex, specification.flags, scenario);
  return { wanted: text, accepts: (value: string) => find(value, value.toLowerCase()) !== undefined };
}
