import type * as z from 'zod';
import { errorText } from '../error-text.ts';
import { issuePath } from './issue-path.ts';
import { parseBody } from './parse-body.ts';
import type { WireError } from './wire.ts';

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
