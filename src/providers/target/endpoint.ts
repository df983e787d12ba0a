/** A parsed endpoint. The `reason` of an invalid one is a complete sentence for the user. */
export type Endpoint =
  | {
      readonly type: 'endpoint';
      /** Absolute URL without a trailing slash, to which the wire appends its routes. */
      readonly url: string;
      /** Scheme, host and port. */
      readonly origin: string;
      /** The host is this machine. */
      readonly local: boolean;
      /** True for plain http to another machine, where a key could be intercepted. */
      readonly exposed: boolean;
    }
  | { readonly type: 'invalid'; readonly reason: string };

/** The form of the addresses of a wire. An endpoint is the part of an address that the wire appends its routes to. */
export interface AddressFormat {
  /** The path of an endpoint that has none. */
  readonly basePath: string;
  /** Ends of a pasted address that do not belong to an endpoint, removed in this order. */
  readonly routes: readonly RegExp[];
}

/** A host and a port, as servers print them, are an address of http. */
export function withScheme(text: string): string {
  return /^(?:\[[\da-f:]+\]|[\w.-]+):\d{1,5}(?:\/.*)?$/i.test(text) ? `http://${text}` : text;
}

/**
 * Parses an endpoint as users write it. Trailing slashes and the pasted route of the wire, such as
 * `/chat/completions`, are dropped; an address without a path gets that of the wire, such as `/v1`; any other path is
 * kept. So an API at the root of its server is written with its route: `http://localhost:8080/chat/completions`.
 */
export function readEndpoint(text: string, { basePath, routes }: AddressFormat): Endpoint {
  const example = `Write it like http://localhost:8080${basePath}`;
  const whole = withScheme(text);
  if (!URL.canParse(whole)) return { type: 'invalid', reason: `${JSON.stringify(text)} is not a URL. ${example}` };
  const url = new URL(whole);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return { type: 'invalid', reason: `${JSON.stringify(text)} starts with neither http:// nor https://. ${example}` };
  }
  if (url.username !== '' || url.password !== '') {
    return {
      type: 'invalid',
      reason: 'An endpoint cannot contain a user name or password. Put the key in an environment variable.',
    };
  }
  if (url.search !== '' || url.hash !== '') {
    // The message does not repeat this part, because it often contains a key.
    return {
      type: 'invalid',
      reason: `${url.origin}${url.pathname} is followed by a query or fragment. Remove it; a key belongs in an environment variable.`,
    };
  }
  const written = url.pathname.replace(/\/+$/, '');
  const path = routes.reduce((left, route) => left.replace(route, ''), written);
  const local = isThisMachine(url.hostname);
  return {
    type: 'endpoint',
    local,
    url: `${url.origin}${written === '' ? basePath : path}`,
    origin: url.origin,
    exposed: url.protocol === 'http:' && !local,
  };
}

/** True for a host name that stands for this machine. */
export function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
