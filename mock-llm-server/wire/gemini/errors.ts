import { DEFAULT_RETRY_AFTER, statusErrorFrom } from '../status-error.ts';
import type { StatusRequest, WireError } from '../wire.ts';

const STATUS_NAMES: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'UNIMPLEMENTED',
  408: 'DEADLINE_EXCEEDED',
  429: 'RESOURCE_EXHAUSTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

const QUOTA = 'generativelanguage.googleapis.com/generate_content_requests';

export function encodeGeminiError(error: WireError): object {
  const { status: code, message, errorType } = error;
  const status = errorType ?? STATUS_NAMES[code] ?? (code < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL');
  const details = describeDetails(error);
  return { error: { code, message, status, ...(details.length > 0 && { details }) } };
}

function describeDetails({ status, code, message, param, retryAfter = DEFAULT_RETRY_AFTER }: WireError): object[] {
  const type = (name: string) => ({ '@type': `type.googleapis.com/google.rpc.${name}` });
  const details: object[] = [];
  if (status === 429) {
    const violations = [{ quotaMetric: QUOTA }];
    details.push({ ...type('QuotaFailure'), violations }, { ...type('RetryInfo'), retryDelay: `${retryAfter}s` });
  }
  if (code !== null) details.push({ ...type('ErrorInfo'), reason: code.toUpperCase(), domain: 'mock-llm-server' });
  else if (status === 400 && param !== undefined) {
    details.push({ ...type('BadRequest'), fieldViolations: [{ field: param, description: message }] });
  }
  return details;
}

/** The error for a call without the signature that the API gave it. */
export function missingSignature(name: string, position: number): string {
  return (
    'Function call is missing a thought_signature in functionCall parts. This is required for tools to work ' +
    'correctly, and missing thought_signature may lead to degraded model performance. Additional data, function ' +
    `call \`default_api:${name}\` , position ${position}. Please refer to ` +
    'https://ai.google.dev/gemini-api/docs/thought-signatures for more details.'
  );
}

/** The API's own error for a status, as its clients report it. */
export function geminiStatusError(request: StatusRequest): WireError {
  const { model, retryAfter = DEFAULT_RETRY_AFTER } = request;
  return statusErrorFrom(
    {
      400: 'Request contains an invalid argument.',
      401:
        'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid ' +
        'authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.',
      403: 'The caller does not have permission',
      404:
        `models/${model} is not found for API version v1beta, or is not supported for generateContent. Call ` +
        'ModelService.ListModels to see the list of available models and their supported methods.',
      408: 'Deadline expired before operation could complete.',
      413: 'Request payload size exceeds the limit: 20971520 bytes.',
      429:
        'You exceeded your current quota, please check your plan and billing details. For more information on this ' +
        'error, head to: https://ai.google.dev/gemini-api/docs/rate-limits. To monitor your current usage, head to: ' +
        `https://ai.dev/rate-limit. \n* Quota exceeded for metric: ${QUOTA}, limit: 1000, model: ${model}\n` +
        `Please retry in ${retryAfter}s.`,
      500:
        'An internal error has occurred. Please retry or report in ' +
        'https://developers.generativeai.google/guide/troubleshooting',
      502: 'The service is currently unavailable.',
      503:
        'This model is currently experiencing high demand. Spikes in demand are usually temporary. Please try again ' +
        'later.',
    },
    request,
  );
}
