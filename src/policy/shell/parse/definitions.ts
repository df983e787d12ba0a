import type { Function as FunctionNode, ParsedScript, SyntaxNode } from 'unbash';
import type { Outcome } from '../directories.ts';

/** A function with the outcomes of its calls, by the directories where they begin. */
export interface Definition {
  readonly node: FunctionNode;
  readonly outcomes: Map<string, Outcome>;
  /** True if it holds for the rest of the command line, whatever runs before. */
  readonly isCertain: boolean;
  /** True while the body of a call is collected. */
  isRunning: boolean;
}

/** The commands of a script that always run, and in its own shell. */
export function certainDefinitions({ commands }: ParsedScript): ReadonlySet<SyntaxNode> {
  return new Set(commands.filter(({ background }) => background !== true).map(({ command }) => command));
}
