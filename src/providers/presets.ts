/** What is known of a provider before anybody configures it. */
export interface ProviderPreset {
  /** How people call it. */
  readonly label: string;
  /** The protocol it is spoken to in. */
  readonly wire: 'openai-chat';
  /** Absent where the address is only known at run time. */
  readonly endpoint?: string;
  /** Absent where there is no model that everybody has. */
  readonly model?: string;
  /** The environment variable that holds the key; absent where no key is needed. */
  readonly keyVariable?: string;
  /** The name under which it takes the limit of the answer. */
  readonly maxTokensName: 'max_tokens' | 'max_completion_tokens';
  /** The command that starts it on this machine. */
  readonly startCommand?: string;
  /** The command that fetches a model, followed by its name. */
  readonly fetchCommand?: string;
}

/** The providers by the name that `llm.provider` and `--provider` take. */
export const PROVIDERS: ReadonlyMap<string, ProviderPreset> = new Map<string, ProviderPreset>([
  ['mock', { label: 'The mock model', wire: 'openai-chat', model: 'mock-model', maxTokensName: 'max_tokens' }],
  [
    'ollama',
    {
      label: 'Ollama',
      wire: 'openai-chat',
      endpoint: 'http://localhost:11434/v1',
      model: 'qwen3:14b',
      maxTokensName: 'max_tokens',
      startCommand: 'ollama serve',
      fetchCommand: 'ollama pull',
    },
  ],
  [
    'lmstudio',
    {
      label: 'LM Studio',
      wire: 'openai-chat',
      endpoint: 'http://localhost:1234/v1',
      maxTokensName: 'max_tokens',
      startCommand: 'lms server start',
      fetchCommand: 'lms get',
    },
  ],
  [
    'openai',
    {
      label: 'OpenAI',
      wire: 'openai-chat',
      endpoint: 'https://api.openai.com/v1',
      model: 'gpt-5.4-mini',
      keyVariable: 'OPENAI_API_KEY',
      maxTokensName: 'max_completion_tokens',
    },
  ],
  [
    'openrouter',
    {
      label: 'OpenRouter',
      wire: 'openai-chat',
      endpoint: 'https://openrouter.ai/api/v1',
      model: 'openrouter/auto',
      keyVariable: 'OPENROUTER_API_KEY',
      maxTokensName: 'max_tokens',
    },
  ],
]);

/** Every environment variable that may hold a key, `configured` (`llm.api_key_variable`) among them. */
export function keyVariables(configured: string | undefined): readonly string[] {
  const known = [...PROVIDERS.values()].flatMap(({ keyVariable }) => keyVariable ?? []);
  return [...new Set(configured === undefined ? known : [...known, configured])];
}
