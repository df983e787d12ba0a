import type { Wire } from '../../src/providers/wires.ts';

/** A fault of ybs that is known and not yet repaired. It counts as a failure. */
export interface KnownFailure {
  readonly number: number;
  readonly what: string;
  /** The names of the checks that fail because of it. */
  readonly checks: readonly string[];
  readonly servers?: readonly string[];
  readonly wires?: readonly Wire[];
}

/** The known faults. A repair removes its row. */
export const KNOWN_FAILURES: readonly KnownFailure[] = [];

/** The known fault behind a failed check; undefined for a new one. */
export function knownFailure(server: string, wire: Wire, check: string): KnownFailure | undefined {
  return KNOWN_FAILURES.find(
    ({ checks, servers, wires }) =>
      checks.includes(check) &&
      (servers === undefined || servers.includes(server)) &&
      (wires === undefined || wires.includes(wire)),
  );
}
