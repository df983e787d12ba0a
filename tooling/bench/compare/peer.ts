/** A mock server under comparison, configured as its own documentation describes. */
export interface Peer {
  readonly name: string;
  /** Without a trailing slash. */
  readonly url: string;
  /** A second server with the same configuration. */
  readonly twin: string;
  /** A server that requires the API key `right-key`, if the peer can require one. */
  readonly guarded?: string;
  /** Two servers that fail about half of the requests, with the same seed if the peer has seeds. */
  readonly chaotic?: readonly [string, string];
  /** The prompts of a story in each way to write it; a peer has a behaviour if one of them shows it. */
  readonly ways: Readonly<Record<'three' | 'pair', readonly string[]>>;
  /** Path that shows the requests of one test. */
  journal(testId: string): string;
  /** Path that takes further entries, and the file with one for a prompt. */
  readonly entries: { readonly path: string; file(prompt: string, content: string): object };
  /** Answers a request in this process, without a port. */
  readonly fetch?: (input: string, init: RequestInit) => Promise<Response>;
  /** Starts a server that forwards requests without an entry to `upstream` and stores the answers. */
  readonly record?: (upstream: string) => Promise<{ readonly url: string; stop(): Promise<void> }>;
}

/** An answer over HTTP. `json` is undefined if the body is not JSON. */
export interface PeerAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: unknown;
}

/** The value at a path of a JSON value, or undefined. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value;
  for (const key of path) found = typeof found === 'object' && found !== null ? Reflect.get(found, key) : undefined;
  return found;
}

/** Sends an object as JSON, or a string unchanged. Rejects when the connection breaks. */
export async function post(url: string, body: object | string, headers: Readonly<Record<string, string>> = {}) {
  const version = url.includes('/messages') ? { 'anthropic-version': '2023-06-01' } : {};
  const defaults = { 'content-type': 'application/json', ...version };
  const init = {
    method: 'POST',
    headers: { ...defaults, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
  return readAnswer(await fetch(url, init));
}

/** Sends a request without a body. */
export async function get(url: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') {
  return readAnswer(await fetch(url, { method, headers }));
}

/** Reads a whole answer. */
export async function readAnswer(response: Response): Promise<PeerAnswer> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The JSON values of the `data:` lines of an event stream. */
export function dataOf(text: string): unknown[] {
  return [...text.matchAll(/^data: ?(.*)$/gm)].flatMap(([, data = '']) => parse(data) ?? []);
}
