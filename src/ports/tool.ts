import type { Digest } from './digest.ts';
import type { JsonObject } from './json.ts';

/** What a tool may do to the world; decides what runs side by side and what is asked about. */
export type ToolEffect = 'read' | 'write' | 'execute';

/** What the model is told about a tool. `parameters` is a JSON Schema of type object. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  readonly effect: ToolEffect;
}

/** A path that a planned call touches: as the model wrote it, and the real path it stands for (links resolved). */
export interface PathUse {
  readonly given: string;
  readonly realPath: string;
  readonly access: 'read' | 'write';
}

/** The change a planned write makes, as a unified diff with `/` in paths and LF line ends. */
export interface FileDiff {
  readonly path: string;
  readonly unified: string;
  readonly added: number;
  readonly removed: number;
}

/**
 * What a call is going to do, fixed before anybody is asked. The user is shown this and nothing else, and `run` does
 * this and nothing else.
 */
export interface PlannedEffect {
  /** One line for people, without a trailing full stop: `edit src/sum.js (+1 −1)`. */
  readonly summary: string;
  readonly paths: readonly PathUse[];
  readonly command?: string;
  /** Real path of the directory a command runs in. */
  readonly workingDirectory?: string;
  readonly preview?: FileDiff;
  /** Digest of the file as it was planned against; `run` fails when the file no longer has it. */
  readonly before?: Digest;
  /** For changes of an existing file: it was read in this session and has not changed since. */
  readonly readThisSession?: boolean;
}

/** What one call is given beside its plan. */
export interface ToolContext {
  readonly callId: string;
  readonly signal: AbortSignal;
}

/** Output of a running call, for people only; the model sees the result. */
export interface ToolProgress {
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

/** The end of a call. `content` is the text the model reads. A command that exits non-zero is not an error. */
export interface ToolResult {
  readonly content: string;
  readonly isError: boolean;
  /** One line for people: `42 lines`, `exit code 1 after 0.3 s`. */
  readonly summary: string;
}

/**
 * A tool in three steps: `plan`, a decision made elsewhere, `run`.
 *
 * Contract: `plan` has no side effects, checks the arguments, fixes paths, bytes and digests, and throws `ToolError`
 * with a text for the model. `run` does what the plan says or throws `ToolError`; it stops soon after
 * `context.signal` aborts.
 */
export interface Tool<Plan extends PlannedEffect = PlannedEffect> {
  readonly definition: ToolDefinition;
  plan(args: unknown, context: ToolContext): Promise<Plan>;
  run(plan: Plan, context: ToolContext): AsyncGenerator<ToolProgress, ToolResult, void>;
}

/** A planned call that knows how to run itself, whatever its tool's plan looks like. */
export interface PreparedCall {
  readonly effect: PlannedEffect;
  run(): AsyncGenerator<ToolProgress, ToolResult, void>;
}

/** A tool with the type of its plan hidden, so that tools of different plans fit in one list. */
export interface AnyTool {
  readonly definition: ToolDefinition;
  prepare(args: unknown, context: ToolContext): Promise<PreparedCall>;
}

/** The tools of a session. `find` also understands names other agents use; `nearest` helps with a name nobody knows. */
export interface ToolSet {
  readonly definitions: readonly ToolDefinition[];
  find(name: string): AnyTool | undefined;
  nearest(name: string): string | undefined;
}

/** What went wrong in a tool, by kind; the text beside it tells the model what to do next. */
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
  | 'edit_not_found'
  | 'edit_ambiguous'
  | 'file_changed'
  | 'invalid_pattern'
  | 'io_error';
