/** @import { PageEvent } from '../../session/page-event.ts' */

/** Milliseconds between two attempts to reach the server. */
const RETRY_MS = 1000;

/** The token of the server, stored for this tab only. */
let token = '';

/** The id of this page, by which the server tells tabs apart. A page that is loaded again is another one. */
export const TAB = crypto.randomUUID();

/** The ids of this page and of the earlier pages of this tab. */
const tabs = new Set(/** @type {string[]} */ ([TAB]));

/**
 * True for the id of this page, or of one before it in this tab.
 *
 * @param {string | undefined} id
 */
export function isThisTab(id) {
  return id !== undefined && tabs.has(id);
}

/** Takes over the ids of the earlier pages of this tab. They are removed, so that a copy of the tab does not get them. */
export function takeTabs() {
  for (const id of recall('tabs').split(' ')) tabs.add(id);
  keep('tabs', '');
}

/** Stores the ids for the next page of this tab. */
export function keepTabs() {
  keep('tabs', [...tabs].join(' '));
}

/**
 * A text that this tab has stored, also before a reload.
 *
 * @param {string} name
 */
export function recall(name) {
  try {
    return sessionStorage.getItem(name) ?? '';
  } catch {
    return '';
  }
}

/**
 * Stores a text for this tab, if the browser allows it.
 *
 * @param {string} name
 * @param {string} text
 */
export function keep(name, text) {
  try {
    sessionStorage.setItem(name, text);
  } catch {
    // The page works without it.
  }
}

/** The part of the address with a token, or with a code for one. */
const ADDRESS = /^#([tl])=([\w-]+)$/;

/** The fragment of the address that the page has read. */
let fragment = '';

/** Reloads the page for the address of a restarted server, which differs only in the fragment. */
export function takeNewAddress() {
  if (ADDRESS.test(location.hash)) location.reload();
}

/**
 * Takes the token after `#t=` in the address or the one that the tab has stored, or exchanges the code after `#l=`, which
 * is valid once, for a token. Returns `undefined` if there is nothing to wait for.
 *
 * @returns {Promise<void> | undefined}
 */
function takeToken() {
  fragment = location.hash;
  const [, kind, given = ''] = ADDRESS.exec(fragment) ?? [];
  if (kind === 'l') return exchangeCode(given);
  token ||= given || recall('token');
  return undefined;
}

/** @param {string} code */
async function exchangeCode(code) {
  try {
    const answer = await request('login', { body: { code } });
    token = (await answer.json()).token;
  } catch {
    // If no token was kept, the next request is refused.
    token ||= recall('token');
  }
}

/**
 * Stores the token for this tab, and removes it from the address. An address that came meanwhile stays: the browser reports
 * it later, and the page is loaded again for it.
 */
export function keepToken() {
  keep('token', token);
  if (location.hash === fragment) history.replaceState(null, '', location.pathname);
}

/** The message of a page that cannot reach the server. */
export const LOST =
  'The connection to ybs is lost. The page connects again by itself; if ybs has ended, start it again.';

/** The server cannot be reached. The state of the connection is shown anyway. */
export class LostError extends Error {}

/**
 * Message of a thrown value.
 *
 * @param {unknown} error
 */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/** Aborts the stream of the session, which then starts again. */
let stream = new AbortController();

/** The server refused a request; the message gives its reason. */
export class RequestError extends Error {
  /**
   * @param {number} status
   * @param {string} message
   */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/**
 * Sends a request. Throws `LostError` without an answer, and `RequestError` unless the answer is a success.
 *
 * @param {string} path
 * @param {{ readonly body?: unknown, readonly signal?: AbortSignal }} [options]
 * @returns {Promise<Response>}
 */
export async function request(path, { body, signal } = {}) {
  const sent = fetch(path, {
    headers: {
      ...(token !== '' && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  });
  const answer = await sent.catch(() => {
    // The stream might not notice it for a long time.
    if (signal?.aborted !== true) stream.abort();
    throw new LostError(LOST);
  });
  if (answer.ok) return answer;
  const reason = await answer.json().catch(() => undefined);
  throw new RequestError(answer.status, reason?.error?.message ?? `The server answered with ${answer.status}.`);
}

/**
 * Receivers of the session.
 *
 * @typedef {object} Follower
 * @property {(server: number) => void} reset Everything shown is out of date; the session follows from its start. If
 *   `server` is not the one before, the queued messages are lost.
 * @property {(event: PageEvent, isNew: boolean) => void} event `isNew`: this page did not receive it before a reset.
 * @property {(state: 'open' | 'lost' | 'refused', message: string) => void} connection
 */

/**
 * Follows the session, and continues after the last event when the connection was lost. Ends when the server refuses the
 * token.
 *
 * @param {Follower} follower
 */
export async function follow(follower) {
  let last = '0';
  /** The highest number so far. */
  let newest = 0;
  const taking = takeToken();
  if (taking !== undefined) await taking;
  for (;;) {
    try {
      stream = new AbortController();
      const { body } = await request(`events?after=${last}&tab=${TAB}`, { signal: stream.signal });
      if (body === null) throw new Error('The response of the server has no body.');
      follower.connection('open', '');
      for await (const frame of readFrames(readTexts(body))) {
        if (frame.event === 'reset') follower.reset(JSON.parse(frame.data).server);
        const number = Number(frame.id ?? 0);
        if (frame.event === 'message') follower.event(JSON.parse(frame.data), number > newest);
        newest = Math.max(newest, number);
        last = frame.id ?? last;
      }
    } catch (error) {
      if (error instanceof RequestError && error.status === 401) {
        follower.connection('refused', error.message);
        return;
      }
    }
    follower.connection('lost', LOST);
    await waitToRetry();
  }
}

function waitToRetry() {
  return new Promise((resolve) => setTimeout(resolve, RETRY_MS));
}

/**
 * Loads modules of the page. Tries again while the server cannot be reached.
 *
 * @template Modules
 * @param {() => Promise<Modules>} load
 * @returns {Promise<Modules>}
 */
export async function untilLoaded(load) {
  for (;;) {
    try {
      return await load();
    } catch {
      await waitToRetry();
    }
  }
}

/**
 * The decoded chunks of a body. Not every browser can iterate over a body.
 *
 * @param {ReadableStream<Uint8Array>} body
 */
async function* readTexts(body) {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield decoder.decode(value, { stream: true });
  }
}

/**
 * Uses another token, which the user has typed with or without its address.
 *
 * @param {string} text
 */
export function useToken(text) {
  token = text.trim().replace(/^.*#t=/, '');
  keepToken();
}

/**
 * A frame of an event stream.
 *
 * @typedef {{ readonly event: string, readonly data: string, readonly id: string | undefined }} Frame
 */

/**
 * Reads the frames of an event stream. The frames of this server have one line of data each.
 *
 * @param {AsyncIterable<string>} chunks
 * @returns {AsyncGenerator<Frame, void, void>}
 */
export async function* readFrames(chunks) {
  let rest = '';
  for await (const chunk of chunks) {
    const parts = (rest + chunk).split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) yield readFrame(part);
  }
}

/**
 * @param {string} text
 * @returns {Frame}
 */
function readFrame(text) {
  /** @type {Map<string, string>} */
  const fields = new Map();
  for (const line of text.split('\n')) {
    const colon = line.indexOf(': ');
    fields.set(line.slice(0, colon), line.slice(colon + 2));
  }
  return { event: fields.get('event') ?? 'message', data: fields.get('data') ?? '', id: fields.get('id') };
}
