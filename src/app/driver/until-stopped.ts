/**
 * Runs work that a request to stop ends through `stop`. If it then rejects, the result is `stopped`, if given.
 */
export async function untilStopped<Result>(
  onStop: (listener: () => void) => () => void,
  work: (stop: AbortController) => Promise<Result>,
  stopped?: Result,
): Promise<Result> {
  const stop = new AbortController();
  const unsubscribe = onStop(() => stop.abort());
  try {
    return await work(stop);
  } catch (error) {
    if (stop.signal.aborted && stopped !== undefined) return stopped;
    throw error;
  } finally {
    unsubscribe();
  }
}
