/** A mock server that behaviours are asked of, set up as its own documentation says. */
export interface Peer {
  readonly name: string;
  /** Without a slash at its end. */
  readonly url: string;
  /** A second server, set up alike. */
  readonly twin: string;
  /** A server that demands the API key `right-key`, where there is one. */
  readonly guarded?: string;
  /** Two servers that make about a half of the requests go wrong; with one seed, where there are seeds. */
  readonly chaotic?: readonly [string, string];
  /** The prompts of a story in every way there is to state it; a behaviour is there if it is there in one of them. */
  readonly ways: Readonly<Record<'three' | 'pair', readonly string[]>>;
  /** Where the requests of one test are shown. */
  journal(testId: string): string;
  /** Answers a request in this process, without a port. */
  readonly fetch?: (input: string, init: RequestInit) => Promise<Response>;
  /** Starts a server that asks `upstream` what it has no answer for, and keeps the answer. */
  readonly record?: (upstream: string) => Promise<{ readonly url: string; stop(): Promise<void> }>;
}

/** An answer over HTTP; `json` is undefined where the body is none. */
export interface PeerAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: unknown;
}

/** The value at a path of a JSON value, undefined where there is none. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value;
  for (const key of path) found = typeof found === 'object' && found !== null ? Reflect.get(found, key) : undefined;
  return found;
}

/** Sends JSON, or what is no object as it is. Rejects where the connection breaks. */
export async function post(url: string, body: object | string, headers: Readonly<Record<string, string>> = {}) {
  const own = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' };
  const init = {
    method: 'POST',
    headers: { ...own, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
  return readAnswer(await fetch(url, init));
}

/** Asks for what is at a URL. */
export async function get(url: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') {
  return readAnswer(await fetch(url, { method, headers }));
}

/** Reads an answer to its end. */
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
