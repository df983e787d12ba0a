import { vi } from 'vitest';

/** SDKs wait up to this long before they send a request again; their timeouts are longer. */
const LONGEST_BACKOFF_MS = 5_000;

/** Runs work without the waits before a request is sent again. */
export async function withoutBackoff<Value>(work: () => Promise<Value>): Promise<Value> {
  const { setTimeout } = globalThis;
  const quick = (callback: () => void, delay = 0): NodeJS.Timeout =>
    setTimeout(callback, delay > LONGEST_BACKOFF_MS ? delay : 0);
  vi.stubGlobal('setTimeout', Object.assign(quick, setTimeout));
  try {
    return await work();
  } finally {
    vi.unstubAllGlobals();
  }
}
