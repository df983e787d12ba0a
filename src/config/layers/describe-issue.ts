import type * as z from 'zod';

/** Nouns for the types that the library expects. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
};

/** The maximum number of further problems of a value whose paths are named. */
const MAX_OTHERS = 3;

/**
 * Describes the first problem inside a value, with its path and without the value itself: `models.profiles[0].name: …`.
 * The paths of the next ones follow.
 */
export function describeIssue(name: string, { issues }: z.ZodError): string {
  const [issue, ...others] = issues;
  const further = new Set(others.map(({ path }) => pathTo(name, path)));
  further.delete(pathTo(name, issue?.path ?? []));
  const places = [...further].slice(0, MAX_OTHERS);
  return `${describeFirst(name, issue)}${places.length > 0 ? ` (also wrong: ${places.join(', ')})` : ''}`;
}

function pathTo(name: string, path: readonly PropertyKey[]): string {
  const steps = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`));
  return `${name}${steps.join('')}`.replace(/^\./, '');
}

function describeFirst(name: string, issue: z.core.$ZodIssue | undefined): string {
  // A key of a record is checked by itself, and its own problem says more.
  const [inner] = issue?.code === 'invalid_key' ? issue.issues : [];
  const found = inner ?? issue;
  return `${pathTo(name, issue?.path ?? [])}: ${found === undefined ? 'is not valid' : reasonOf(found)}`;
}

/** The reason in our words. A message that a schema has of its own stays. */
function reasonOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.message.endsWith('received undefined')) return 'is missing';
      return `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'must not be empty';
      return `must ${verbOf(issue.origin)} at least ${issue.minimum}${unitOf(issue.origin)}`;
    case 'too_big':
      return `must ${verbOf(issue.origin)} at most ${issue.maximum}${unitOf(issue.origin)}`;
    case 'unrecognized_keys':
      return `has the unknown key ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}`;
    default:
      return issue.message;
  }
}

const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' entries', object: ' entries' };

const unitOf = (origin: string): string => UNITS[origin] ?? '';
const verbOf = (origin: string): string => (UNITS[origin] === undefined ? 'be' : 'have');
