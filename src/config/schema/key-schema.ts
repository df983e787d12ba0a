import * as z from 'zod';
import { HOST_PATTERN } from '../../policy/sandbox/hosts.ts';
import { string } from './profile-schema.ts';

/**
 * Changes that a project file, which comes with the code, may make to a key: none (`ignored`), any (`applied`), decrease
 * a limit (`lower`), add to a list (`add`), turn something off (`disable`), choose a stricter permission level
 * (`tighten`). Once the user trusts the project, it may also make any change (`trusted`), add directories of the project
 * (`inside`), or name one of the user's profiles (`choose`).
 */
export const PROJECT_RULES = [
  ...(['ignored', 'applied', 'lower', 'add', 'disable', 'tighten'] as const),
  ...(['trusted', 'inside', 'choose'] as const),
] as const;

type ProjectRule = (typeof PROJECT_RULES)[number];

/** Adds documentation to the schema of a key. `type` describes the value in words if the schema cannot. */
export function key<Schema extends z.ZodType>(
  schema: Schema,
  project: ProjectRule,
  description: string,
  type?: string,
): Schema {
  return schema.meta({ project, description, ...(type === undefined ? {} : { words: type }) });
}

/** A list of strings, by default these. */
export const strings = (...values: readonly string[]) => z.array(string()).default([...values]);
/** Names of hosts, or `*.` before a name. */
export const hosts = () =>
  z.array(z.string().regex(HOST_PATTERN, 'is not the name of a host, such as example.com or *.example.org'));
export const integer = (min: number, max: number) => z.number().int().min(min).max(max);
/** A list of commands, by default these; each may have examples, which are checked when the configuration loads. */
export const commands = (...values: readonly string[]) =>
  z
    .array(
      z.union(
        [
          string(),
          z.strictObject({
            rule: string(),
            match: z.array(string()).optional(),
            not_match: z.array(string()).optional(),
          }),
        ],
        { error: 'must be a command, or an object with "rule" and perhaps "match" and "not_match"' },
      ),
    )
    .default([...values]);
