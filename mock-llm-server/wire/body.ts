import * as z from 'zod';
import type { JsonObject, OfferedTool } from '../conversation/conversation.ts';
import { isJsonObject, parseJson } from '../conversation/json.ts';
import { errorText } from '../text.ts';
import type { WireError } from './wire.ts';

/** Levels of nested arrays and objects in a body: far more than clients send, far fewer than overflow the stack. */
const MAX_DEPTH = 1000;

/** A JSON object whose fields are not checked. */
export const JsonObjectSchema = z.record(z.string(), z.unknown());

/** A status 400 without a code. `param` names the part of the request at fault. */
export function badRequest(message: string, param?: string): WireError {
  return { type: 'error', status: 400, code: null, message, ...(param !== undefined && { param }) };
}

/**
 * The JSON value of a body. Throws a `SyntaxError`, which quotes nothing of the body, when it is not JSON or is nested
 * too deeply.
 */
export function parseBody(body: string): unknown {
  const value = parseJson(body);
  // Each level has two brackets.
  if (body.length > 2 * MAX_DEPTH && isDeeper(value, MAX_DEPTH)) {
    throw new SyntaxError(`nested deeper than ${MAX_DEPTH} levels`);
  }
  return value;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (Array.isArray(value)) return levels === 0 || value.some((item) => isDeeper(item, levels - 1));
  if (!isJsonObject(value)) return false;
  if (levels === 0) return true;
  // Object.values takes seven times as long, which shows in the time of a large request.
  for (const key in value) if (isDeeper(value[key], levels - 1)) return true;
  return false;
}

/** The JSON value of a body, or an error whose message `describe` makes of the reason. */
export function readJson(
  body: string,
  describe: (reason: string) => string,
): { readonly type: 'json'; readonly json: unknown } | WireError {
  try {
    return { type: 'json', json: parseBody(body) };
  } catch (error) {
    return badRequest(describe(errorText(error)));
  }
}

/** Compiling a schema takes up to 10 ms, and saves less than 0.1 ms of a large request. */
const REQUESTS_BEFORE_COMPILING = 100;

/** Parser of a schema that is compiled once it is known to be used often: a server of one test gets a few requests. */
export function compileLazily<Schema extends z.ZodType>(
  schema: Schema,
): (json: unknown) => z.ZodSafeParseResult<z.output<Schema>> {
  let parser = schema;
  let requests = 0;
  return (json) => {
    requests += 1;
    if (requests === REQUESTS_BEFORE_COMPILING) parser = z.compile(schema);
    return parser.safeParse(json);
  };
}

/** Path of an issue in a request, such as `messages[0].content`; empty for the request as a whole. */
export function issuePath(issue: z.core.$ZodIssue | undefined): string {
  const path = (issue?.path ?? []).map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return path.replace(/^\./, '');
}

/** A tool with JSON arguments. */
export function jsonTool(
  name: string,
  description: string | null | undefined,
  parameters: JsonObject | null | undefined,
): OfferedTool {
  return { name, description: description ?? '', input: 'json', parameters: parameters ?? {} };
}
