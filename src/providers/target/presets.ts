import type { Wire } from '../wires.ts';

/** The defaults of a provider, its environment variables, and its names in messages. */
export interface ProviderPreset {
  /** The provider's name in messages. */
  readonly label: string;
  readonly wire: Wire;
  /** The wire at the provider's own address, if it has a better one there than others with its protocol. */
  readonly ownWire?: Wire;
  /** The models that the provider has only on its other wire. */
  readonly otherWire?: { readonly wire: Wire; readonly models: RegExp };
  /** The server states nothing about its models, so it is not asked. */
  readonly isSilent?: true;
  /** Absent when the user must state it. */
  readonly endpoint?: string;
  /** The path of an endpoint that has none, if it differs from that of the wire. */
  readonly basePath?: string;
  /** Advice for a user who has set no endpoint, as a sentence. */
  readonly endpointAdvice?: string;
  /** The default model; absent when the user must choose one. */
  readonly model?: string;
  /** The environment variables that may hold the key; the first one that is set applies. */
  readonly keyVariables?: readonly string[];
  /** A key is not required. */
  readonly keyOptional?: true;
  /** The variable that replaces the endpoint. While it is set, the key variables belong to its address alone. */
  readonly endpointVariable?: string;
  /** The variables of the models, which apply together with `endpointVariable`. */
  readonly modelVariable?: string;
  readonly smallModelVariable?: string;
  /** Programs that print a token, tried in this order when no key variable is set. */
  readonly tokenCommands?: readonly TokenCommand[];
  /** Headers of every request to the provider's own endpoint, in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers of its requests with pictures. */
  readonly pictureHeaders?: Readonly<Record<string, string>>;
  /** The variable whose value the header `x-goog-user-project` of a request with a token has. */
  readonly projectVariable?: string;
  /** The command that starts the server on this machine. */
  readonly startCommand?: string;
  /** The command that downloads a model; the model's name is appended. */
  readonly fetchCommand?: string;
  /** ybs plays stories on the provider itself, not only over its protocol against the mock server. */
  readonly tested?: true;
}

/** A program that prints a token. */
export interface TokenCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** Time for which a printed token is used, in milliseconds; absent: as long as ybs runs. */
  readonly lifetimeMs?: number;
  /** Advice for a program that prints none; a sentence. */
  readonly advice: string;
}

/** The provider for any server with OpenAI's chat completions. */
export const GENERIC_PROVIDER = 'openai-compatible';

/** gcloud prints a token that is valid for at least this time, because it renews one that expires earlier. */
const GCLOUD_TOKEN_MS = 3 * 60_000;

/** The providers by the name that `llm.provider` and `--provider` take. A new provider of a known wire is one row. */
export const PROVIDERS: ReadonlyMap<string, ProviderPreset> = new Map<string, ProviderPreset>(
  Object.entries({
    mock: { label: 'The mock model', wire: 'openai-chat', model: 'mock-model', tested: true },
    ollama: {
      label: 'Ollama',
      wire: 'ollama-chat',
      endpoint: 'http://localhost:11434',
      endpointVariable: 'OLLAMA_HOST',
      model: 'qwen3:14b',
      startCommand: 'ollama serve',
      fetchCommand: 'ollama pull',
      tested: true,
    },
    lmstudio: {
      label: 'LM Studio',
      wire: 'openai-chat',
      endpoint: 'http://localhost:1234/v1',
      startCommand: 'lms server start',
      fetchCommand: 'lms get',
    },
    openai: {
      label: 'OpenAI',
      wire: 'openai-chat',
      // Chat completions refuse tools beside reasoning for newer models.
      ownWire: 'openai-responses',
      isSilent: true,
      endpoint: 'https://api.openai.com/v1',
      model: 'gpt-5.4-mini',
      keyVariables: ['OPENAI_API_KEY'],
      endpointVariable: 'OPENAI_BASE_URL',
    },
    codex: {
      label: 'OpenAI',
      wire: 'openai-responses',
      isSilent: true,
      endpoint: 'https://api.openai.com/v1',
      model: 'gpt-5.4',
      keyVariables: ['OPENAI_API_KEY'],
      endpointVariable: 'OPENAI_BASE_URL',
    },
    anthropic: {
      label: 'Anthropic',
      wire: 'anthropic-messages',
      endpoint: 'https://api.anthropic.com',
      model: 'claude-sonnet-5-5',
      keyVariables: ['ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_API_KEY'],
      endpointVariable: 'ANTHROPIC_BASE_URL',
    },
    gemini: {
      label: 'Gemini',
      wire: 'gemini',
      endpoint: 'https://generativelanguage.googleapis.com/v1beta',
      model: 'gemini-3.8-flash',
      keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
      tokenCommands: [
        {
          program: 'gcloud',
          args: ['auth', 'print-access-token'],
          lifetimeMs: GCLOUD_TOKEN_MS,
          advice: 'Log in with: gcloud auth login',
        },
        {
          program: 'gcloud',
          args: ['auth', 'application-default', 'print-access-token'],
          lifetimeMs: GCLOUD_TOKEN_MS,
          advice: 'Log in with: gcloud auth application-default login',
        },
      ],
      projectVariable: 'GOOGLE_CLOUD_PROJECT',
    },
    openrouter: {
      label: 'OpenRouter',
      wire: 'openai-chat',
      endpoint: 'https://openrouter.ai/api/v1',
      model: 'openrouter/auto',
      keyVariables: ['OPENROUTER_API_KEY'],
    },
    copilot: {
      label: 'GitHub Copilot',
      wire: 'openai-chat',
      otherWire: { wire: 'openai-responses', models: /^(?:gpt-(?:5(?!-mini|$)|[6-9])|.*codex)/ },
      endpoint: 'https://api.githubcopilot.com',
      basePath: '',
      model: 'gpt-5-mini',
      tokenCommands: [{ program: 'gh', args: ['auth', 'token'], advice: 'Log in with: gh auth login' }],
      // The service refuses other names, and chats without an editor: https://github.com/chep/gh-copilot-chat.el/pull/216,
      // https://github.com/alvinunreal/tmuxai/pull/144. Any editor with a version is accepted: `Neovim/0.10.1`.
      headers: { 'copilot-integration-id': 'vscode-chat', 'editor-version': 'ybs/0.1.0' },
      // https://github.com/microsoft/vscode/issues/292901
      pictureHeaders: { 'copilot-vision-request': 'true' },
    },
    apple: {
      label: "Apple's system model",
      wire: 'openai-chat',
      endpointAdvice:
        'It needs a bridge on this machine with an OpenAI-compatible API, such as the app apple-on-device-openai. Start it and set its address: --endpoint <url>, or llm.endpoint.',
      model: 'apple-on-device',
    },
    [GENERIC_PROVIDER]: {
      label: 'The server',
      wire: 'openai-chat',
      keyVariables: ['LLM_AUTH_TOKEN'],
      keyOptional: true,
      endpointVariable: 'LLM_BASE_URL',
      modelVariable: 'LLM_DEFAULT_MODEL',
      smallModelVariable: 'LLM_SMALL_FAST_MODEL',
      tested: true,
    },
  } satisfies Readonly<Record<string, ProviderPreset>>),
);

/** The variables that replace the key of a profile with its own endpoint; the first one that is set applies. */
const PROFILE_KEY_VARIABLES = ['SILICONFLOW_API_KEY', 'SILICONFLOW_TOKEN'];

/** The environment, with the variables that concern models, for the configuration. */
export function modelVariables(environment: Readonly<Record<string, string | undefined>>) {
  return {
    environment,
    providers: PROVIDERS,
    genericProvider: GENERIC_PROVIDER,
    profileKeyVariables: PROFILE_KEY_VARIABLES,
  };
}

/** Every environment variable that may hold a key, including the `configured` ones of `api_key_variable`. */
export function keyVariables(configured: readonly (string | undefined)[]): readonly string[] {
  const known = [...PROVIDERS.values()].flatMap((preset) => preset.keyVariables ?? []);
  return [...new Set([...known, ...PROFILE_KEY_VARIABLES, ...configured.filter((name) => name !== undefined)])];
}
