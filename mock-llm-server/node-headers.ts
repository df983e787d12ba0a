import { IncomingMessage } from 'node:http';

/**
 * The headers of a request that came through Node's HTTP server, with lower-case names; nothing for one that did not.
 * `env` is what the HTTP adapter hands to the app. Much cheaper than the `Headers` of a `Request`.
 */
export function nodeHeaders(env: unknown): Readonly<Record<string, string>> | undefined {
  if (typeof env !== 'object' || env === null || !('incoming' in env)) return undefined;
  if (!(env.incoming instanceof IncomingMessage)) return undefined;
  const { headers } = env.incoming;
  return holdsTexts(headers) ? headers : joinLists(headers);
}

/** Node joins the values of a repeated header itself, in all but this one. */
function holdsTexts(headers: NodeJS.Dict<string | string[]>): headers is Record<string, string> {
  return headers['set-cookie'] === undefined;
}

function joinLists(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) joined[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return joined;
}
