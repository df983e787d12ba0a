import { conforms, type DataSchema, withDefaults } from '../../src/schema/conforms.ts';
import type { JsonObject, OfferedTool, ReplyLimits, TextPart } from '../conversation/conversation.ts';
import { isNestedDeeper, parseJson } from '../conversation/json.ts';
import { errorText } from '../text.ts';
import type { Misfit } from './forms/find-faults.ts';
import type { WireError } from './wire.ts';

/** Levels of nested arrays and objects in a body: far more than clients send, far fewer than overflow the stack. */
const MAX_DEPTH = 1000;

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
  /** The error for a body by the form that the provider demands of the whole request; undefined if it has the form. */
  explain?(json: unknown): WireError | undefined;
  /**
   * The error for a value that is absent or invalid. `param` is its path, such as `messages[0].content`; `message` is
   * that of the schema, which says what `fault` does not.
   */
  invalid(param: string, message: string, fault: Misfit | undefined): WireError;
}

/** A body as read: `json` is its JSON value, `data` the part of it that the server needs. */
export type ReadBody<Data> = { readonly type: 'body'; readonly json: unknown; readonly data: Data } | WireError;

/** A server that gets this many requests gets many: the schema library then reads them in less time. */
const REQUESTS_BEFORE_LOADING = 50;

/**
 * Creates a reader of bodies that loads no zod for the first ones that fit. `load` loads the reader with zod, which
 * explains what is wrong with a body, and returns equal data for one that fits.
 */
export function lightBodyReader<Data>(
  schema: DataSchema<Data>,
  errors: Pick<BodyErrors, 'notJson'>,
  load: () => Promise<(body: string) => ReadBody<Data>>,
): (body: string) => ReadBody<Data> | Promise<ReadBody<Data>> {
  let reader: ((body: string) => ReadBody<Data>) | undefined;
  let requests = 0;
  const loadReader = async () => {
    reader = await load();
    return reader;
  };
  return (body) => {
    if (reader !== undefined) return reader(body);
    requests += 1;
    if (requests === REQUESTS_BEFORE_LOADING) void loadReader();
    let json: unknown;
    try {
      json = parseBody(body);
    } catch (error) {
      return badRequest(errors.notJson(errorText(error)));
    }
    const data = withDefaults(json, schema.json);
    return conforms(data, schema) ? { type: 'body', json, data } : loadReader().then((read) => read(body));
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

/** A tool with JSON arguments, as most protocols write it. */
interface FunctionTool {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly parameters?: JsonObject | null | undefined;
}

export function jsonTool({ name, description, parameters }: FunctionTool): OfferedTool {
  return { name, description: description ?? '', input: 'json', parameters: parameters ?? {} };
}

export function joinTexts(parts: readonly TextPart[]): string {
  return parts.map(({ text }) => text).join('');
}

/** Half of a surrogate pair. A stop sequence with one could cut an answer within a character. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * The limits in the fields of a request, which are given by name and value; undefined if none applies. Zero and
 * negative numbers of tokens mean no limit: Ollama writes them for an answer of any length, other providers reject
 * them.
 */
export function limitsOf(
  tokensName: string,
  tokens: number | null | undefined,
  stopName = '',
  stop?: string | readonly string[] | null,
): ReplyLimits | undefined {
  const isLimited = typeof tokens === 'number' && tokens > 0;
  const texts = typeof stop === 'string' ? [stop] : (stop ?? []);
  const stops = texts.length === 0 ? texts : texts.filter((text) => text !== '' && !LONE_SURROGATE.test(text));
  if (!isLimited && stops.length === 0) return undefined;
  return {
    ...(isLimited && { maxTokens: { name: tokensName, value: tokens } }),
    ...(stops.length > 0 && { stop: { name: stopName, texts: stops } }),
  };
}
