import type { AgentDefinition } from './agent-file.ts';
import type { MarkdownCommand } from './command-file.ts';

/** The agents and commands in Markdown files, sorted by name, and one line for each file that cannot be used. */
export interface Extensions {
  readonly agents: readonly AgentDefinition[];
  readonly commands: readonly MarkdownCommand[];
  /** The reasons for which files of commands cannot be used, by the names that the commands would have. */
  readonly unusedCommands: ReadonlyMap<string, string>;
  readonly problems: readonly string[];
}
