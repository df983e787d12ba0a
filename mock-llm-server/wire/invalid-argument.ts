import type { WireError } from './wire.ts';

/** What Google says of a request that is at fault. `param` is the part of it. */
export function invalidArgument(message: string, param?: string): WireError {
  return { type: 'error', status: 400, code: null, message, ...(param !== undefined && { param }) };
}
