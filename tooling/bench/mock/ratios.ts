import { type Burst, type Cost, sendBurst } from './load-client.ts';
import type { Running } from './servers.ts';

/** Ratios of costs, one per round. `cpu` is empty on systems without /proc. */
export interface Ratios {
  readonly cpu: number[];
  readonly wall: number[];
  /** CPU time per request of the measured server, in microseconds. */
  readonly microseconds: number[];
}

/** A server and the burst that is sent to it. */
export interface Side {
  readonly server: Running;
  readonly burst: Burst;
}

/** Bursts that do not count, because the first ones include the compilation of the code. */
const WARM_UP_BURSTS = 3;

/**
 * Cost of each side divided by the cost of `base`. Each burst of a side runs between two bursts of the base and is
 * compared with their mean, so that other load of the machine affects both.
 */
export async function measureRatios(base: Side, sides: readonly Side[], rounds: number): Promise<readonly Ratios[]> {
  for (let time = 0; time < WARM_UP_BURSTS; time += 1) {
    for (const { server, burst } of [base, ...sides]) await sendBurst(server, burst);
  }
  const measured = sides.map((side) => ({ ...side, ratios: { cpu: [], wall: [], microseconds: [] } as Ratios }));
  let before = await sendBurst(base.server, base.burst);
  for (let round = 0; round < rounds; round += 1) {
    for (const { server, burst, ratios } of measured) {
      const cost = await sendBurst(server, burst);
      const after = await sendBurst(base.server, base.burst);
      addRatios(ratios, cost, [before, after]);
      before = after;
    }
  }
  return measured.map(({ ratios }) => ratios);
}

function addRatios(ratios: Ratios, cost: Cost, [before, after]: readonly [Cost, Cost]): void {
  ratios.wall.push((2 * cost.wall) / (before.wall + after.wall));
  if (cost.cpu === undefined || before.cpu === undefined || after.cpu === undefined) return;
  ratios.cpu.push((2 * cost.cpu) / (before.cpu + after.cpu));
  ratios.microseconds.push(cost.cpu);
}
