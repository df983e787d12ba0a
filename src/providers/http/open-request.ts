import { ModelError } from '../../agent/errors.ts';
import type { Clock } from '../../agent/ports/clock.ts';
import type { Token, WireOptions } from '../wire-options.ts';
import { classifyError, httpFailureOf } from './classify-failure.ts';
import { FailedRequest, type Failure, failureCode, failureMessage } from './failure.ts';
import type { Fetch, FetchResponse } from './fetch-stream.ts';
import { readRetryAfter } from './retry-after.ts';

/** One request to a provider, with its key and its timeout. */
export interface OpenRequest {
  /** Aborts when the caller aborts, when the server is silent for too long, and when the request is closed. */
  readonly signal: AbortSignal;
  /**
   * Sends the headers of the user and the key besides those given, and follows one redirect within an origin. A token that a program
   * printed is read again once when the server answers 401, because it may have expired or been revoked since.
   */
  readonly send: Fetch;
  /** Replaces the key in a text. */
  redact(text: string): string;
  /** Restarts the watch for silence. */
  restart(): void;
  /** The error to throw for one that was caught: a `ModelError` without the key, or the reason of the caller's abort. */
  errorFor(error: unknown): unknown;
  /** Ends the request and its timers. */
  close(): void;
}

/** Length from which a key is a secret. A shorter one is a placeholder for a local server, and part of other words. */
const MIN_SECRET = 8;

/** Opens a request, which the caller closes in `finally`. Throws when `signal` has aborted. */
export function openRequest(options: WireOptions, signal: AbortSignal): OpenRequest {
  signal.throwIfAborted();
  const { apiKey, keyHeader = 'authorization', clock, timeoutMs } = options;
  const request = new AbortController();
  const stop = (): void => request.abort();
  signal.addEventListener('abort', stop, { once: true });
  const silence = watchSilence(clock, timeoutMs, stop);
  let token: Pick<Token, 'key'> | undefined;

  const redact = (text: string): string => {
    const { key = '' } = token ?? {};
    return key.length < MIN_SECRET ? text : text.replaceAll(key, '[key]');
  };
  const failureOf = (error: unknown): Failure => {
    if (silence.expired) return { type: 'silent', seconds: timeoutMs / 1000 };
    return error instanceof FailedRequest ? error.failure : classifyError(error, redact);
  };
  const attempt: Fetch = async (url, init) => {
    const entries = Object.entries(options.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const);
    const bearer = keyHeader === 'authorization' ? 'Bearer ' : '';
    const key = token === undefined ? {} : { [keyHeader]: `${bearer}${token.key}` };
    const headers = { ...init.headers, ...Object.fromEntries(entries), ...key };
    const fetch = options.fetch ?? globalThis.fetch;
    const sent = { ...init, headers, redirect: 'manual' } as const;
    const response = await fetch(url, sent);
    const target = movedTo(url, response);
    return target === undefined ? response : fetch(target, sent);
  };
  return {
    signal: request.signal,
    async send(url, init) {
      if (typeof apiKey === 'string') token = { key: apiKey };
      else token = await apiKey?.(request.signal);
      const response = await attempt(url, init);
      const refused = token?.key;
      if (response.status !== 401 || typeof apiKey !== 'function') return response;
      token = await apiKey(request.signal, refused);
      // A program that prints the same token again has no other one.
      return token.key === refused ? response : attempt(url, init);
    },
    redact,
    restart: silence.restart,
    errorFor(error) {
      if (signal.aborted) return signal.reason;
      if (error instanceof ModelError) return error;
      const failure = failureOf(error);
      const text = redact(failureMessage(failure, { ...options, ...token }));
      const answer = error instanceof FailedRequest ? error : httpFailureOf(error);
      const retryAfterMs = answer === undefined ? undefined : readRetryAfter(answer, clock.now());
      return new ModelError(failureCode(failure, options), text, retryAfterMs === undefined ? {} : { retryAfterMs });
    },
    close() {
      silence.dispose();
      signal.removeEventListener('abort', stop);
      request.abort();
    },
  };
}

/** The address to which a server moves a request as it is, within its origin, as with a slash at the end. */
function movedTo(url: string, { status, headers }: FetchResponse): string | undefined {
  const location = headers.get('location');
  if ((status !== 307 && status !== 308) || location === null || !URL.canParse(location, url)) return undefined;
  const { origin, href } = new URL(location, url);
  return origin === new URL(url).origin ? href : undefined;
}

/** Calls `onSilence` once, when `restart` has not been called for `ms`. Uses a single timer for all restarts. */
export function watchSilence(clock: Clock, ms: number, onSilence: () => void) {
  const timer = new AbortController();
  let last = clock.now();
  let expired = false;

  const watch = async (): Promise<void> => {
    for (let left = ms; left > 0; left = last + ms - clock.now()) await clock.sleep(left, timer.signal);
    expired = true;
    onSilence();
  };
  // It rejects only after `dispose`.
  watch().catch(() => {});

  return {
    /** Restarts the wait. */
    restart() {
      last = clock.now();
    },
    get expired() {
      return expired;
    },
    /** Ends the watch. */
    dispose: () => timer.abort(),
  };
}
