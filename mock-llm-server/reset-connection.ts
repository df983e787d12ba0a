import { ServerResponse } from 'node:http';

/**
 * What resets the connection of a request, from the bindings that the HTTP adapter gives it; nothing for a request that
 * came over no connection. What was written before is sent before.
 */
export function connectionReset(bindings: unknown): (() => void) | undefined {
  if (typeof bindings !== 'object' || bindings === null || !('outgoing' in bindings)) return undefined;
  const { outgoing } = bindings;
  if (!(outgoing instanceof ServerResponse)) return undefined;
  // Writes are held back until the end of this turn.
  return () => void setImmediate(() => outgoing.socket?.resetAndDestroy());
}
