/** What an endpoint text stands for; `invalid` says why it stands for nothing, complete and for people. */
export type Endpoint =
  | {
      readonly type: 'endpoint';
      /** Absolute URL without a trailing slash; `/chat/completions` can be put behind it. */
      readonly url: string;
      /** Scheme, host and port. */
      readonly origin: string;
      /** Whether a key sent there can be read on the way: plain http to another machine. */
      readonly exposed: boolean;
    }
  | { readonly type: 'invalid'; readonly reason: string };

/**
 * Understands an endpoint as people write it. Slashes at the end and a pasted `/chat/completions` are dropped; an
 * address without a path gets `/v1`, any other path is taken as it is.
 */
export function readEndpoint(text: string): Endpoint {
  if (!URL.canParse(text)) return { type: 'invalid', reason: `${JSON.stringify(text)} is not a URL. ${EXAMPLE}` };
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return { type: 'invalid', reason: `${JSON.stringify(text)} starts with neither http:// nor https://. ${EXAMPLE}` };
  }
  if (url.username !== '' || url.password !== '') {
    return {
      type: 'invalid',
      reason: 'An endpoint holds no user name or password. Put the key in an environment variable.',
    };
  }
  if (url.search !== '' || url.hash !== '') {
    // Not repeated: what stands there is often a key.
    return {
      type: 'invalid',
      reason: `${url.origin}${url.pathname} has something behind its path. Leave out ? and #; a key belongs in an environment variable.`,
    };
  }
  const path = url.pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, '');
  return {
    type: 'endpoint',
    url: `${url.origin}${path === '' ? '/v1' : path}`,
    origin: url.origin,
    exposed: url.protocol === 'http:' && !isThisMachine(url.hostname),
  };
}

const EXAMPLE = 'Write it like http://localhost:11434/v1';

function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
