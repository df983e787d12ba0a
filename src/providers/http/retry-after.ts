/**
 * How long a response asks to wait, in milliseconds, from `retry-after-ms` or else `retry-after` (seconds or an HTTP
 * date). `undefined` when it does not ask, or asks for something nobody can understand. A date in the past is 0.
 */
export function readRetryAfter(headers: Headers, now: number): number | undefined {
  const milliseconds = headers.get('retry-after-ms')?.trim() ?? '';
  if (NUMBER.test(milliseconds)) return Math.ceil(Number(milliseconds));
  const after = headers.get('retry-after')?.trim() ?? '';
  if (NUMBER.test(after)) return Math.ceil(Number(after) * 1000);
  const date = Date.parse(after);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

const NUMBER = /^\d+(\.\d+)?$/;
