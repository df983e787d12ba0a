import type { Protocol } from './conversation.ts';

/** What a server notes of one request for an answer. Holds no header and no key. */
export interface ServedRequest {
  readonly protocol: Protocol;
  /** Without the query. */
  readonly path: string;
  /** Undefined for a request that could not be read. */
  readonly model: string | undefined;
  readonly stream: boolean;
  readonly status: number;
  /** The scenario that answered; undefined for the default response and for errors it did not ask for. */
  readonly scenario: string | undefined;
  /** Counted from 0. */
  readonly step: number | undefined;
  /** Why there was no answer. */
  readonly error: string | undefined;
  /** How the answer went wrong on purpose, and whether a step or chaos asked for it. */
  readonly fault?: string;
}

/** How many requests are kept; the oldest go first. */
export const MAX_KEPT_REQUESTS = 10_000;

/** Keeps the last requests. `requests` is the same array all the time. */
export function createRequestRecorder(): {
  readonly requests: readonly ServedRequest[];
  readonly record: (request: ServedRequest) => void;
} {
  const requests: ServedRequest[] = [];
  return {
    requests,
    record(request) {
      requests.push(request);
      if (requests.length > MAX_KEPT_REQUESTS) requests.shift();
    },
  };
}
