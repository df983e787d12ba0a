import * as z from 'zod';
import { cutText } from '../text.ts';
import { suggest, suggestField } from './suggest.ts';

/** Something wrong in a value: where, what, and what to do about it. */
export interface ExplainedIssue {
  readonly path: readonly PropertyKey[];
  readonly reason: string;
  readonly fix: string;
}

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** What an explanation needs: the value as a whole, and how each field of it looks in JSON, `$` the value itself. */
interface Context {
  readonly value: unknown;
  readonly examples: Readonly<Record<string, string>>;
}

/**
 * Says what is wrong with a value that a schema refuses, and what to do. Of a union, the member that was meant speaks.
 * Pure.
 */
export function explainIssues(issues: readonly Issue[], context: Context): ExplainedIssue[] {
  const meant = issues.flatMap((issue) => membersIn(issue, [], context.value));
  return meant.filter((one) => !isMisspelt(one, meant)).map((one) => explain(one, context));
}

interface Located {
  readonly path: Path;
  readonly issue: Issue;
}

/** The issues of the members that were meant, down to what is no union. */
function membersIn(issue: Issue, parents: Path, value: unknown): Located[] {
  const path = [...parents, ...issue.path];
  if (issue.code !== 'invalid_union') return [{ path, issue }];
  const fitting = issue.errors.filter(isOfRightKind);
  const [first, ...others] = fitting;
  if (first === undefined) return [{ path, issue }];
  const inside = valueAt(value, path);
  const member = others.reduce((best, next) => (isCloser(next, best, inside) ? next : best), first);
  return member.flatMap((inner) => membersIn(inner, path, value));
}

function isOfRightKind(member: readonly Issue[]): boolean {
  return !member.some((issue) => issue.path.length === 0 && ['invalid_type', 'invalid_value'].includes(issue.code));
}

/** The member is meant that knows more of the fields, then the one that has less to say against it. */
function isCloser(member: readonly Issue[], best: readonly Issue[], value: unknown): boolean {
  const difference = knownFields(member, value) - knownFields(best, value);
  return difference > 0 || (difference === 0 && member.length < best.length);
}

function knownFields(member: readonly Issue[], value: unknown): number {
  const fields = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  // Whoever says "intent" means one, whatever else stands there.
  const named = member.find((issue) => issue.code === 'invalid_union' && issue.discriminator !== undefined);
  if (named !== undefined) return fields.includes(String(named.path[0])) ? fields.length + 1 : -1;
  const unknown = member.flatMap((issue) =>
    issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : [],
  );
  return fields.includes('intent') && !unknown.includes('intent') ? fields.length + 1 : fields.length - unknown.length;
}

/** A field that is missing because its name is misspelt has been spoken of, and so has an object that lacks it. */
function isMisspelt({ issue, path }: Located, all: readonly Located[]): boolean {
  const object = (issue.code === 'custom' ? path : path.slice(0, -1)).join('.');
  return all.some((other) => {
    if (other.issue.code !== 'unrecognized_keys' || other.path.join('.') !== object) return false;
    if (issue.code === 'custom') return true;
    const meant = [String(path.at(-1)), 'intent'];
    const isValue = issue.code === 'invalid_type' || issue.code === 'invalid_union';
    return isValue && other.issue.keys.some((key) => key === '<<' || suggestField(key, meant) !== undefined);
  });
}

function explain({ issue, path }: Located, { value, examples }: Context): ExplainedIssue {
  const given = valueAt(value, path);
  const example = exampleOf(path, examples);
  const say = (reason: string, fix = example): ExplainedIssue => ({ path, reason, fix });
  if (given === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_union')) {
    return say('is missing', example.replace('write', 'add'));
  }
  switch (issue.code) {
    case 'invalid_type':
      return say(`must be ${kindNamed(issue.expected)}, not ${show(given)}`);
    case 'invalid_value':
      return say(`must be ${listed(issue.values)}, not ${show(given)}`, correct(given, issue.values, example));
    case 'invalid_union': {
      if (issue.discriminator !== undefined) {
        const options = 'options' in issue ? (issue.options ?? []) : [];
        return say(`there is no ${issue.discriminator} ${show(given)}`, correct(given, options, example));
      }
      return say(`must be ${kindsIn(issue)}, not ${show(given)}`);
    }
    case 'too_small':
      if (issue.origin === 'array' || issue.origin === 'string') return say('must not be empty');
      return say(`must be ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}, not ${show(given)}`);
    case 'too_big':
      return say(`must be at most ${issue.maximum}, not ${show(given)}`);
    default: {
      const { reason, fix } = readProblemText(issue.message);
      return say(reason, fix === '' ? example : fix);
    }
  }
}

/** What to write at a path, or for the nearest field around it. */
function exampleOf(path: Path, examples: Context['examples']): string {
  const names = path.filter((key) => typeof key === 'string');
  for (let length = names.length; length > 0; length -= 1) {
    const [parent, name = ''] = [names[length - 2], names[length - 1]];
    const key = [`${parent}.${name}`, name].find((one) => Object.hasOwn(examples, one));
    if (key !== undefined) return `write "${name}": ${examples[key]}`;
  }
  return `write ${examples['$']}`;
}

function correct(given: unknown, values: readonly unknown[], example: string): string {
  const texts = values.filter((value) => typeof value === 'string');
  const near = typeof given === 'string' ? suggest(given, texts) : undefined;
  if (near !== undefined) return `write ${JSON.stringify(near)} instead of ${JSON.stringify(given)}`;
  if (values.length === 1 && values[0] === true) return `${example}, or leave it out`;
  return texts.length > 0 ? `write one of ${texts.map(show).join(', ')}` : example;
}

/** What the members of a union take, none of which is of the kind that was given. */
function kindsIn(union: z.core.$ZodIssueInvalidUnion): string {
  const kindsOf = (issue: Issue): string[] => {
    if (issue.code === 'invalid_union') return issue.errors.flat().flatMap(kindsOf);
    if (issue.code === 'invalid_type') return [kindNamed(issue.expected)];
    return issue.code === 'invalid_value' ? [listed(issue.values)] : [];
  };
  return [...new Set(kindsOf(union))].join(' or ');
}

/** More of a value is not shown. */
const MAX_SHOWN = 60;

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

function kindNamed(expected: string): string {
  return KINDS[expected] ?? expected;
}

function listed(values: readonly unknown[]): string {
  return values
    .map(show)
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1');
}

/** A value, short. */
function show(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return cutText(typeof value === 'string' ? JSON.stringify(value) : String(value), MAX_SHOWN);
}

function valueAt(value: unknown, path: Path): unknown {
  let inside: unknown = value;
  for (const key of path) {
    if (typeof inside !== 'object' || inside === null) return undefined;
    inside = Object.entries(inside).find(([name]) => name === String(key))?.[1];
  }
  return inside;
}

/** Fields that an object cannot have, but that are meant now and then, each with a `problemText`. */
export type Misplaced = Readonly<Record<string, string>>;

/**
 * An object without further fields, whose error says which one was meant. `also` are fields of another form of the same
 * object, which may have been meant, too.
 */
export function strictObject<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  { also = [], misplaced = {} }: { readonly also?: readonly string[]; readonly misplaced?: Misplaced } = {},
) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? unknownFields(issue.keys, Object.keys(shape), also, misplaced) : undefined,
  });
}

function unknownFields(
  keys: readonly string[],
  fields: readonly string[],
  also: readonly string[],
  misplaced: Misplaced,
): string {
  if (keys.includes('<<')) {
    return problemText(
      'merge keys (<<) are not taken',
      'write the fields out, or make the whole value an alias (*name)',
    );
  }
  const [, said] = Object.entries(misplaced).find(([field]) => keys.includes(field)) ?? [];
  if (said !== undefined) return said;
  const meant = keys.map((key) => ({ key, name: suggestField(key, [...fields, ...also]) }));
  const corrections = meant.flatMap(({ key, name }) => (name === undefined ? [] : [{ key, name }]));
  const first = corrections.map(({ key, name }) => `write "${name}" instead of "${key}"`);
  const unknown = meant.filter(({ name }) => name === undefined);
  // The fields of another form are right as soon as its own name is.
  const isOtherForm = corrections.some(({ name }) => also.includes(name));
  const rest = isOtherForm ? [] : unknown.map(({ key }) => `take "${key}" out`);
  const list = unknown.length > 0 && !isOtherForm ? `; the fields here are ${fields.join(', ')}` : '';
  const wrong = isOtherForm ? corrections.map(({ key }) => key) : keys;
  const reason = `there is no field ${wrong.map((key) => `"${key}"`).join(' or ')} here`;
  return problemText(reason, [...first, ...rest].join(', ') + list);
}

/** What is wrong and what to do about it, as the one text that a schema has for both: in a line each. */
export function problemText(reason: string, fix: string): string {
  return `${reason}\n${fix}`;
}

/** The two parts of a `problemText`; a text of one line says nothing of what to do. */
export function readProblemText(text: string): { readonly reason: string; readonly fix: string } {
  const [reason = '', fix = ''] = text.split('\n', 2);
  return { reason, fix };
}

/**
 * One thing wrong with the scenarios: which file, which JSON path in it (`$.scenarios[0].trigger`), why, what to do.
 */
export interface ScenarioProblem {
  readonly file: string;
  readonly path: string;
  readonly reason: string;
  /** What to change. */
  readonly fix: string;
}

/** Scenarios could not be loaded. The message has two lines for each problem, those of `describeProblem`. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
  readonly problems: readonly ScenarioProblem[];

  constructor(problems: readonly ScenarioProblem[]) {
    super(problems.map(describeProblem).join('\n'));
    this.problems = problems;
  }
}

/** A problem in two lines: `file: path: reason`, and what to do about it. */
export function describeProblem({ file, path, reason, fix }: ScenarioProblem): string {
  return `${file}: ${path}: ${reason}\n  fix: ${fix}`;
}
