import { statusErrorFrom } from '../status-error.ts';
import type { StatusRequest, WireError } from '../wire.ts';

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

export function encodeAnthropicError(error: WireError, requestId?: string): object {
  const { status, code, message, param, errorType } = error;
  const type = errorType ?? TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
  const unsupported = code === 'thread_unsupported_request' ? { unsupported: [param] } : {};
  const details = code === null ? {} : { details: { error_code: code, ...unsupported } };
  return { type: 'error', error: { type, message, ...details }, request_id: requestId };
}

/** The API's own error for a status, as its clients report it. */
export function anthropicStatusError(request: StatusRequest): WireError {
  return statusErrorFrom(
    {
      400: 'There was an issue with the format or content of your request.',
      401: 'invalid x-api-key',
      403: 'Permission denied',
      404: `model: ${request.model}`,
      408: 'Request timed out',
      413: 'Request exceeds the maximum size',
      429: "This request would exceed your account's rate limit. Please try again later.",
      500: 'Internal server error',
      502: 'Bad gateway',
      503: 'Service unavailable',
      529: 'Overloaded',
    },
    request,
  );
}

/** The API's sentence for calls of message `index` that have no result right after it. */
export function describeMissing(index: number, ids: string): string {
  return (
    `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ` +
    `${ids}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`
  );
}
