import type { KnownAgent } from '../../src/stories/agents/known-agents.ts';

/** An agent that npm installs. */
export interface AgentPackage {
  /** Name of the product; its section in docs/agents.md has the same title. */
  readonly title: string;
  readonly name: string;
  readonly version: string;
  /** The command that the package installs. */
  readonly bin: string;
  /** True if the agent works only after its install script has run. */
  readonly needsInstallScript: boolean;
  /** True if the agent would download ripgrep from another host to search files. */
  readonly needsRipgrep?: boolean;
  /** True if its optional dependencies are large and not needed. */
  readonly omitsOptional?: boolean;
}

/** A configuration of an agent with the package that installs it. */
export interface AgentRun extends KnownAgent {
  readonly agent: AgentPackage;
}

/** The shell commands of a run; the shell has the variables BASE and PROMPT. */
export function shellCommand({ agent, environment, before, args }: AgentRun): string {
  const assignments = Object.entries(environment).map(([name, value]) => `${name}=${quote(value)}`);
  const commands = [...(before === undefined ? [] : [before]), args];
  return commands
    .map((words) => [...assignments, [agent.bin, ...words.map(quote)].join(' ')].join(' \\\n  '))
    .join('\n');
}

function quote(word: string): string {
  return /\$/.test(word) ? `"${word}"` : word;
}
