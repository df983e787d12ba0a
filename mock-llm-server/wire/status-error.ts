import type { FaultStatus, StatusRequest, WireError } from './wire.ts';

/** The error of a provider for a status, in its words: its message, or the parts that differ from the defaults. */
type StatusError = string | (Pick<WireError, 'message'> & Partial<Pick<WireError, 'code' | 'errorType'>>);

/** Errors by status. Only one provider has the status 529; a table without it stands for a provider that sends 503. */
export type StatusErrors = Readonly<Record<Exclude<FaultStatus, 529>, StatusError> & { 529?: StatusError }>;

/** Seconds until a retry makes sense, in an error that states them although the fault does not. */
export const DEFAULT_RETRY_AFTER = 1;

/** The error of a provider for a status. */
export function statusErrorFrom(errors: StatusErrors, { status, retryAfter }: StatusRequest): WireError {
  const own = status === 529 ? errors[529] : errors[status];
  const found = own ?? errors[503];
  return {
    type: 'error',
    status: own === undefined ? 503 : status,
    code: null,
    ...(typeof found === 'string' ? { message: found } : found),
    ...(retryAfter !== undefined && { retryAfter }),
  };
}
