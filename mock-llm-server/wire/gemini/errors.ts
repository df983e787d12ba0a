import type { UnpairedResults } from '../../matching/pair-results.ts';
import { badRequest } from '../body.ts';
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

/** The body of an error. The details say what clients look for in them, and they are left out where there are none. */
export function encodeGeminiError(error: WireError): object {
  const { status: code, message } = error;
  const status = STATUS_NAMES[code] ?? (code < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL');
  const details = describeDetails(error);
  return { error: { code, message, status, ...(details.length > 0 && { details }) } };
}

/** Calls and results that do not belong together, in the API's words; ours follow them. */
export function describeUnpaired({ index, missing, orphans, hint }: UnpairedResults): WireError {
  const rule =
    missing.length === 0 && orphans.length > 0
      ? 'Please ensure that function response turn comes immediately after a function call turn.'
      : 'Please ensure that the number of function response parts is equal to the number of function call parts of ' +
        'the function call turn.';
  const sentences = [
    rule,
    ...(missing.length > 0 ? [`Function calls without a response: ${missing.join(', ')}.`] : []),
    ...(orphans.length > 0 ? [`Function responses without a call: ${orphans.join(', ')}.`] : []),
    ...(hint === undefined ? [] : [hint]),
  ];
  return badRequest(sentences.join(' '), `contents[${index}]`);
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
