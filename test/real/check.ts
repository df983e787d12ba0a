import type { MarkupName } from '../../mock-llm-server/weights/markups/markups.ts';
import type { LiveServer } from '../../tooling/real/live-server.ts';
import type { Address } from '../../tooling/real/real-server.ts';

/** The surroundings of one check. */
export interface World {
  /** The name of the server. */
  readonly server: string;
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
  /** A new directory, removed after the check. */
  readonly temporary: string;
  /**
   * Starts another instance of the server for this check alone, which stops it, with a smaller window or a
   * model in another markup if that is given.
   * Throws `NotRun` for a server that takes long to start.
   */
  another(options?: {
    readonly window?: number;
    readonly markup?: MarkupName;
  }): Promise<LiveServer & { readonly address: Address }>;
}

/** One behaviour of the built ybs with a real server. */
export interface Check {
  /** The behaviour, in a few words: a row of the table. */
  readonly name: string;
  /** Rejects when ybs behaves otherwise. */
  run(world: World): Promise<void>;
}

/** The reason why a check cannot run with a server. Such a check counts neither as passed nor as failed. */
export class NotRun extends Error {}
