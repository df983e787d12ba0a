import { digestOf } from '../conversation/ids.ts';
import type { Fault } from '../scenario/fault-format.ts';

/** Numbers from 0 up to 1 that follow from the seed alone, a lower-case hexadecimal digest. */
export function seededRandom(seed: string): () => number {
  let state = Number.parseInt(seed.slice(0, 8), 16) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A fault for one request and where it comes from. */
export interface ChosenFault {
  readonly fault: Fault;
  readonly origin: 'step' | 'chaos';
}

/** What tells requests apart. `testId` is the header `x-test-id`, which keeps parallel tests from each other. */
export interface RequestKey {
  readonly digest: string;
  readonly testId: string | undefined;
}

/**
 * Chooses the fault of each request: the step's own, else one of chaos. A fault with `times` is over after so many
 * equal requests; counting them is the only thing that a server remembers.
 */
export function createFaultChooser(
  chaos?: Chaos,
): (own: Fault | undefined, key: RequestKey) => ChosenFault | undefined {
  const counter = createFaultCounter();
  return (own, { digest, testId = '' }) => {
    const fault = own ?? (chaos === undefined ? undefined : chaosFault(chaos, digest));
    if (fault === undefined) return undefined;
    const isOver = fault.times !== undefined && counter.next(digestOf(testId, digest)) >= fault.times;
    return isOver ? undefined : { fault, origin: own === undefined ? 'chaos' : 'step' };
  };
}

/** A fault in a line of the log: `fault status 429, times 1`. */
export function describeFault({ fault, origin }: ChosenFault): string {
  const parts = Object.entries(fault).map(([name, value]) => (value === true ? name : `${name} ${value}`));
  return `${origin === 'chaos' ? 'chaos' : 'fault'} ${parts.join(', ')}`;
}

/** Counts requests that were told apart by a key; forgets those not seen for longest beyond `capacity` of them. */
export interface FaultCounter {
  /** How often the key was seen before. */
  next(key: string): number;
}

const CAPACITY = 10_000;

/** A counter that has seen nothing. */
export function createFaultCounter(capacity = CAPACITY): FaultCounter {
  const counts = new Map<string, number>();
  return {
    next(key) {
      const count = counts.get(key) ?? 0;
      counts.delete(key);
      counts.set(key, count + 1);
      for (const oldest of counts.keys()) {
        if (counts.size <= capacity) break;
        counts.delete(oldest);
      }
      return count;
    },
  };
}

/** How many requests go wrong, from 0 to 1, and which ones: the same for the same seed. */
export interface Chaos {
  readonly rate: number;
  readonly seed: number;
}

/** Each is over after the first request, so that a client that tries again gets on. */
const FAULTS: readonly Fault[] = [
  { status: 429, retry_after: 0.1, times: 1 },
  { status: 500, times: 1 },
  { status: 503, times: 1 },
  { status: 529, times: 1 },
  { cut: 'before_finish', times: 1 },
  { reset: true, times: 1 },
  { malformed_chunk: true, times: 1 },
  { empty_answer: true, times: 1 },
];

/** The fault that chaos has for a request, if any. Pure; `digest` tells the request from others. */
export function chaosFault({ rate, seed }: Chaos, digest: string): Fault | undefined {
  const random = seededRandom(digestOf('chaos', String(seed), digest));
  if (random() >= rate) return undefined;
  return FAULTS[Math.floor(random() * FAULTS.length)];
}
