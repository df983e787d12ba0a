import { errorText } from '../../text.ts';
import { nativeProblems, responseProblems, scenarioProblems } from '../answer-checks.ts';
import { problem, type ValueProblem, when } from '../problems.ts';
import { groupsIn, resultsIn, templateProblems } from '../templates.ts';
import { faultProblems } from './faults/fault-checks.ts';
import { mappedToolProblems } from './mapped-tool.ts';

/** A check of values that fit a schema. It gets no other values. Pure. */
interface ValueCheck {
  problems(value: unknown): readonly ValueProblem[];
}

const CHECKS_BY_NAME = {
  templates: { problems: templateProblems },
  default_templates: { problems: defaultTemplateProblems },
  regex: { problems: regexProblems },
  result_condition: { problems: resultConditionProblems },
  trigger: { problems: triggerProblems },
  expected_result: { problems: expectedResultProblems },
  message_range: { problems: messageRangeProblems },
  expect: { problems: expectProblems },
  point: { problems: pointProblems },
  fault: { problems: faultProblems },
  list_files: { problems: listFilesProblems },
  usage: { problems: usageProblems },
  response: { problems: responseProblems },
  native: { problems: nativeProblems },
  timing: { problems: timingProblems },
  scenario: { problems: scenarioProblems },
  intents: { problems: mappedToolProblems },
  file: { problems: fileProblems },
  relative_path: { problems: relativePathProblems },
  limits: { problems: (value: object) => emptyProblems(value, 'turns or tokens') },
  forbid: { problems: (value: object) => emptyProblems(value, 'files or commands') },
} satisfies Readonly<Record<string, ValueCheck>>;

export type CheckName = keyof typeof CHECKS_BY_NAME;
/** A value of a check: what the schema that it belongs to accepts. */
export type CheckedValue<Name extends CheckName> = Parameters<(typeof CHECKS_BY_NAME)[Name]['problems']>[0];

/**
 * The checks that a schema cannot state as data, by name. Files are checked by these functions whether they are read
 * with zod or without.
 */
export const CHECKS: Readonly<Record<CheckName, ValueCheck>> = CHECKS_BY_NAME;

type Absent<Value> = Value | undefined;

const NONE: readonly ValueProblem[] = [];

interface Expression {
  readonly regex?: Absent<string>;
  readonly flags?: Absent<string>;
}

/** A file without scenarios has recorded embeddings. */
function fileProblems({
  scenarios,
  embeddings = [],
}: {
  readonly scenarios: readonly unknown[];
  readonly embeddings?: Absent<readonly unknown[]>;
}): readonly ValueProblem[] {
  if (scenarios.length > 0 || embeddings.length > 0) return NONE;
  return [{ path: ['scenarios'], reason: 'must not be empty', fix: 'add an item to "scenarios"' }];
}

/** Templates that have no value in a default response, and the syntax errors of the others. */
function defaultTemplateProblems(content: string): readonly ValueProblem[] {
  const [group] = groupsIn(content);
  const [result] = resultsIn(content);
  const name = group === undefined ? result && `tool_result ${result}` : `match.${group}`;
  if (name === undefined) return templateProblems(content);
  return problem(`{{${name}}} has no value in a default_response`, 'write {{last_user}}, or {{{{ for literal braces');
}

/** Syntax of other languages in regular expressions. */
const FOREIGN_SYNTAX: readonly (readonly [syntax: RegExp, fix: string])[] = [
  [/^\(\?[imsx]+\)/, 'remove it: case is ignored by default, and "flags" has the flags'],
  [/\(\?P[<=]/, 'write (?<name>…) instead of (?P<name>…)'],
];

/** A regular expression that is not valid, or flags without one. `field` is the name of the expression. */
function regexProblems({ regex, flags }: Expression, field = 'regex'): readonly ValueProblem[] {
  if (regex === undefined) {
    if (flags === undefined) return NONE;
    return problem(`needs a ${field}`, `remove "flags", or add a "${field}"`, ['flags']);
  }
  try {
    new RegExp(regex, flags);
    return NONE;
  } catch (error) {
    const [, fix = 'escape special characters with \\\\, as in "\\\\(" for a ('] =
      FOREIGN_SYNTAX.find(([syntax]) => syntax.test(regex)) ?? [];
    return problem(errorText(error), fix, [field]);
  }
}

function resultConditionProblems(condition: Expression & { readonly is_error?: Absent<boolean> }) {
  const isEmpty = condition.regex === undefined && condition.is_error === undefined;
  return [
    ...regexProblems(condition),
    ...when(isEmpty, 'has no regex and no is_error', 'add "is_error": true, or write a string instead'),
  ];
}

const CONDITIONS = 'text, regex, protocol, model, system, tool, response_format, header, chance and tool_result';

function triggerProblems(trigger: Expression & { readonly text?: Absent<string>; readonly header?: Absent<object> }) {
  const { flags: _flags, ...conditions } = trigger;
  const isBoth = trigger.text !== undefined && trigger.regex !== undefined;
  const isEmpty = Object.keys(conditions).length === 0 || hasNoKey(trigger.header);
  return [
    ...regexProblems(trigger),
    ...when(isBoth, 'a trigger has a text or a regex, not both', 'remove one of the two', ['regex']),
    ...when(isEmpty, 'has no condition', `add one of ${CONDITIONS}`),
  ];
}

function hasNoKey(value: object | undefined): boolean {
  return value !== undefined && Object.keys(value).length === 0;
}

const RESULT_FIELDS = ['contains', 'matches', 'equals', 'is_error'];

function expectedResultProblems(result: { readonly matches?: Absent<string>; readonly flags?: Absent<string> }) {
  const isEmpty = RESULT_FIELDS.every((name) => !Object.hasOwn(result, name));
  return [
    ...regexProblems({ regex: result.matches, flags: result.flags }, 'matches'),
    ...when(isEmpty, 'expects nothing', 'add "contains", "matches", "equals" or "is_error"'),
  ];
}

function messageRangeProblems({ min, max }: { readonly min?: Absent<number>; readonly max?: Absent<number> }) {
  if (min === undefined && max === undefined) {
    return problem('has no min and no max', 'add "max": 9, or write a number instead');
  }
  if (min === undefined || max === undefined || min <= max) return NONE;
  return problem(`min ${min} is larger than max ${max}`, 'write a smaller number', ['min']);
}

function expectProblems(expectations: { readonly header?: Absent<object> }) {
  const isEmpty = hasNoKey(expectations) || hasNoKey(expectations.header);
  return when(isEmpty, 'expects nothing', 'add one of model, system, tools, header, tool_result and messages');
}

function pointProblems(point: { readonly pieces?: Absent<number>; readonly characters?: Absent<number> }) {
  const isEither = (point.pieces === undefined) !== (point.characters === undefined);
  return when(!isEither, 'needs either pieces or characters', 'write {"pieces": 3}, or {"characters": 20}');
}

function listFilesProblems(intent: object) {
  const isEmpty = !('pattern' in intent || 'path' in intent);
  return when(isEmpty, 'list_files needs a pattern or a path', 'add "pattern": "*.txt" or "path": "src"');
}

function usageProblems(usage: {
  readonly input_tokens?: Absent<number>;
  readonly cached_tokens?: Absent<number>;
  readonly output_tokens?: Absent<number>;
  readonly reasoning_tokens?: Absent<number>;
}) {
  const { input_tokens: input, cached_tokens: cached, output_tokens: output, reasoning_tokens: reasoning } = usage;
  const cachedFix = 'input_tokens includes the cached ones; write a larger number there';
  const reasoningFix = 'output_tokens includes those of the reasoning; write a larger number there';
  return [
    ...when(
      input !== undefined && cached !== undefined && cached > input,
      `${cached} cached tokens are more than the ${input} input tokens`,
      cachedFix,
      ['cached_tokens'],
    ),
    ...when(
      output !== undefined && reasoning !== undefined && reasoning > output,
      `${reasoning} reasoning tokens are more than the ${output} output tokens`,
      reasoningFix,
      ['reasoning_tokens'],
    ),
  ];
}

function timingProblems(timing: {
  readonly recorded_ms?: Absent<readonly number[]>;
  readonly speed?: Absent<number>;
  readonly time_to_first_token_ms?: Absent<number>;
  readonly tokens_per_second?: Absent<number>;
  readonly piece_delay_ms?: Absent<number>;
}) {
  const { recorded_ms, speed, time_to_first_token_ms, tokens_per_second, piece_delay_ms } = timing;
  const computed = [time_to_first_token_ms, tokens_per_second, piece_delay_ms].some((value) => value !== undefined);
  const isBoth = tokens_per_second !== undefined && piece_delay_ms !== undefined;
  const replaced = 'replaces time_to_first_token_ms, tokens_per_second and piece_delay_ms';
  const exclusive = 'piece_delay_ms and tokens_per_second exclude each other';
  return [
    ...(recorded_ms !== undefined
      ? when(computed, replaced, 'remove recorded_ms, or the other delays', ['recorded_ms'])
      : when(isBoth, exclusive, 'remove one of the two', ['piece_delay_ms'])),
    ...when(recorded_ms === undefined && speed !== undefined, 'needs recorded_ms', 'add "recorded_ms": [420, 35, 60]', [
      'speed',
    ]),
  ];
}

function relativePathProblems(path: string) {
  const isAbsolute = /^([/\\]|[A-Za-z]:)/.test(path);
  return when(isAbsolute, 'must be a relative path', 'write it relative to the directory of the file');
}

function emptyProblems(value: object, fields: string) {
  return when(hasNoKey(value), 'is empty', `add ${fields}, or remove it`);
}
