import type * as z from 'zod';
import type { Continuation, Reply } from '../../conversation/conversation.ts';
import { digestOf, scenarioTagOf } from '../../conversation/ids.ts';
import { decodePercent, errorText } from '../../text.ts';
import { issuePath, parseBody } from '../body.ts';
import type { WireError, WireRequest, WireRoute } from '../wire.ts';

/** The provider's 400 without a code. */
export function invalid(message: string, param?: string): WireError {
  return { type: 'error', status: 400, code: null, message, ...(param !== undefined && { param }) };
}

/** The provider's 400 for a part of the request that is not there. */
export function missing(param: string): WireError {
  return { ...invalid(`Missing required parameter: '${param}'.`, param), code: 'missing_required_parameter' };
}

/** The body as JSON, or the provider's 400. */
export function parseJsonBody(body: string): { readonly type: 'json'; readonly json: unknown } | WireError {
  try {
    return { type: 'json', json: parseBody(body) };
  } catch (error) {
    const reason = errorText(error);
    return invalid(`We could not parse the JSON body of your request: ${reason}`);
  }
}

/** What the first thing that a schema found says in OpenAI's words. */
export function describeInvalid(issue: z.core.$ZodIssue | undefined): WireError {
  const param = issuePath(issue);
  if (param === '') return invalid('The body of the request must be a JSON object.');
  if (issue?.code === 'invalid_type' && issue.message.endsWith('received undefined')) {
    return missing(param);
  }
  return { ...invalid(`Invalid value for '${param}': ${issue?.message}.`, param), code: 'invalid_value' };
}

/** The body of an error in both of OpenAI's protocols. */
export function encodeOpenAiError({ status, code, message, param }: WireError): object {
  return { error: { message, type: typeOf(status, code), param: param ?? null, code } };
}

function typeOf(status: number, code: string | null): string {
  if (code === 'insufficient_quota') return code;
  if (status === 429) return 'requests';
  return status < 500 ? 'invalid_request_error' : 'server_error';
}

/** What this many requests in a minute, and this many tokens, are allowed to an account. */
const REQUEST_LIMIT = 10_000;
const TOKEN_LIMIT = 2_000_000;

/** The headers that OpenAI's answers carry beside the id of the request. They derive from it, so they never change. */
export function openaiHeaders(digest: string): Readonly<Record<string, string>> {
  const number = Number.parseInt(digest.slice(0, 8), 16);
  return {
    'openai-organization': 'mock-organization',
    'openai-processing-ms': String(100 + (number % 900)),
    'openai-version': '2020-10-01',
    'x-ratelimit-limit-requests': String(REQUEST_LIMIT),
    'x-ratelimit-limit-tokens': String(TOKEN_LIMIT),
    'x-ratelimit-remaining-requests': String(REQUEST_LIMIT - 1),
    'x-ratelimit-remaining-tokens': String(TOKEN_LIMIT - 1 - (number % 10_000)),
    'x-ratelimit-reset-requests': '6ms',
    'x-ratelimit-reset-tokens': `${1 + (number % 300)}ms`,
  };
}

const NAME = /^[a-zA-Z0-9_-]+$/;

/** What OpenAI says to the name of a tool that has other characters than it takes: a name from MCP with a dot. */
export function lintToolName(name: string, param: string): WireError[] {
  if (NAME.test(name)) return [];
  const message =
    `Invalid '${param}': string does not match pattern. Expected a string that matches the pattern ` +
    "'^[a-zA-Z0-9_-]+$'.";
  return [{ ...invalid(message, param), code: 'invalid_value' }];
}

/** What OpenAI says to a text that is longer than it takes: an id that another provider made. */
export function lintLength(text: string, limit: number, param: string): WireError[] {
  if (text.length <= limit) return [];
  const message =
    `Invalid '${param}': string too long. Expected a string with maximum length ${limit}, but got a string with ` +
    `length ${text.length} instead.`;
  return [{ ...invalid(message, param), code: 'string_above_max_length' }];
}

/** What OpenAI says to a list that must not be empty. */
export function lintEmpty(list: readonly unknown[], param: string): WireError[] {
  if (list.length > 0) return [];
  const message = `Invalid '${param}': empty array. Expected an array with minimum length 1, but got an empty array instead.`;
  return [{ ...invalid(message, param), code: 'empty_array' }];
}

/** The model that a request without one is answered as, and the one that the list of models names. */
export const MODEL = 'mock-model';

/** The models: the list has one, and any name that is asked for exists, because requests may name any. */
export const MODEL_ROUTES: readonly WireRoute[] = ['/v1', ''].flatMap((base) => [
  {
    method: 'GET',
    path: `${base}/models`,
    answer: () => ({ status: 200, body: { object: 'list', data: [encodeModel(MODEL)] } }),
  },
  {
    method: 'GET',
    path: `${base}/models/:id{.+}`,
    answer: ({ path }: WireRequest) => ({ status: 200, body: encodeModel(readId(path, `${base}/models/`)) }),
  },
]);

/** A name may hold slashes, and a client may have escaped them. */
function readId(path: string, base: string): string {
  return decodePercent(path.slice(base.length));
}

function encodeModel(id: string): object {
  return { id, object: 'model', created: Date.UTC(2025, 0, 1) / 1000, owned_by: 'mock-llm-server' };
}

const DIGEST_LENGTH = 24;
const CHECK_LENGTH = 8;
const MINTED = /^resp_((?:[0-9a-f]{8}_\d{1,4}_)?[0-9a-f]{24})([0-9a-f]{8})$/;

/**
 * The id of a response: `resp_<scenario tag>_<step>_<digest><check>`, without the first two for an answer that is no
 * scenario's. It is all that a server needs to go on from the answer; `check` tells it from an id it never gave.
 */
export function mintResponseId({ source, digest }: Reply): string {
  const place = source === undefined ? '' : `${scenarioTagOf(source.scenario)}_${source.step}_`;
  const said = `${place}${digest.slice(0, DIGEST_LENGTH)}`;
  return `resp_${said}${checkOf(said)}`;
}

/** Reads an id back; nothing for an id that no server minted. */
export function parseResponseId(id: string): Continuation | undefined {
  const [, said = '', check] = MINTED.exec(id) ?? [];
  if (check === undefined || check !== checkOf(said)) return undefined;
  const [digest = '', step, scenarioTag] = said.split('_').reverse();
  if (scenarioTag === undefined) return { id, digest };
  return { id, digest, place: { scenarioTag, step: Number(step) } };
}

function checkOf(said: string): string {
  return digestOf('response', said).slice(0, CHECK_LENGTH);
}
