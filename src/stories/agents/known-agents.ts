/**
 * A coding agent, configured for the mock server over one protocol. In every text `$BASE` stands for the address of the
 * server, `$HOME` for the home directory and `$PROMPT` for the prompt of the user.
 */
export interface KnownAgent {
  /** Unique: the agent, and the protocol if it speaks several. */
  readonly name: string;
  /** The command of the agent; `ybs test --agent` takes it as a name. */
  readonly bin: string;
  readonly protocol: AgentProtocol;
  /** Contents of its configuration files, by their paths in the home directory. */
  readonly files: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string>>;
  /** Arguments of an earlier run of the same command, which prepares this one. */
  readonly before?: readonly string[];
  readonly args: readonly string[];
  /** A sentence about the configuration for docs/agents.md. */
  readonly note?: string;
}

/** The protocols of the mock server. */
export type AgentProtocol = 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini' | 'ollama';

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

/** Turns off the requests of opencode and Kilo to other hosts. */
const OPENCODE_ENVIRONMENT = {
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
};
const COMPATIBLE = { npm: '@ai-sdk/openai-compatible' };

/**
 * Every agent of docs/agents.md with each of its protocols. The name of an agent selects its first configuration.
 * `npm run test:agents` runs all of them.
 */
export const KNOWN_AGENTS: readonly KnownAgent[] = [
  piRun('openai-chat', 'openai-completions', '$BASE/v1'),
  piRun('anthropic-messages', 'anthropic-messages', '$BASE'),
  piRun('openai-responses', 'openai-responses', '$BASE/v1'),
  piRun('gemini', 'google-generative-ai', '$BASE/v1beta'),
  {
    name: 'claude-code',
    bin: 'claude',
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
  {
    ...codexRun('codex, gpt-5.5', ['-m', 'gpt-5.5']),
    note: 'The model decides which tools Codex offers. With `gpt-5.5` it has a tool for patches that takes text.',
  },
  {
    ...codexRun('codex, gpt-6-sol', ['-m', 'gpt-6-sol']),
    note: 'With `gpt-6-sol` it offers one tool that takes a program in place of most others.',
  },
  {
    name: 'gemini-cli',
    bin: 'gemini',
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
  opencodeRun('opencode, openai-chat', 'openai-chat', opencodeConfig('mock', 'mock-model', '$BASE/v1', COMPATIBLE)),
  opencodeRun(
    'opencode, anthropic-messages',
    'anthropic-messages',
    opencodeConfig('anthropic', 'mock-model', '$BASE/v1'),
  ),
  opencodeRun('opencode, openai-responses', 'openai-responses', opencodeConfig('openai', 'mock-model', '$BASE/v1')),
  {
    ...opencodeRun('opencode, gpt-5', 'openai-responses', opencodeConfig('openai', 'gpt-5', '$BASE/v1')),
    note: 'For models named `gpt-5` it offers a patch tool in place of the tools that write and edit.',
  },
  opencodeRun('opencode, gemini', 'gemini', opencodeConfig('google', 'mock-model', '$BASE/v1beta')),
  {
    name: 'kilo',
    bin: 'kilo',
    protocol: 'openai-chat',
    files: { '.config/kilo/kilo.json': opencodeConfig('mock', 'mock-model', '$BASE/v1', COMPATIBLE) },
    environment: OPENCODE_ENVIRONMENT,
    args: ['run', '--auto', '$PROMPT'],
  },
  {
    name: 'qwen-code',
    bin: 'qwen',
    protocol: 'openai-chat',
    files: {
      '.qwen/settings.json': json({
        security: { auth: { selectedType: 'openai' } },
        privacy: { usageStatisticsEnabled: false },
      }),
    },
    environment: { OPENAI_API_KEY: 'unused', OPENAI_BASE_URL: '$BASE/v1', OPENAI_MODEL: 'mock-model' },
    args: ['--yolo', '-p', '$PROMPT'],
  },
  copilotRun('openai-chat', { COPILOT_PROVIDER_BASE_URL: '$BASE/v1' }),
  copilotRun('openai-responses', { COPILOT_PROVIDER_BASE_URL: '$BASE/v1', COPILOT_PROVIDER_WIRE_API: 'responses' }),
  copilotRun('anthropic-messages', { COPILOT_PROVIDER_BASE_URL: '$BASE', COPILOT_PROVIDER_TYPE: 'anthropic' }),
  continueRun('openai-chat', 'openai', 'mock-model', '$BASE/v1'),
  {
    ...continueRun('openai-responses', 'openai', 'gpt-5', '$BASE/v1'),
    note: 'Continue uses Responses for models named `gpt-5` and offers a different tool for edits.',
  },
  continueRun('anthropic-messages', 'anthropic', 'mock-model', '$BASE/v1/'),
  continueRun('ollama', 'ollama', 'mock-model', '$BASE'),
  clineRun('openai-chat', 'openai'),
  clineRun('openai-responses', 'openai-native'),
  droidRun('openai-chat', 'generic-chat-completion-api', '$BASE/v1'),
  droidRun('openai-responses', 'openai', '$BASE/v1'),
  droidRun('anthropic-messages', 'anthropic', '$BASE'),
];

function piRun(protocol: AgentProtocol, api: string, baseUrl: string): KnownAgent {
  const provider = { baseUrl, api, apiKey: 'unused', models: [{ id: 'mock-model' }] };
  return {
    name: `pi, ${protocol}`,
    bin: 'pi',
    protocol,
    files: { '.pi/agent/models.json': json({ providers: { mock: provider } }) },
    environment: { PI_OFFLINE: '1' },
    args: ['--provider', 'mock', '--model', 'mock-model', '-p', '$PROMPT'],
  };
}

function codexRun(name: string, model: readonly string[]): KnownAgent {
  return {
    name,
    bin: 'codex',
    protocol: 'openai-responses',
    files: { '.codex/config.toml': CODEX_CONFIG },
    environment: { MOCK_KEY: 'unused' },
    args: ['exec', ...model, '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', '$PROMPT'],
  };
}

function opencodeConfig(provider: string, model: string, baseURL: string, more: object = {}): string {
  return json({
    autoupdate: false,
    share: 'disabled',
    model: `${provider}/${model}`,
    small_model: `${provider}/${model}`,
    provider: { [provider]: { ...more, options: { baseURL, apiKey: 'unused' }, models: { [model]: {} } } },
    permission: { '*': 'allow' },
  });
}

function opencodeRun(name: string, protocol: AgentProtocol, config: string): KnownAgent {
  return {
    name,
    bin: 'opencode',
    protocol,
    files: { '.config/opencode/opencode.json': config },
    environment: OPENCODE_ENVIRONMENT,
    args: ['run', '$PROMPT'],
  };
}

function copilotRun(protocol: AgentProtocol, provider: Readonly<Record<string, string>>): KnownAgent {
  const environment = {
    COPILOT_OFFLINE: 'true',
    COPILOT_MODEL: 'mock-model',
    COPILOT_PROVIDER_API_KEY: 'unused',
    ...provider,
  };
  const args = ['-p', '$PROMPT', '--allow-all', '-s'];
  return { name: `copilot, ${protocol}`, bin: 'copilot', protocol, files: {}, environment, args };
}

function continueRun(protocol: AgentProtocol, provider: string, model: string, apiBase: string): KnownAgent {
  const config = `name: mock
version: 1.0.0
schema: v1
models:
  - name: mock
    provider: ${provider}
    model: ${model}
    apiKey: unused
    apiBase: ${apiBase}
    roles: [chat, edit]
    capabilities: [tool_use]
`;
  return {
    name: `continue, ${protocol}`,
    bin: 'cn',
    protocol,
    files: { '.continue/config.yaml': config },
    environment: {},
    args: ['--config', '$HOME/.continue/config.yaml', '--auto', '-p', '$PROMPT'],
  };
}

function clineRun(protocol: AgentProtocol, provider: string): KnownAgent {
  return {
    name: `cline, ${protocol}`,
    bin: 'cline',
    protocol,
    files: {},
    environment: { CLINE_SESSION_BACKEND_MODE: 'local' },
    before: ['auth', '-p', provider, '-k', 'unused', '-m', 'mock-model', '-b', '$BASE/v1'],
    args: ['-P', provider, '-m', 'mock-model', '$PROMPT'],
  };
}

function droidRun(protocol: AgentProtocol, provider: string, baseUrl: string): KnownAgent {
  const id = 'custom:mock-model-0';
  const model = { model: 'mock-model', id, index: 0, baseUrl, apiKey: 'unused', provider, maxOutputTokens: 8192 };
  return {
    name: `droid, ${protocol}`,
    bin: 'droid',
    protocol,
    files: { '.factory/settings.json': json({ customModels: [model] }) },
    environment: { FACTORY_API_KEY: 'fk-unused' },
    args: ['exec', '-m', 'custom:mock-model', '--auto', 'high', '$PROMPT'],
  };
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
