import type * as z from 'zod';
import type { Digest } from '../../agent/ports/digest.ts';
import type { ShellExit } from '../../agent/ports/shell.ts';
import type { mcpEntrySchema } from '../../schema/mcp-entry.ts';

type Frozen<Value> = {
  readonly [Key in keyof Value]: Value[Key] extends object | undefined ? Frozen<Value[Key]> : Value[Key];
};

/** A server as the user has configured it. Exactly one of `command` and `url` is there. */
export type McpEntry = Frozen<z.output<ReturnType<typeof mcpEntrySchema>>>;

/** A server of a session, by its name. `project`: it comes from the files of the project, and its first start asks. */
export interface McpServerSettings {
  readonly name: string;
  readonly entry: McpEntry;
  readonly origin: 'user' | 'project';
  /** Digest of the entry; what is remembered of a server holds for it only. */
  readonly digest: Digest;
}

export interface ServerProcess {
  /** Writes one line to its standard input. Never throws: a process that has ended reads nothing. */
  write(line: string): void;
  /** Ends it with all that it started. Resolves when nothing is left. */
  end(): Promise<void>;
}

export interface ServerEvents {
  line(text: string): void;
  /** A line of more than the limit was left out; its first and last characters. */
  tooLong(head: string, tail: string): void;
  stderr(text: string): void;
  /** The process has ended, or could not be started; `reason` is for people. */
  ended(reason: string): void;
}

export interface ServerProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute path. */
  readonly workingDirectory: string;
  /** The whole environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly network: boolean;
  /** In the sandbox: the hosts that it may reach without the network. */
  readonly hosts: readonly string[];
  readonly localSockets: boolean;
  /** In the sandbox: absolute paths that it may read, and those that it may write. */
  readonly read: readonly string[];
  readonly write: readonly string[];
}

/** Files of the workspace that other programs run or follow, and that are new or changed. */
export type GuardedChanges = Pick<ShellExit, 'created' | 'changed'>;

/** Starts a server, in the sandbox if there is one. Rejects with the reason for people. */
export interface StartServer {
  (program: ServerProgram, events: ServerEvents): Promise<ServerProcess>;
  readonly isConfined?: boolean;
  /** The changes since the first server was started in the sandbox, or since the last call. */
  readonly guardedChanges?: () => Promise<GuardedChanges>;
}
