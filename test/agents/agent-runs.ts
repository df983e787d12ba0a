import type { Protocol } from '../../mock-llm-server/conversation.ts';

/** An agent as it comes from npm. */
export interface AgentPackage {
  readonly name: string;
  readonly version: string;
  /** The command it brings. */
  readonly bin: string;
  /** Whether it works only after its own install script has run. */
  readonly needsInstallScript: boolean;
}

/**
 * How an agent is pointed at the mock server, over one protocol. In every text `$BASE` stands for the address of the
 * server and `$PROMPT` for what the user says.
 */
export interface AgentRun {
  /** Unique: the agent, and the protocol where it speaks several. */
  readonly name: string;
  readonly agent: AgentPackage;
  readonly protocol: Protocol;
  /** Files it reads, by their paths in its home directory. */
  readonly files: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string>>;
  readonly args: readonly string[];
}

/** What the user says in every run. */
export const PROMPT = 'Write the file hello.txt, then say so.';

const pi = { name: '@earendil-works/pi-coding-agent', version: '0.87.1', bin: 'pi', needsInstallScript: false };
const claude = { name: '@anthropic-ai/claude-code', version: '2.1.329', bin: 'claude', needsInstallScript: true };
const codex = { name: '@openai/codex', version: '0.169.0', bin: 'codex', needsInstallScript: false };
const gemini = { name: '@google/gemini-cli', version: '0.61.0', bin: 'gemini', needsInstallScript: false };

const CODEX_CONFIG = `model = "gpt-5.2"
model_provider = "mock"
check_for_update_on_startup = false

[model_providers.mock]
name = "mock"
base_url = "$BASE/v1"
env_key = "MOCK_KEY"
wire_api = "responses"

[analytics]
enabled = false

[features]
plugins = false
remote_plugin = false
apps = false
`;

/** Every agent and protocol that the suite runs. */
export const AGENT_RUNS: readonly AgentRun[] = [
  piRun('openai-chat', 'openai-completions', '$BASE/v1'),
  piRun('anthropic-messages', 'anthropic-messages', '$BASE'),
  piRun('openai-responses', 'openai-responses', '$BASE/v1'),
  piRun('gemini', 'google-generative-ai', '$BASE/v1beta'),
  {
    name: 'claude-code',
    agent: claude,
    protocol: 'anthropic-messages',
    files: {},
    environment: {
      ANTHROPIC_BASE_URL: '$BASE',
      ANTHROPIC_API_KEY: 'sk-ant-unused',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_MAX_RETRIES: '1',
    },
    args: ['-p', '$PROMPT', '--permission-mode', 'acceptEdits'],
  },
  codexRun('codex', []),
  // This model patches files with a tool that takes text.
  codexRun('codex, gpt-5.5', ['-m', 'gpt-5.5']),
  // This one has a single tool, and writes a program for it.
  codexRun('codex, gpt-6-sol', ['-m', 'gpt-6-sol']),
  {
    name: 'gemini-cli',
    agent: gemini,
    protocol: 'gemini',
    files: {
      '.gemini/settings.json': json({
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
      }),
    },
    environment: { GEMINI_API_KEY: 'unused', GOOGLE_GEMINI_BASE_URL: '$BASE', GEMINI_CLI_NO_RELAUNCH: '1' },
    args: ['--yolo', '--skip-trust', '-p', '$PROMPT'],
  },
];

function piRun(protocol: Protocol, api: string, baseUrl: string): AgentRun {
  const provider = { baseUrl, api, apiKey: 'unused', models: [{ id: 'mock-model' }] };
  return {
    name: `pi, ${protocol}`,
    agent: pi,
    protocol,
    files: { '.pi/agent/models.json': json({ providers: { mock: provider } }) },
    environment: { PI_OFFLINE: '1' },
    args: ['--provider', 'mock', '--model', 'mock-model', '-p', '$PROMPT'],
  };
}

function codexRun(name: string, model: readonly string[]): AgentRun {
  return {
    name,
    agent: codex,
    protocol: 'openai-responses',
    files: { '.codex/config.toml': CODEX_CONFIG },
    environment: { MOCK_KEY: 'unused' },
    args: ['exec', ...model, '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', '$PROMPT'],
  };
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The run as a user types it in a shell where BASE and PROMPT are set. */
export function shellCommand({ agent, environment, args }: AgentRun): string {
  const assignments = Object.entries(environment).map(([name, value]) => `${name}=${quote(value)}`);
  const command = [agent.bin, ...args.map(quote)].join(' ');
  return [...assignments, command].join(' \\\n  ');
}

function quote(word: string): string {
  return /\$/.test(word) ? `"${word}"` : word;
}

/** The same run with the values in their places. */
export function fillRun(run: AgentRun, values: { readonly base: string; readonly prompt: string }): AgentRun {
  const put = (text: string) => text.replaceAll('$BASE', values.base).replaceAll('$PROMPT', values.prompt);
  const putAll = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, put(text)]));
  return { ...run, files: putAll(run.files), environment: putAll(run.environment), args: run.args.map(put) };
}
