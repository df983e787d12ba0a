import { STATUS_CODES } from 'node:http';
import type { StatusRequest, WireError } from './wire.ts';

/** The statuses for which the providers have their own messages. */
export const NATIVE_STATUSES = [400, 401, 403, 404, 408, 413, 429, 500, 502, 503, 529] as const;
/** A status for which the providers have their own messages. */
export type NativeStatus = (typeof NATIVE_STATUSES)[number];

/** The error of a provider for a status: its message, or the parts that differ from the defaults. */
type StatusError = string | (Pick<WireError, 'message'> & Partial<Pick<WireError, 'code' | 'errorType'>>);

/** Errors by status. Only one provider has the status 529; a table without it stands for a provider that sends 503. */
export type StatusErrors = Readonly<Record<Exclude<NativeStatus, 529>, StatusError> & { 529?: StatusError }>;

/** Seconds until a retry makes sense, in an error that states them although the fault does not. */
export const DEFAULT_RETRY_AFTER = 1;

/** The error of a provider for a status. A status that no provider documents has the message of HTTP. */
export function statusErrorFrom(errors: StatusErrors, request: StatusRequest): WireError {
  const { retryAfter } = request;
  const status = request.status === 529 && errors[529] === undefined ? 503 : request.status;
  const native = NATIVE_STATUSES.find((each) => each === status);
  const found = (native && errors[native]) ?? STATUS_CODES[status] ?? `Status ${status}`;
  return {
    type: 'error',
    status,
    code: null,
    ...(typeof found === 'string' ? { message: found } : found),
    ...(retryAfter !== undefined && { retryAfter }),
  };
}
