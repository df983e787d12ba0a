import type { Transport } from '@modelcontextprotocol/client';
import type { Heard } from './connection/stdio-transport.ts';
import type { Remembered } from './memory/memory.ts';
import type { FormAsker } from './questions/forms.ts';
import type { StartServer } from './settings.ts';

/** Opens a connection to the server, which tells what it says besides the protocol. Rejects with a reason for people. */
export type OpenConnection = (heard: Heard) => Promise<Transport>;

/** Ports of a server. */
export interface McpServerPorts {
  readonly open: OpenConnection;
  readonly version: string;
  /** Stores what is remembered. */
  readonly remember: (remembered: Remembered) => Promise<void>;
  /** See `StartServer`. */
  readonly guardedChanges?: StartServer['guardedChanges'] | undefined;
  /** A sentence about what the sandbox may lack for this server. */
  readonly hint?: string | undefined;
  /** Asks the user. Absent: nobody can answer. */
  readonly forms?: FormAsker | undefined;
}
