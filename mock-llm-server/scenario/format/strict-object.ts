import * as z from 'zod';
import { namedCheck } from '../../../src/schema/data-schema.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { suggestField } from '../suggest.ts';
import { CHECKS, type CheckedValue, type CheckName } from './checks.ts';

/** The message of a schema issue: a line for the reason, a line for the fix. `explainIssues` takes it apart. */
export function problemText(reason: string, fix: string): string {
  return `${reason}\n${fix}`;
}

/** Reports a problem from a refinement of a schema, at `path` within the refined value. */
export function addProblem(
  context: z.core.$RefinementCtx,
  reason: string,
  fix: string,
  path: readonly (string | number)[] = [],
): void {
  context.addIssue({ code: 'custom', path: [...path], message: problemText(reason, fix) });
}

/** Adds a check by name, so that the schema can be data: a file that fits is then checked without zod. */
export function checked<Name extends CheckName, Schema extends z.ZodType<CheckedValue<Name>>>(
  schema: Schema,
  name: Name,
): Schema {
  return namedCheck(schema, name, (value, context) => {
    for (const { reason, fix, path } of CHECKS[name].problems(value)) addProblem(context, reason, fix, path);
  });
}

/** Fields that are often written in the wrong object; each has the `problemText` that explains it. */
export type MisplacedFields = Readonly<Record<string, string>>;

/**
 * A strict object schema that suggests the field that was meant; `also` lists fields of another form of the object, and
 * `foreign` explains an object of something else: it has no field of this one, and most of its fields resemble none.
 */
export function strictObject<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  {
    also = [],
    misplaced = {},
    foreign,
  }: { readonly also?: readonly string[]; readonly misplaced?: MisplacedFields; readonly foreign?: string } = {},
) {
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return undefined;
      if (issue.keys.includes('<<')) return NO_MERGE_KEYS;
      const [, text] = Object.entries(misplaced).find(([field]) => issue.keys.includes(field)) ?? [];
      const fields = Object.keys(shape);
      const isForeign = text === undefined && resemblesNone(issue.input, issue.keys, fields);
      return text ?? (isForeign ? foreign : undefined) ?? describeUnknownFields(issue.keys, fields, also);
    },
  });
}

/** True if an object has no known field but `$schema`, and most of its unknown ones resemble none of the known. */
function resemblesNone(value: unknown, unknown: readonly string[], fields: readonly string[]): boolean {
  const known = fields.filter((field) => field !== '$schema');
  if (!isJsonObject(value) || known.some((field) => Object.hasOwn(value, field))) return false;
  return unknown.filter((key) => suggestField(key, known) === undefined).length * 2 > unknown.length;
}

const NO_MERGE_KEYS = problemText(
  'merge keys (<<) are not supported',
  'write the fields out, or make the whole value an alias (*name)',
);

function describeUnknownFields(keys: readonly string[], fields: readonly string[], also: readonly string[]): string {
  const suggestions = keys.map((key) => ({ key, name: suggestField(key, [...fields, ...also]) }));
  // A field that names another form of the object makes the rest of the fields right.
  const otherForm = suggestions.filter(({ name }) => name !== undefined && also.includes(name));
  const wrong = otherForm.length > 0 ? otherForm : suggestions;
  const fixes = wrong.map(({ key, name }) =>
    name === undefined ? `remove "${key}"` : `write "${name}" instead of "${key}"`,
  );
  const hint = wrong.some(({ name }) => name === undefined) ? `; the fields here are ${fields.join(', ')}` : '';
  const names = wrong.map(({ key }) => `"${key}"`).join(' and ');
  return problemText(`unknown field ${names}`, fixes.join(', ') + hint);
}
