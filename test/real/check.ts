import type { MarkupName } from '../../mock-llm-server/weights/markups/markups.ts';
import type { Address } from '../../tooling/real/real-server.ts';

/** The surroundings of one check. */
export interface World {
  readonly address: Address;
  /** The other wires of the same server, with the same model. */
  readonly others: readonly Address[];
  /** The window that the server has loaded. Throws `NotRun` for a gateway that states none. */
  window(): number;
  /** The mock with the same scenarios, over the same wire. */
  readonly mock: Address;
  /** The names of the stories of this project that are compiled as a whole. */
  readonly stories: readonly string[];
  /** Starts the mock with scenarios, for this check alone. */
  mockOf(scenarios: string): Promise<Address>;
  /** True if a known fact about the server explains how a part of the check differs; the table then names the fact. */
  isFact(part: string, difference: string): boolean;
  /** A new directory, removed after the check. */
  readonly temporary: string;
  /**
   * An instance of the server that a check may kill; the next check starts it again. Throws `NotRun` for all servers
   * behind a gateway but one.
   */
  spare(): Promise<{ readonly address: Address; kill(): Promise<void> }>;
  /** The address of an instance with another window or markup, which other checks use, too. */
  variant(options: Variant): Promise<Address>;
}

/** Options of a server that differ from those of most checks. */
export interface Variant {
  readonly window?: number;
  readonly markup?: MarkupName;
}

/** One behaviour of the built ybs with a real server. */
export interface Check {
  /** The behaviour, in a few words: a row of the table. */
  readonly name: string;
  /** True if it kills the spare server, so that no other wire can use it at the same time. */
  readonly killsServer?: true;
  /** Rejects when ybs behaves otherwise. */
  run(world: World): Promise<void>;
}

/** The reason why a check cannot run with a server. Such a check counts neither as passed nor as failed. */
export class NotRun extends Error {}
