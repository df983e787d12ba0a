import { type Chaos, chaosFault } from './chaos.ts';
import { createFaultCounter } from './fault-counter.ts';
import type { Fault } from './fault-schema.ts';
import { digestOf } from './ids.ts';

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
