import type { Fault } from './fault-schema.ts';
import { digestOf } from './ids.ts';
import { seededRandom } from './seeded-random.ts';

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
