import { createVirtualClock, type VirtualClock } from '../../mock-llm-server/delivery/clock.ts';

export type { VirtualClock as ManualClock } from '../../mock-llm-server/delivery/clock.ts';

/** The clock of `ybs/testing`, at a time of this century. */
export function createManualClock(start = Date.UTC(2026, 10, 20, 9, 0, 0)): VirtualClock {
  return createVirtualClock(start);
}
