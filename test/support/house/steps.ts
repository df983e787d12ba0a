import type { Steps } from '../../../src/text/steps.ts';

/** The number of pauses that work makes. */
export function countSteps(steps: Steps<unknown>): number {
  let count = 0;
  while (steps.next().done !== true) count++;
  return count;
}
