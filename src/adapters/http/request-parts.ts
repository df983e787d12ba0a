type Fetch = typeof globalThis.fetch;

/** The proxies of the environment; `no` lists hosts that are reached without one. */
export interface Proxies {
  readonly http: string;
  readonly https: string;
  readonly no: string;
}

/** The parts of a request that `fetch` of this folder knows. Throws `TypeError` for a body that is not a text. */
export function requestParts(input: Parameters<Fetch>[0], init: RequestInit | undefined) {
  const { method = 'GET', headers, body, signal } = init ?? {};
  if (typeof input === 'object' && 'url' in input) throw new TypeError('the request must be a URL');
  if (typeof body !== 'string' && body !== undefined && body !== null) throw new TypeError('the body must be a text');
  return {
    url: new URL(String(input)),
    method,
    headers: Object.fromEntries(new Headers(headers)),
    body: body ?? null,
    signal: signal ?? null,
  };
}
