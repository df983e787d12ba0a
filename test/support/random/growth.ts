/** Maximum growth of the work for four times the input: between 4 (linear) and 16 (quadratic). */
const MAX_GROWTH = 8;
/** Processor time below which compilation and garbage collection hide the growth, in milliseconds. */
const NOISE_MS = 2;
const ATTEMPTS = 3;

/**
 * Throws unless the work of `task` grows linearly with the size of its input: it runs with `size` and with four times
 * `size`. The work is the processor time of this thread, which does not pass while other threads and programs run. One
 * of a few attempts must show linear growth, because the first ones compile the code.
 */
export function expectLinearWork(size: number, task: (size: number) => unknown): void {
  let attempts = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const first = workOf(() => task(size));
    const large = workOf(() => task(4 * size));
    const small = Math.min(
      first,
      workOf(() => task(size)),
    );
    if (large < MAX_GROWTH * Math.max(small, NOISE_MS)) return;
    attempts += `${attempts === '' ? '' : ', '}${small.toFixed(1)} ms and ${large.toFixed(1)} ms`;
  }
  throw new Error(`the work does not grow linearly; size ${size} and ${4 * size} took ${attempts}`);
}

function workOf(task: () => unknown): number {
  const before = process.threadCpuUsage();
  task();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
