import type { AgentEvent } from '../ports/events.ts';
import type { ToolDefinition } from '../ports/tool.ts';

/** One session of the agent: what the terminal, the headless mode and the story runner drive. */
export interface Agent {
  /** Provider and model as people name them: `mock/mock-model`. */
  readonly model: string;
  /** Real path of the workspace. */
  readonly workspace: string;
  readonly permissionMode: string;
  readonly tools: readonly ToolDefinition[];
  /**
   * Runs one user request to its `run_end`, which is the last event. One run at a time. Aborting `signal` ends the run
   * with outcome `aborted`; the next run starts from a valid history.
   */
  run(prompt: string, signal: AbortSignal): AsyncGenerator<AgentEvent, void, void>;
  /**
   * Runs a command that the user typed as `!command`, in `workingDirectory`. Yields its output as it comes and returns
   * the text that is then given to `run` as the user's message. A command on the block list is refused in that text.
   */
  runUserCommand(
    command: string,
    workingDirectory: string,
    signal: AbortSignal,
  ): AsyncGenerator<{ readonly stream: 'stdout' | 'stderr'; readonly text: string }, string, void>;
  /** Forgets the conversation, the files read and the session's permission rules. */
  clear(): void;
}
