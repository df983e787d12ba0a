/**
 * What aborts when the client of a request has gone: the signal among the bindings, else the request's own. A `Request`
 * follows the signal it was made with by a weak reference, so that it may miss the abort once nobody else holds it; who
 * asks in process hands on the caller's.
 */
export function clientSignal(bindings: unknown, request: Request): AbortSignal {
  const given = typeof bindings === 'object' && bindings !== null && 'signal' in bindings ? bindings.signal : undefined;
  return given instanceof AbortSignal ? given : request.signal;
}
