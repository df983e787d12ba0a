import type { UnpairedResults } from '../../matching/pair-results.ts';
import { badRequest } from '../body.ts';
import { describeUnpaired } from '../late-results.ts';
import type { WireError } from '../wire.ts';

const STATUS_NAMES: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'UNIMPLEMENTED',
  408: 'DEADLINE_EXCEEDED',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  501: 'UNIMPLEMENTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
  529: 'UNAVAILABLE',
};

/** The body of an error, with the details that clients read. */
export function encodeGeminiError(error: WireError): object {
  const { status: code, message } = error;
  const status = STATUS_NAMES[code] ?? (code < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL');
  const details = describeDetails(error);
  return { error: { code, message, status, ...(details.length > 0 && { details }) } };
}

/** The error for unpaired results: the API's sentence, then the ids. */
export function unpaired(results: UnpairedResults): WireError {
  const { index, missing, orphans } = results;
  const rule =
    missing.length === 0 && orphans.length > 0
      ? 'Please ensure that function response turn comes immediately after a function call turn.'
      : 'Please ensure that the number of function response parts is equal to the number of function call parts of ' +
        'the function call turn.';
  const sentences = describeUnpaired(results, {
    missing: (ids) => `Function calls without a response: ${ids}.`,
    orphans: (ids) => `Function responses without a call: ${ids}.`,
  });
  return badRequest([rule, ...sentences].join(' '), `contents[${index}]`);
}

function describeDetails({ status, code, message, param, retryAfter = 1 }: WireError): object[] {
  const type = (name: string) => ({ '@type': `type.googleapis.com/google.rpc.${name}` });
  const details: object[] = [];
  if (status === 429) {
    const violations = [{ quotaMetric: 'generativelanguage.googleapis.com/generate_content_requests' }];
    details.push({ ...type('QuotaFailure'), violations }, { ...type('RetryInfo'), retryDelay: `${retryAfter}s` });
  }
  if (code !== null) details.push({ ...type('ErrorInfo'), reason: code.toUpperCase(), domain: 'mock-llm-server' });
  else if (status === 400 && param !== undefined) {
    details.push({ ...type('BadRequest'), fieldViolations: [{ field: param, description: message }] });
  }
  return details;
}
