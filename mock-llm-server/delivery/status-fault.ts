import type { Fault } from '../scenario/format/fault-format.ts';
import type { Wire, WireError } from '../wire/wire.ts';

/** The error that a fault sends instead of a reply, or in the middle of its stream. */
export interface StatusFault {
  readonly error: WireError;
  readonly headers: Readonly<Record<string, string>>;
}

const MILLISECONDS = 1000;

/** The error that a fault sends: that of the provider, with what the fault sets; undefined for a fault without a status. */
export function statusFaultOf(fault: Fault, wire: Pick<Wire, 'statusError'>, model: string): StatusFault | undefined {
  const { status, message, code, type: errorType, retry_after: retryAfter } = fault;
  if (status === undefined) return undefined;
  const error: WireError = {
    ...wire.statusError({ status, model, retryAfter }),
    ...(message !== undefined && { message }),
    ...(code !== undefined && { code }),
    ...(errorType !== undefined && { errorType }),
  };
  if (retryAfter === undefined) return { error, headers: {} };
  const milliseconds = Math.round(retryAfter * MILLISECONDS);
  return { error, headers: { 'retry-after': String(Math.ceil(retryAfter)), 'retry-after-ms': String(milliseconds) } };
}
