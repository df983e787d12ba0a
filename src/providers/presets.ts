import type { Wire } from './wires.ts';

/** The defaults of a provider, and its names in messages. */
export interface ProviderPreset {
  /** The provider's name in messages. */
  readonly label: string;
  readonly wire: Wire;
  /** Absent when the address is only known at run time. */
  readonly endpoint?: string;
  /** The default model; absent when the user must choose one. */
  readonly model?: string;
  /** The environment variable that holds the key; absent when no key is needed. */
  readonly keyVariable?: string;
  /** The name of the output limit in a request; `max_tokens` when absent. */
  readonly maxTokensName?: 'max_completion_tokens';
  /** The command that starts the server on this machine. */
  readonly startCommand?: string;
  /** The command that downloads a model; the model's name is appended. */
  readonly fetchCommand?: string;
}

/** The providers by the name that `llm.provider` and `--provider` take. A new provider of a known wire is one row. */
export const PROVIDERS: ReadonlyMap<string, ProviderPreset> = new Map<string, ProviderPreset>(
  Object.entries({
    mock: { label: 'The mock model', wire: 'openai-chat', model: 'mock-model' },
    ollama: {
      label: 'Ollama',
      wire: 'openai-chat',
      endpoint: 'http://localhost:11434/v1',
      model: 'qwen3:14b',
      startCommand: 'ollama serve',
      fetchCommand: 'ollama pull',
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
      endpoint: 'https://api.openai.com/v1',
      model: 'gpt-5.4-mini',
      keyVariable: 'OPENAI_API_KEY',
      maxTokensName: 'max_completion_tokens',
    },
    openrouter: {
      label: 'OpenRouter',
      wire: 'openai-chat',
      endpoint: 'https://openrouter.ai/api/v1',
      model: 'openrouter/auto',
      keyVariable: 'OPENROUTER_API_KEY',
    },
  } satisfies Readonly<Record<string, ProviderPreset>>),
);

/** Every environment variable that may hold a key, including `configured` (`llm.api_key_variable`). */
export function keyVariables(configured: string | undefined): readonly string[] {
  const known = [...PROVIDERS.values()].flatMap(({ keyVariable }) => keyVariable ?? []);
  return [...new Set(configured === undefined ? known : [...known, configured])];
}
