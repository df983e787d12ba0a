import type { Protocol } from '../../mock-llm-server/conversation/conversation.ts';

/** An agent as it comes from npm. */
export interface AgentPackage {
  readonly name: string;
  readonly version: string;
  /** The command it brings. */
  readonly bin: string;
  /** Whether it works only after its own install script has run. */
  readonly needsInstallScript: boolean;
  /** Whether it searches with a ripgrep that it would download from elsewhere. */
  readonly needsRipgrep?: boolean;
}

/**
 * How an agent is pointed at the mock server, over one protocol. In every text `$BASE` stands for the address of the
 * server, `$HOME` for its home directory and `$PROMPT` for what the user says.
 */
export interface AgentRun {
  /** Unique: the agent, and the protocol where it speaks several. */
  readonly name: string;
  readonly agent: AgentPackage;
  readonly protocol: Protocol;
  /** Files it reads, by their paths in its home directory. */
  readonly files: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string>>;
  /** Arguments of the same command, run once before. */
  readonly before?: readonly string[];
  readonly args: readonly string[];
}

/** The run as a user types it in a shell where BASE and PROMPT are set. */
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

/** The same run with the values in their places. */
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
