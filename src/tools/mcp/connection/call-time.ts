import { ToolError } from '../../../agent/errors.ts';

/** A server that reports progress may take this many times as long. */
const MAX_EXTENSION = 10;

/**
 * Makes a call that ends after `seconds` without progress, and after ten times as long in all. While `isAsking`, the time of the
 * user does not count. Rejects with a `ToolError` that names the limit, or as the call does.
 */
export async function withinCallTime<Result>(
  seconds: number,
  isAsking: () => boolean,
  signal: AbortSignal,
  call: (signal: AbortSignal, onprogress: () => void) => Promise<Result>,
): Promise<Result> {
  const over = new AbortController();
  const timer = (limit: number, reason: string) => {
    let timeout: ReturnType<typeof setTimeout> | undefined;
    const restart = (): void => {
      clearTimeout(timeout);
      const end = (): void => (isAsking() ? restart() : over.abort(new ToolError('timed_out', reason)));
      timeout = setTimeout(end, limit * 1_000);
    };
    restart();
    return { restart, stop: () => clearTimeout(timeout) };
  };
  const quiet = timer(seconds, `it timed out after ${seconds} s without progress (timeout_seconds of its entry)`);
  const total = seconds * MAX_EXTENSION;
  const whole = timer(
    total,
    `it timed out after ${total} s in all, ten times timeout_seconds, although it reported progress`,
  );
  try {
    return await call(AbortSignal.any([signal, over.signal]), quiet.restart);
  } catch (error) {
    throw over.signal.aborted && !signal.aborted ? over.signal.reason : error;
  } finally {
    quiet.stop();
    whole.stop();
  }
}
