import type * as z from 'zod';
import type { Misfit } from './find-faults.ts';
import { choice, type Form, fields, integer, text } from './form.ts';

/** The forms by the names that zod gives to types. */
const EXPECTED: Readonly<Record<string, Form>> = {
  string: text,
  int: integer,
  number: { type: 'decimal' },
  boolean: { type: 'boolean' },
  array: { type: 'array', of: { type: 'any' } },
  object: fields({}),
  record: fields({}),
};

/** The fault that an issue of zod describes, and the `found` value; undefined for an issue with words of its own. */
export function faultOfIssue(issue: z.core.$ZodIssue, found: unknown): Misfit | undefined {
  const path = issue.path.map((key) => (typeof key === 'number' ? key : String(key)));
  if (found === undefined) return { kind: 'missing', path, shape: text, found };
  switch (issue.code) {
    case 'invalid_type': {
      const shape = EXPECTED[issue.expected];
      return shape === undefined ? undefined : { kind: 'type', path, shape, found };
    }
    case 'invalid_value':
      return { kind: 'value', path, shape: choice(...issue.values.map(String)), found };
    case 'invalid_union': {
      const options = 'options' in issue ? issue.options : undefined;
      return options === undefined ? undefined : { kind: 'value', path, shape: choice(...options.map(String)), found };
    }
    case 'too_small': {
      const min = Number(issue.minimum);
      const shape: Form = issue.origin === 'array' ? { type: 'array', of: text, min } : { type: 'integer', min };
      return { kind: 'min', path, shape, found };
    }
    case 'too_big':
      return { kind: 'max', path, shape: { type: 'integer', max: Number(issue.maximum) }, found };
    default:
      return undefined;
  }
}
