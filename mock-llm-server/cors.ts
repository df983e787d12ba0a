type Headers = Readonly<Record<string, string>>;

const LOOPBACK = /^https?:\/\/(?:localhost|[a-z0-9-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * Headers that let a page read an answer. Only pages of this machine may: otherwise every page could drive the
 * server of whoever visits it. `headers` are those of the request, with lower-case names.
 */
export function corsHeaders(headers: Headers): Headers {
  const { origin } = headers;
  if (origin === undefined) return {};
  if (!LOOPBACK.test(origin)) return { vary: 'origin' };
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': '*', vary: 'origin' };
}

/** Headers of the answer to a preflight request. */
export function preflightHeaders(headers: Headers): Headers {
  const allowed = corsHeaders(headers);
  if (allowed['access-control-allow-origin'] === undefined) return allowed;
  return {
    ...allowed,
    'access-control-allow-methods': 'GET, HEAD, POST, DELETE, OPTIONS',
    'access-control-allow-headers': headers['access-control-request-headers'] ?? '*',
    'access-control-max-age': '600',
    // A page of this machine may be another address space than the server.
    ...(headers['access-control-request-private-network'] === 'true' && {
      'access-control-allow-private-network': 'true',
    }),
  };
}
