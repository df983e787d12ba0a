import { IncomingMessage } from 'node:http';

/**
 * The headers of a request that came through Node's HTTP server, with lower-case names; nothing for one that did not.
 * `env` is what the HTTP adapter hands to the app. Much cheaper than the `Headers` of a `Request`.
 */
export function nodeHeaders(env: unknown): Readonly<Record<string, string>> | undefined {
  const incoming: unknown = typeof env === 'object' && env !== null ? Reflect.get(env, 'incoming') : undefined;
  if (!(incoming instanceof IncomingMessage)) return undefined;
  const headers: Record<string, string> = {};
  for (const name in incoming.headers) {
    const value = incoming.headers[name];
    if (value !== undefined) headers[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return headers;
}
