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
