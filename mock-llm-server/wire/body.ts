import * as z from 'zod';
import type { OfferedTool, TextPart } from '../conversation/conversation.ts';
import { isNestedDeeper, parseJson } from '../conversation/json.ts';
import { errorText } from '../text.ts';
import type { WireError } from './wire.ts';

/** Levels of nested arrays and objects in a body: far more than clients send, far fewer than overflow the stack. */
const MAX_DEPTH = 1000;

/** A JSON object whose fields are not checked. */
export const JsonObjectSchema = z.record(z.string(), z.unknown());

/** A status 400. `param` names the part of the request at fault. */
export function badRequest(message: string, param?: string, code: string | null = null): WireError {
  return { type: 'error', status: 400, code, message, ...(param !== undefined && { param }) };
}

/** The errors of a provider for bodies that it cannot read. */
export interface BodyErrors {
  /** Message for a body that is not JSON. */
  notJson(reason: string): string;
  /** Message for a body that is not a JSON object. */
  readonly notObject: string;
  /** The error for a value that is absent or invalid. `param` is its path, such as `messages[0].content`. */
  invalid(param: string, message: string, isMissing: boolean): WireError;
}

/** Compiling a schema takes up to 10 ms and saves less than 0.1 ms a request. A server of one test gets only a few. */
const REQUESTS_BEFORE_COMPILING = 100;

/**
 * Creates the reader of a protocol's bodies: `json` is the JSON value of a body, `data` the output of the schema for it,
 * after `prepare` has changed it.
 */
export function bodyReader<Schema extends z.ZodType>(
  schema: Schema,
  errors: BodyErrors,
  prepare: (json: unknown) => unknown = (json) => json,
): (body: string) => { readonly type: 'body'; readonly json: unknown; readonly data: z.output<Schema> } | WireError {
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
    const isMissing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
    return errors.invalid(pathText(issue.path), issue.message, isMissing);
  };
}

/** The JSON value of a body. Throws a `SyntaxError` that quotes nothing of a body without JSON or nested too deeply. */
export function parseBody(body: string): unknown {
  const value = parseJson(body);
  // Each level has two brackets.
  if (body.length > 2 * MAX_DEPTH && isNestedDeeper(value, MAX_DEPTH)) {
    throw new SyntaxError(`nested deeper than ${MAX_DEPTH} levels`);
  }
  return value;
}

function pathText(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return text.replace(/^\./, '');
}

/** A tool with JSON arguments, as most protocols write it. */
export const FunctionSchema = z.object({
  name: z.string(),
  description: z.string().nullish(),
  parameters: JsonObjectSchema.nullish(),
});

/** The offered tool of such a function. */
export function jsonTool({ name, description, parameters }: z.infer<typeof FunctionSchema>): OfferedTool {
  return { name, description: description ?? '', input: 'json', parameters: parameters ?? {} };
}

/** The texts of parts, joined. */
export function joinTexts(parts: readonly TextPart[]): string {
  return parts.map(({ text }) => text).join('');
}
