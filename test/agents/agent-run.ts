import type { Protocol } from '../../mock-llm-server/conversation/conversation.ts';

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
}

/**
 * Configuration of an agent for the mock server over one protocol. In every text `$BASE` stands for the address of the
 * server, `$HOME` for the home directory and `$PROMPT` for the prompt of the user.
 */
export interface AgentRun {
  /** Unique: the agent, and the protocol if it speaks several. */
  readonly name: string;
  readonly agent: AgentPackage;
  readonly protocol: Protocol;
  /** Contents of its configuration files, by their paths in the home directory. */
  readonly files: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string>>;
  /** Arguments of a run of the same command that prepares the other. */
  readonly before?: readonly string[];
  readonly args: readonly string[];
  /** A sentence about the run for docs/agents.md. */
  readonly note?: string;
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

/** The run with values in place of `$BASE`, `$HOME` and `$PROMPT`. */
export function fillRun(run: AgentRun, values: Readonly<Record<'base' | 'home' | 'prompt', string>>): AgentRun {
  const put = (text: string) =>
    text.replaceAll('$BASE', values.base).replaceAll('$HOME', values.home).replaceAll('$PROMPT', values.prompt);
  const putAll = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, put(text)]));
  return {
    ...run,
    files: putAll(run.files),
    environment: putAll(run.environment),
    ...(run.before !== undefined && { before: run.before.map(put) }),
    args: run.args.map(put),
  };
}
