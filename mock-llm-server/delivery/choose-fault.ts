import { digestOf } from '../conversation/ids.ts';
import type { Fault } from '../scenario/format/fault-format.ts';

/** A generator of numbers from 0 (inclusive) to 1 (exclusive), seeded by a hexadecimal digest. */
export function seededRandom(seed: string): () => number {
  let state = Number.parseInt(seed.slice(0, 8), 16) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The fault of one request and its origin. */
export interface ChosenFault {
  readonly fault: Fault;
  readonly origin: 'step' | 'chaos';
}

/** Identifies a request. `testId` is the header `x-test-id`, which separates parallel tests. */
export interface RequestKey {
  readonly digest: string;
  readonly testId: string | undefined;
}

/**
 * Returns a function that chooses the fault of each request: that of the step, otherwise one of chaos. A fault with
 * `times` applies to that many equal requests; counting them is the only state of a server.
 */
export function createFaultChooser(
  chaos?: Chaos,
): (stepFault: Fault | undefined, key: RequestKey) => ChosenFault | undefined {
  const countEarlier = createKeyCounter();
  return (stepFault, { digest, testId = '' }) => {
    const fault = stepFault ?? (chaos === undefined ? undefined : chaosFault(chaos, digest));
    if (fault === undefined) return undefined;
    const isUsedUp = fault.times !== undefined && countEarlier(digestOf(testId, digest)) >= fault.times;
    return isUsedUp ? undefined : { fault, origin: stepFault === undefined ? 'chaos' : 'step' };
  };
}

/** Text of a fault for the log: `fault status 429, times 1`. */
export function describeFault({ fault, origin }: ChosenFault): string {
  const parts = Object.entries(fault).map(([name, value]) => {
    if (value === true) return name;
    return `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`;
  });
  return `${origin === 'chaos' ? 'chaos' : 'fault'} ${parts.join(', ')}`;
}

const MAX_KEYS = 10_000;

/** Returns a function that counts its earlier calls with a key. Beyond `maxKeys` it forgets the least recent key. */
export function createKeyCounter(maxKeys = MAX_KEYS): (key: string) => number {
  const counts = new Map<string, number>();
  return (key) => {
    const count = counts.get(key) ?? 0;
    counts.delete(key);
    counts.set(key, count + 1);
    const [oldest] = counts.keys();
    if (counts.size > maxKeys && oldest !== undefined) counts.delete(oldest);
    return count;
  };
}

/** The fraction of requests to fail, from 0 to 1. Equal seeds fail equal requests. */
export interface Chaos {
  readonly rate: number;
  readonly seed: number;
}

/** The faults of chaos. Each applies once, so that a client that retries gets its answer. */
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

/** The fault that chaos chooses for a request, if any. `digest` identifies the request. Pure. */
export function chaosFault({ rate, seed }: Chaos, digest: string): Fault | undefined {
  const random = seededRandom(digestOf('chaos', String(seed), digest));
  if (random() >= rate) return undefined;
  return FAULTS[Math.floor(random() * FAULTS.length)];
}
