import { ModelError } from '../../core/errors.ts';
import type { WireOptions } from '../wire-options.ts';
import { classifyError, httpFailureOf } from './classify-error.ts';
import { type Failure, failureCode, failureMessage } from './failure.ts';
import { readRetryAfter } from './fetch-stream.ts';
import { watchSilence } from './watch-silence.ts';

/** A failure that a wire finds in an answer; it becomes a `ModelError`. */
export class FailedRequest extends Error {
  override readonly name = 'FailedRequest';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.type);
    this.failure = failure;
  }
}

/** One request to a provider, with its key and its timeout. */
export interface OpenRequest {
  /** Aborts when the caller aborts, when the server is silent for too long, and when the request is closed. */
  readonly signal: AbortSignal;
  /** Reads the key and returns the headers for it, after those of the user. Names are in lower case. */
  readHeaders(): Promise<Readonly<Record<string, string>>>;
  /** Replaces the key in a text. */
  redact(text: string): string;
  /** Restarts the watch for silence. */
  restart(): void;
  /** The error to throw for one that was caught: a `ModelError` without the key, or the reason of the caller's abort. */
  errorFor(error: unknown): unknown;
  /** Ends the request and its timers. */
  close(): void;
}

/** Opens a request, which the caller closes in `finally`. Throws when `signal` has aborted. */
export function openRequest(options: WireOptions, signal: AbortSignal): OpenRequest {
  signal.throwIfAborted();
  const { apiKey, keyHeader = 'authorization', clock, timeoutMs } = options;
  const request = new AbortController();
  const stop = (): void => request.abort();
  signal.addEventListener('abort', stop, { once: true });
  const silence = watchSilence(clock, timeoutMs, stop);
  let key: string | undefined;

  const redact = (text: string): string => (key === undefined ? text : text.replaceAll(key, '[key]'));
  const failureOf = (error: unknown): Failure => {
    if (silence.expired) return { type: 'silent', seconds: timeoutMs / 1000 };
    return error instanceof FailedRequest ? error.failure : classifyError(error, redact);
  };
  return {
    signal: request.signal,
    async readHeaders() {
      const entries = Object.entries(options.headers ?? {}).map(
        ([name, value]) => [name.toLowerCase(), value] as const,
      );
      key = typeof apiKey === 'function' ? await apiKey(request.signal) : apiKey;
      const bearer = keyHeader === 'authorization' ? 'Bearer ' : '';
      return { ...Object.fromEntries(entries), ...(key === undefined ? {} : { [keyHeader]: `${bearer}${key}` }) };
    },
    redact,
    restart: silence.restart,
    errorFor(error) {
      if (signal.aborted) return signal.reason;
      if (error instanceof ModelError) return error;
      const failure = failureOf(error);
      const text = redact(failureMessage(failure, options));
      const http = httpFailureOf(error);
      const retryAfterMs = http === undefined ? undefined : readRetryAfter(http, clock.now());
      return new ModelError(failureCode(failure, options), text, retryAfterMs === undefined ? {} : { retryAfterMs });
    },
    close() {
      silence.dispose();
      signal.removeEventListener('abort', stop);
      request.abort();
    },
  };
}
