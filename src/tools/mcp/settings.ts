import type { Digest } from '../../agent/ports/digest.ts';
import type { ShellExit } from '../../agent/ports/shell.ts';

/** A server as the user has configured it. Exactly one of `command` and `url` is there. */
export interface McpEntry {
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  /** Variables besides those of every command. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Names of variables of the user that the server gets. */
  readonly environment?: readonly string[] | undefined;
  readonly url?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The client of OAuth that the user has registered for a server over HTTP; `scope`: the rights to ask for. */
  readonly oauth?:
    | {
        readonly client_id?: string | undefined;
        readonly client_secret?: string | undefined;
        readonly scope?: string | undefined;
        /** The address for the answer of the login page; without a port, at any free one. */
        readonly redirect_uri?: string | undefined;
        /** The issuer that the authorisation server names, if it is not the one that the server names. */
        readonly issuer?: string | undefined;
        /** The resource to ask for in place of that of the server; `''` is none. */
        readonly resource?: string | undefined;
      }
    | undefined;
  /** In the sandbox: the server may use the network. */
  readonly network?: boolean | undefined;
  /** In the sandbox: the hosts that the server may reach besides those of a command. */
  readonly hosts?: readonly string[] | undefined;
  /** In the sandbox: the server may open sockets of this machine. */
  readonly local_sockets?: boolean | undefined;
  /** In the sandbox: files and directories that the server may read or write besides those of a command. */
  readonly read?: readonly string[] | undefined;
  readonly write?: readonly string[] | undefined;
  /** Time for a start and for a call, in seconds. */
  readonly start_seconds?: number | undefined;
  readonly timeout_seconds?: number | undefined;
  /** The only tools that are offered, by the names of the server. */
  readonly tools?: readonly string[] | undefined;
  /** Calls that the server says only read need no question. */
  readonly trust_read_only?: boolean | undefined;
  readonly enabled?: boolean | undefined;
}

/** A server of a session, by its name. `project`: it comes from the files of the project, and its first start asks. */
export interface McpServerSettings {
  readonly name: string;
  readonly entry: McpEntry;
  readonly origin: 'user' | 'project';
  /** Digest of the entry; what is remembered of a server holds for it only. */
  readonly digest: Digest;
}

/** The process of a server. */
export interface ServerProcess {
  /** Writes one line to its standard input. Never throws: a process that has ended reads nothing. */
  write(line: string): void;
  /** Ends it with all that it started. Resolves when nothing is left. */
  end(): Promise<void>;
}

/** Events of the process of a server. */
export interface ServerEvents {
  line(text: string): void;
  /** A line of more than the limit was left out; its first and last characters. */
  tooLong(head: string, tail: string): void;
  stderr(text: string): void;
  /** The process has ended, or could not be started; `reason` is for people. */
  ended(reason: string): void;
}

/** The program of a server, with its surroundings. */
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
