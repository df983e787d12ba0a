/** The visible part of the workspace: its files, also git without committed content (`index`), or everything. */
export type WorkspaceView = 'files' | 'index' | 'repository';

/** One command line for the platform's shell, with its surroundings. */
export interface ShellCommand {
  readonly command: string;
  /** Absolute path. */
  readonly workingDirectory: string;
  /** The whole environment; nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** In the sandbox: the network, servers besides those of the configuration, sockets of this machine. */
  readonly network?: boolean;
  readonly hosts?: readonly string[];
  readonly localSockets?: boolean;
  /** In the sandbox: the command may change nothing of the workspace. */
  readonly readOnly?: boolean;
  /** In the sandbox: the command certainly only reads, and of these directories all files but those with secrets. */
  readonly searched?: readonly string[];
  /** In the sandbox: of the user's files, the command sees only this, read-only, without secrets and network. */
  readonly view?: WorkspaceView;
  readonly callId?: string;
}

/** One program to run without a shell, with its surroundings. */
export interface ProgramCommand extends Omit<ShellCommand, 'command' | 'callId'> {
  /** Absolute path. */
  readonly program: string;
  readonly args: readonly string[];
  /** The text on its standard input, which is a file, so that a program need not read it. */
  readonly input?: string;
}

/** One piece of output, in order of arrival. Invalid UTF-8 is replaced; characters are never split. */
export interface ShellOutput {
  readonly type: 'output';
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

/** A server that a sandboxed command asked for. */
export interface AskedHost {
  /** The name or the address as the command wrote it, in lower case. */
  readonly host: string;
  readonly port: number;
  /** The reason why it was refused. Absent: it was connected. */
  readonly refused?: string;
}

/** The way in which a command has ended. */
export interface CommandEnd {
  readonly cause: 'exited' | 'signalled' | 'timed_out' | 'aborted' | 'failed_to_start';
  /** Absent when a signal ended the command or it never started. */
  readonly exitCode?: number;
  readonly signal?: string;
  /** In the sandbox: the servers that the command asked for, with the answers. */
  readonly hosts?: readonly AskedHost[];
}

/** The end of a command. */
export interface ShellExit extends CommandEnd {
  readonly type: 'exit';
  /** Reason why the command could not be started. */
  readonly reason?: string;
  readonly durationMs: number;
  /** A background process outlived the command, or tried to; its output is lost. */
  readonly leftProcesses: boolean;
  /** In the sandbox: files that did not exist before the command, and that other programs run or follow. */
  readonly created?: readonly string[];
  /** In the sandbox: such files that have another content, or that are gone, although no command may change them. */
  readonly changed?: readonly string[];
  /** In the sandbox: files that the command has made or changed, and that are as they were before. */
  readonly putBack?: readonly PutBack[];
}

/** A file, as an absolute path, that was put back after a command, with the reason for people and for the model. */
export interface PutBack {
  readonly file: string;
  readonly reason: string;
}

/**
 * Runs commands and programs. Standard input is closed, except for a program with an `input`. The timeout also runs while
 * no output is read. At the timeout or abort the process group gets TERM, then KILL (after 2 s, or 500 ms at an abort). The
 * iteration ends with one `exit`, no process survives, also if it is left early, and memory is bounded. Never throws.
 */
export interface Shell {
  run(command: ShellCommand | ProgramCommand, signal: AbortSignal): AsyncIterable<ShellOutput | ShellExit>;
}

/** Limits of commands. `lacks`: missing ones, with reasons; `hosts`: servers in reach; `hidesHome`: but for programs. */
export interface SandboxOn {
  readonly type: 'on';
  readonly program: string;
  readonly lacks?: readonly string[];
  readonly hosts?: readonly string[];
  readonly hidesHome?: true;
}

/** `chosen`: the user turned it off, so that the permission mode alone decides. `advice` says how to turn it on. */
export type SandboxState =
  | SandboxOn
  | { readonly type: 'off'; readonly reason: string; readonly advice?: string; readonly chosen?: true };
