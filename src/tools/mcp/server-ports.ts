import type { Transport } from '@modelcontextprotocol/client';
import type { JsonObject } from '../../agent/ports/json.ts';
import type { Remembered } from './memory/memory.ts';
import type { FormAsker } from './questions/forms.ts';
import type { StartServer } from './settings.ts';

/** Listener of what a server says besides the protocol. */
export interface Heard {
  stray(text: string): void;
  stderr(text: string): void;
  /** Its process has ended; `reason` is for people. */
  ended(reason: string): void;
  /** The server has answered the question for its revisions, perhaps after the library has ceased to wait. */
  discovered(result: JsonObject): void;
  /** Aborts when the session ends. */
  readonly over: AbortSignal;
}

/** Opens a connection to the server, which tells what it says besides the protocol. Rejects with a reason for people. */
export type OpenConnection = (heard: Heard) => Promise<Transport>;

/** Ports of a server. */
export interface McpServerPorts {
  readonly open: OpenConnection;
  readonly version: string;
  /** Stores what is remembered. */
  readonly remember: (remembered: Remembered) => Promise<void>;
  readonly guardedChanges: StartServer['guardedChanges'];
  /** A space and a sentence about what the sandbox hides from this server or denies it; may be empty. */
  readonly hint: string;
  /** Asks the user. Absent: nobody can answer. */
  readonly forms: FormAsker | undefined;
}
