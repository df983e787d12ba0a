import type * as z from 'zod';
import { isJsonObject } from '../../conversation/json.ts';
import { cutText } from '../../text.ts';
import { formatPath, ScenarioError, type ScenarioProblem } from '../problems.ts';
import { suggestField, suggestValue } from '../suggest.ts';

type Path = readonly PropertyKey[];
type Issue = z.core.$ZodIssue;

/**
 * The error for a file whose value has issues, which have their inputs; of a union, only those of the nearest member.
 * `locate` formats a path. Pure.
 */
export function explainIssues(issues: readonly Issue[], file: string, locate = formatPath): ScenarioError {
  const located = issues.flatMap((issue) => locateIssues(issue, []));
  const explained = located.filter((one) => !isExplainedByTypo(one, located));
  return new ScenarioError(
    explained.map(({ issue, path }) => ({ file, path: locate(path), ...describeIssue(issue, path) })),
  );
}

type LocatedIssue = { readonly path: Path; readonly issue: Issue };

function locateIssues(issue: Issue, parents: Path): LocatedIssue[] {
  const path = [...parents, ...issue.path];
  // A union whose message has a fix explains the value as a whole.
  if (issue.code !== 'invalid_union' || issue.message.includes('\n')) return [{ path, issue }];
  const isOfRightType = (member: readonly Issue[]) =>
    !member.some(({ path: { length }, code }) => length === 0 && (code === 'invalid_type' || code === 'invalid_value'));
  const members = issue.errors.filter(isOfRightType).map((member) => ({ member, fit: fitOf(member, issue.input) }));
  const [best] = members.sort((one, other) => other.fit - one.fit);
  return best?.member.flatMap((inner) => locateIssues(inner, path)) ?? [{ path, issue }];
}

/** Number of fields of a value that a member of a union knows; members with fewer issues are slightly ahead. */
function fitOf(member: readonly Issue[], value: unknown): number {
  const fields = isJsonObject(value) ? Object.keys(value) : [];
  const unknown = member.flatMap((issue) =>
    issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : [],
  );
  // An object with the field "intent" is meant as an intent, whatever else it has.
  const hasIntent = fields.includes('intent');
  const isIntent = member.some((issue) => issue.code === 'invalid_union' && issue.discriminator !== undefined);
  if (isIntent && !hasIntent) return -1;
  const known = fields.length + (hasIntent && !unknown.includes('intent') ? 1 : -unknown.length);
  return known - member.length / 1000;
}

/** True if an unknown field of the same object explains the issue: a field is missing because its name is misspelled. */
function isExplainedByTypo({ issue, path }: LocatedIssue, all: readonly LocatedIssue[]): boolean {
  const object = formatPath(issue.code === 'custom' ? path : path.slice(0, -1));
  return all.some((other) => {
    if (other.issue.code !== 'unrecognized_keys' || formatPath(other.path) !== object) return false;
    if (issue.code === 'custom') return true;
    const names = [String(path.at(-1)), 'intent'];
    const isMissing = issue.code === 'invalid_type' || issue.code === 'invalid_union';
    // A field in the wrong object, or of another format, explains why another one is missing.
    if (isMissing && issue.input === undefined && other.issue.message.includes('\n') && !hasNearest(other.issue))
      return true;
    return isMissing && other.issue.keys.some((key) => key === '<<' || suggestField(key, names) !== undefined);
  });
}

/** True for an unknown field whose message is about its spelling. */
function hasNearest({ message }: Issue): boolean {
  return message.startsWith('unknown field');
}

/** The object that a field wants, around a value that was written in its place. */
const AROUND: Readonly<Record<string, (value: string) => string | undefined>> = {
  content: (value) => (value.startsWith('"') ? `{"text": ${value}}` : undefined),
  chunk: (value) => (/^\d/.test(value) ? `{"by": "words", "size": ${value}}` : `{"by": ${value}}`),
  at: (value) => (/^\d/.test(value) ? `{"pieces": ${value}}` : undefined),
  steps: (value) => `{"response": {"content": ${value}}}`,
  response: (value) => `{"content": ${value}}`,
  default_response: (value) => `{"content": ${value}}`,
  tool_calls: (value) => `{"name": ${value}}`,
  fault: faultFor,
  timing: (value) => `{"piece_delay_ms": ${numberIn(value)}}`,
  expect: (value) => `{"tool_result": ${value}}`,
  usage: (value) => `{"output_tokens": ${numberIn(value)}}`,
  story: (value) => `{"prompts": [${value}]}`,
};

/** Faults by the names that other formats give them. */
const FAULTS: readonly (readonly [names: RegExp, fault: string])[] = [
  [/limit|429/, '{"status": 429}'],
  [/overload|529/, '{"status": 529}'],
  [/unavailable|503/, '{"status": 503}'],
  [/context|overflow/, '{"context_overflow": true}'],
  [/stall|hang|timeout/, '{"stall": "forever"}'],
  [/reset|disconnect|abort/, '{"reset": true}'],
  [/cut|truncat/, '{"cut": true}'],
  [/malformed|invalid|corrupt/, '{"malformed_chunk": true}'],
  [/empty/, '{"empty_answer": true}'],
  [/error|fail/, '{"status": 500}'],
];

function faultFor(value: string): string {
  const [, fault] = FAULTS.find(([names]) => names.test(value.toLowerCase())) ?? [];
  return /^"?\d+"?$/.test(value) ? `{"status": ${numberIn(value)}}` : (fault ?? '{"status": 500}');
}

/** A number without the quotes around it. */
function numberIn(value: string): string {
  return value.replace(/^"(\d+)"$/, '$1');
}

/** The fix for a value of the wrong kind: the list or the object to write around it. */
function fixAround(issue: Issue, path: Path, kinds: string): string | undefined {
  const actual = issue.input;
  const field = path.findLast((key) => typeof key === 'string');
  if (field === 'scenarios' && isJsonObject(actual) && actual['steps'] === undefined)
    return 'write a list of scenarios, each with its "name"';
  if (kinds === 'a list' && actual !== null && typeof actual !== 'number') return 'write [ … ] around it';
  if (path[0] === 'intents') return 'write a tool like "fs_put(path, content)" for each intent';
  if (field === 'story' && Array.isArray(actual)) return 'write {"prompts": [ … ]}';
  if (field === 'command' && Array.isArray(actual)) return 'write one command line';
  if (/number|integer/.test(kinds) && typeof actual === 'string') {
    const number = numberFrom(actual, String(field));
    if (number !== undefined) return `write ${number}`;
  }
  if (path.at(-1) === 'content' && (typeof actual === 'number' || isJsonObject(actual))) {
    const text = JSON.stringify(actual);
    const json = JSON.stringify(text);
    return json.length > MAX_SHOWN ? 'write it as a string of JSON' : `write the string ${json}`;
  }
  if (field === 'response' && (actual === null || Array.isArray(actual))) return 'write {"content": "…"}';
  if (path.at(-1) === 'trigger' && Array.isArray(actual)) {
    return 'write one of them, or {"regex": "first|second"} for several';
  }
  const isPlain = typeof actual === 'string' || typeof actual === 'number' || typeof actual === 'boolean';
  const around = kinds.includes('an object') && isPlain ? AROUND[String(field)]?.(show(actual)) : undefined;
  if (around !== undefined) return `write ${around}`;
  const isText = typeof actual === 'number' || typeof actual === 'boolean';
  return kinds.includes('a string') && isText ? `write the string "${actual}"` : undefined;
}

/** Factors of units; milliseconds are the unit of fields that end in `_ms`, and seconds that of other times. */
const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1000, '%': 0.01, s: 1, ms: 0.001 };

/** The number that a text states with a unit, in the unit of its field. */
function numberFrom(text: string, field: string): number | undefined {
  const [, digits, unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*(k|%|ms|s)?\s*$/i.exec(text) ?? [];
  const factor = UNITS[unit.toLowerCase()] ?? 1;
  const isTime = field.endsWith('_ms') && /s$/i.test(unit);
  return digits === undefined ? undefined : Math.round(Number(digits) * factor * (isTime ? 1000 : 1) * 1000) / 1000;
}

/** The fix for a misspelled name, where a union also accepts an object. */
function fixName(issue: Issue): string | undefined {
  if (issue.code !== 'invalid_union' || typeof issue.input !== 'string') return undefined;
  const names = issue.errors.flat().flatMap((inner) => (inner.code === 'invalid_value' ? inner.values : []));
  const fix = correct(issue.input, names);
  return fix.includes(' instead of ') ? fix : undefined;
}

function describeIssue(issue: Issue, path: Path): Pick<ScenarioProblem, 'reason' | 'fix'> {
  const [reason = '', ...fixes] = issue.message.split('\n');
  return fixes.length === 0 ? describeKind(issue, path) : { reason, fix: fixes.join('\n') };
}

/** The problem of an issue whose schema does not explain it. */
function describeKind(issue: Issue, path: Path): Pick<ScenarioProblem, 'reason' | 'fix'> {
  const key = path.at(-1);
  const actual = issue.input;
  const name = `"${String(key)}"`;
  const mustBe = (wanted: string) => ({ reason: `must be ${wanted}, not ${show(actual)}`, fix: `write ${wanted}` });
  switch (issue.code) {
    case 'invalid_type':
    case 'invalid_union': {
      if (issue.code === 'invalid_union' && issue.discriminator !== undefined && isJsonObject(actual)) {
        const tag = actual[issue.discriminator];
        const options = 'options' in issue ? (issue.options ?? []) : [];
        return { reason: `unknown ${issue.discriminator} ${show(tag)}`, fix: fixIntent(tag) ?? correct(tag, options) };
      }
      const kinds = [...new Set(kindsIn(issue))].join(' or ');
      if (actual !== undefined) {
        const fix = fixAround(issue, path, kinds) ?? fixName(issue);
        return fix === undefined ? mustBe(kinds) : { ...mustBe(kinds), fix };
      }
      return { reason: 'is missing', fix: key === undefined ? `write ${kinds}` : `add ${name}, ${kinds}` };
    }
    case 'invalid_value':
      return { ...mustBe(startOf(issue.values)), fix: correct(actual, issue.values) };
    case 'too_small':
      if (issue.origin === 'array') return { reason: 'must not be empty', fix: `add an item to ${name}` };
      if (issue.origin === 'string') return { reason: 'must not be empty', fix: 'write some text' };
      return {
        ...mustBe(`${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`),
        fix: 'write a larger number',
      };
    case 'too_big':
      return { ...mustBe(`at most ${issue.maximum}`), fix: 'write a smaller number' };
    default:
      return { reason: issue.message, fix: 'correct the value' };
  }
}

const FINISH_NAME = /^(?:finish|submit|done|complete|attempt_?completion|final_?answer|task_?(?:complete|done))$/i;

/** The fix for an intent that ends the run, or that is an object. */
function fixIntent(tag: unknown): string | undefined {
  if (isJsonObject(tag)) return 'write the name as "intent" and its fields beside it';
  if (typeof tag !== 'string' || !FINISH_NAME.test(tag)) return undefined;
  return 'write {"response": {"content": …}}: the text becomes a call of the tool that ends the run if the client must call one';
}

function correct(actual: unknown, values: readonly unknown[]): string {
  const names = values.filter((value) => typeof value === 'string');
  const suggestion = typeof actual === 'string' ? suggestValue(actual, names) : undefined;
  if (suggestion !== undefined) return `write ${JSON.stringify(suggestion)} instead of ${JSON.stringify(actual)}`;
  return values.length === 1 ? `write ${show(values[0])}, or leave it out` : `write ${listOf(values)}`;
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

/** The kinds of values that the schema accepts. */
function kindsIn(issue: Issue): string[] {
  if (issue.code === 'invalid_union') return issue.errors.flat().flatMap(kindsIn);
  if (issue.code === 'invalid_type') return [KINDS[issue.expected] ?? issue.expected];
  return issue.code === 'invalid_value' ? [listOf(issue.values)] : [];
}

function listOf(values: readonly unknown[]): string {
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(values.map(show));
}

/** The values, of many only the first ones. */
function startOf(values: readonly unknown[]): string {
  const hidden = values.length - FIRST_VALUES;
  if (hidden < FIRST_VALUES) return listOf(values);
  return `${values.slice(0, FIRST_VALUES).map(show).join(', ')} or one of ${hidden} others`;
}

const FIRST_VALUES = 5;
const MAX_SHOWN = 60;

function show(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return cutText(typeof value === 'string' ? JSON.stringify(value) : String(value), MAX_SHOWN);
}
