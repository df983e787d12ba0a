import * as z from 'zod';
import { bracketPath } from '../conversation/json.ts';
import { errorText } from '../text.ts';
import { type BodyErrors, badRequest, parseBody, type ReadBody } from './body.ts';
import { faultOfIssue } from './forms/issue-fault.ts';

/** A JSON object whose fields are not checked. */
export const JsonObjectSchema = z.record(z.string(), z.unknown());

/** A tool with JSON arguments, as most protocols write it. */
export const FunctionSchema = z.object({
  name: z.string(),
  description: z.string().nullish(),
  parameters: JsonObjectSchema.nullish(),
});

/** One stop sequence or several, as most protocols write them. */
export const StopSchema = z.union([z.string(), z.array(z.string())]).nullish();

/** Compiling a schema takes up to 10 ms and saves less than 0.1 ms a request. A server of one test gets only a few. */
const REQUESTS_BEFORE_COMPILING = 100;

/**
 * Creates the reader of a protocol's bodies: `json` is the JSON value of a body, `data` the output of the schema for
 * it, after `prepare` has changed it.
 */
export function bodyReader<Schema extends z.ZodType>(
  schema: Schema,
  errors: BodyErrors,
  prepare: (json: unknown) => unknown = (json) => json,
): (body: string) => ReadBody<z.output<Schema>> {
  let parser = schema;
  let requests = 0;
  return (body) => {
    let json: unknown;
    try {
      json = parseBody(body);
    } catch (error) {
      return badRequest(errors.notJson(errorText(error)));
    }
    requests += 1;
    if (requests === REQUESTS_BEFORE_COMPILING) parser = z.compile(schema);
    const parsed = parser.safeParse(prepare(json));
    if (parsed.success) return { type: 'body', json, data: parsed.data };
    const [issue] = parsed.error.issues;
    if (issue === undefined || issue.path.length === 0) return badRequest(errors.notObject);
    const explained = errors.explain?.(json);
    if (explained !== undefined) return explained;
    return errors.invalid(bracketPath(issue.path), issue.message, faultOfIssue(issue, valueAt(json, issue.path)));
  };
}

function valueAt(json: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    json,
  );
}
