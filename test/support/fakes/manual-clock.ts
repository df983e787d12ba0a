import { createVirtualClock, type VirtualClock } from '../../../mock-llm-server/delivery/clock.ts';

/** A clock whose time passes only when a test advances it. */
export type { VirtualClock as ManualClock } from '../../../mock-llm-server/delivery/clock.ts';

/** The clock of `ybs/testing`, starting at a current date. */
export function createManualClock(start = Date.UTC(2026, 10, 20, 9, 0, 0)): VirtualClock {
  return createVirtualClock(start);
}
