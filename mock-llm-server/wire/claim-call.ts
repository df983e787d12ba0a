/** A tool call that waits for its result. `given`: its id came over the wire and was not made up while reading. */
export interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly given: boolean;
}

/**
 * Takes the call that a result answers out of `open`, for protocols whose results need not carry an id: the one with
 * the result's id, or else the first of its name. An id that no call has was made up by the client, so the name decides
 * then, but only among calls that came without an id.
 */
export function claimCall(
  open: OpenCall[],
  result: { readonly id: string | undefined; readonly name: string | undefined },
): OpenCall | undefined {
  const byId = open.findIndex((call) => call.id === result.id);
  const byName = open.findIndex((call) => call.name === result.name && (result.id === undefined || !call.given));
  const place = byId === -1 ? byName : byId;
  return place === -1 ? undefined : open.splice(place, 1)[0];
}
