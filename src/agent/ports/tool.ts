import type { Digest } from './digest.ts';
import type { FileProtection } from './file-system.ts';
import type { JsonObject, JsonValue } from './json.ts';
import type { ImageContent } from './messages.ts';
import type { CommandEnd, WorkspaceView } from './shell.ts';

/** The strongest effect of a tool. Calls of `read` tools run in parallel; the others may need an approval. */
export type ToolEffect = 'read' | 'write' | 'execute';

/** The description of a tool for the model. `parameters` is a JSON Schema of type object. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  readonly effect: ToolEffect;
}

/** A path that a planned call uses: as the model wrote it, and its real path (links resolved). */
export interface PathUse {
  readonly requested: string;
  readonly realPath: string;
  readonly access: 'read' | 'write';
}

/** The change of a planned write, as a unified diff with `/` in paths and LF line ends. */
export interface FileDiff {
  readonly path: string;
  readonly unified: string;
  readonly added: number;
  readonly removed: number;
}

/** The program of a planned call that runs one without a shell: its real path, and the JSON that it gets. */
export interface ProgramUse {
  readonly path: string;
  readonly input: string;
}

/** The effect of a call, fixed before the user is asked. It is what the user is shown, and what `run` does. */
export interface PlannedEffect {
  /** One line for people, without a trailing full stop: `edit src/sum.js (+1 −1)`. */
  readonly summary: string;
  readonly paths: readonly PathUse[];
  readonly command?: string;
  /** The plan that the user is asked to approve in plan mode. */
  readonly plan?: string;
  /** The files that a command names and reads. Absent unless it certainly only reads. */
  readonly reads?: readonly PathUse[];
  /** The links in the paths of the files that a command removes. */
  readonly links?: readonly PathUse[];
  /**
   * The files that a command overwrites, for people, of which nothing else has the content. None: it removes others.
   */
  readonly overwrites?: readonly string[];
  readonly program?: ProgramUse;
  /** The view of the workspace in which the command may run without a question; see `ShellCommand`. */
  readonly view?: WorkspaceView;
  /** The command has to write, although it looks like one that only reads. */
  readonly writes?: true;
  /** A call of a server: `start` is a command line that the user has not agreed to, `changed` says so of a tool. */
  readonly mcp?: Readonly<Record<'server' | 'input', string> & Partial<Record<'tool' | 'start', string>>> & {
    changed?: true;
  };
  readonly toolName?: string;
  /** Access that the sandbox otherwise denies: the network, these servers, and sockets of this machine. */
  readonly network?: true;
  readonly hosts?: readonly string[];
  readonly localSockets?: true;
  /** Real path of the directory a command or program runs in. */
  readonly workingDirectory?: string;
  readonly preview?: FileDiff;
  /** Digest of the file at the time of the plan; `run` fails when the file has another one. */
  readonly before?: Digest;
  /** Digest of the file after the call, if the plan fixes its content. */
  readonly after?: Digest;
  /** For changes of an existing file: it was read in this session and has not changed since. */
  readonly readThisSession?: boolean;
  /** For changes of an existing file: why the user must agree to its replacement in every permission mode. */
  readonly protection?: FileProtection;
  /** Verdict of the host's hook. The rules come first: it never allows what they deny. */
  readonly host?: { readonly verdict: 'allow' | 'ask' | 'deny'; readonly reason: string };
  /** The call leaves everything as it is, so it needs no approval; its paths are only read. */
  readonly unchanged?: true;
}

/** The vocabularies in which the built-in tools are offered to the model: that of ybs, and that of Claude Code. */
export const TOOL_DIALECTS = ['ybs', 'claude'] as const;

/** One of the vocabularies. */
export type ToolDialect = (typeof TOOL_DIALECTS)[number];

/** The id of a call and the signal that aborts it. */
export interface ToolContext {
  readonly callId: string;
  readonly signal: AbortSignal;
  /**
   * Lets other events happen, such as a Ctrl-C. Rejects with `AbortedError` as soon as `signal` aborts. A tool calls it
   * between the steps of long work.
   */
  pause(): Promise<void>;
}

/** The version of a file that a call has shown to the model or written. */
export interface FileRecord {
  readonly realPath: string;
  readonly digest: Digest;
}

/** Output of a running call, for people only; the model sees the result. */
export interface ToolProgress {
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

/** One task of the list that the model keeps for the user. `activeForm` says what is being done: `Fixing the sum`. */
export interface Task {
  readonly id?: string | undefined;
  readonly content: string;
  readonly status: 'pending' | 'in_progress' | 'completed';
  readonly activeForm?: string | undefined;
  /** ISO 8601; absent in lists of older versions. */
  readonly createdAt?: string | undefined;
  /** ISO 8601. */
  readonly completedAt?: string | undefined;
}

/** The result of a call. `content` is the text for the model. A command that exits non-zero is not an error. */
export interface ToolResult {
  readonly content: string;
  readonly isError: boolean;
  /** The reason of an error, for programs. */
  readonly code?: ToolErrorCode;
  /** Pictures for the model that belong to the content. */
  readonly images?: readonly ImageContent[];
  /** The task list that replaces the one of the session. */
  readonly tasks?: readonly Task[];
  /** The files that the model knows after this call; later changes of them need no other read. */
  readonly files?: readonly FileRecord[];
  /** The end of the command or the program that the call ran. */
  readonly exit?: CommandEnd;
  /** The structured answer of the run, which ends with it. */
  readonly answer?: JsonValue;
  /** One line for people: `42 lines`, `exit code 1 after 0.3 s`. */
  readonly summary: string;
  /** The content without what differs between equal calls, such as a duration, to detect repeated ones. Absent: all. */
  readonly comparable?: string;
}

/** Limits that a decision sets for a call. `inView`: a command runs in the view of its effect. */
export interface RunLimits {
  readonly inView?: boolean;
}

/** A planned call that has not run. `run` does what `effect` says or throws `ToolError`. */
export interface PlannedCall {
  readonly effect: PlannedEffect;
  run(limits?: RunLimits): AsyncGenerator<ToolProgress, ToolResult, void>;
}

/**
 * A tool. A call has three steps: `plan`, the decision (made elsewhere), and `run` of the planned call.
 *
 * Contract: `plan` has no side effects, checks the arguments, fixes paths, bytes and digests, and throws `ToolError`
 * with a text for the model. A run stops soon after `context.signal` aborts.
 */
export interface Tool {
  readonly definition: ToolDefinition;
  plan(args: unknown, context: ToolContext): Promise<PlannedCall>;
  /** The arguments with another command, which the user has typed. Absent: the tool runs no command of a shell. */
  withCommand?(args: unknown, command: string): unknown;
}

/**
 * The tools of a session. `find` also knows the names that other agents use; `nearest` is the name of the tool that an
 * unknown name most likely means.
 */
export interface ToolSet {
  readonly definitions: readonly ToolDefinition[];
  find(name: string): Tool | undefined;
  nearest(name: string): string | undefined;
}

/** The kinds of failure of a tool; the message of the error tells the model what to do next. */
export type ToolErrorCode =
  | 'invalid_arguments'
  | 'path_outside_workspace'
  | 'path_blocked'
  | 'not_found'
  | 'is_directory'
  | 'not_a_directory'
  | 'not_a_file'
  | 'binary_file'
  | 'too_large'
  | 'permission_denied'
  | 'no_space'
  | 'timed_out'
  | 'edit_not_found'
  | 'edit_ambiguous'
  | 'file_changed'
  | 'redaction_mark'
  | 'invalid_pattern'
  | 'io_error';
