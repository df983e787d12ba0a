import type { WireError } from '../wire.ts';

const CODES: Readonly<Record<number, string>> = {
  401: 'unauthenticated',
  403: 'permission_denied',
  404: 'not_found',
  408: 'deadline_exceeded',
  429: 'resource_exhausted',
  502: 'unavailable',
  503: 'unavailable',
  504: 'deadline_exceeded',
};

export function encodeInteractionError({ status, code, message, errorType }: WireError): object {
  const fallback = CODES[status] ?? (status < 500 ? 'invalid_request' : 'internal');
  return { error: { message, code: errorType ?? code ?? fallback } };
}
