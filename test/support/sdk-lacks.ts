/** What an SDK may have no notion of: names of checks. */
export type Lackable = 'reasoning' | 'models' | 'pieces of arguments' | 'retry-after' | 'a retry';

const NO_MODELS_OF_PROVIDERS = 'its providers list none';
const NO_MODELS_OF_LANGCHAIN = 'a model is made by its name';

/** Which SDK has no notion of what, and why. */
export const SDK_LACKS: readonly (readonly [sdk: string, check: Lackable, reason: string])[] = [
  ['openai, chat', 'reasoning', 'a chat has no field for it in its types'],
  ['@google/genai', 'pieces of arguments', 'Gemini sends the arguments of a call in one piece'],
  ['ollama', 'pieces of arguments', 'Ollama sends the arguments of a call in one piece'],
  ['ollama', 'retry-after', 'its errors keep no headers'],
  ['ollama', 'a retry', 'it asks once'],
  ['@ai-sdk/openai, chat', 'reasoning', 'the chat of this provider reads none'],
  ['@ai-sdk/openai, chat', 'models', NO_MODELS_OF_PROVIDERS],
  ['@ai-sdk/openai, responses', 'models', NO_MODELS_OF_PROVIDERS],
  ['@ai-sdk/openai-compatible', 'models', NO_MODELS_OF_PROVIDERS],
  ['@ai-sdk/anthropic', 'models', NO_MODELS_OF_PROVIDERS],
  ['@ai-sdk/google', 'models', NO_MODELS_OF_PROVIDERS],
  ['@langchain/openai, chat', 'reasoning', 'its chat reads none'],
  ['@langchain/openai, chat', 'models', NO_MODELS_OF_LANGCHAIN],
  ['@langchain/openai, responses', 'models', NO_MODELS_OF_LANGCHAIN],
  ['@langchain/anthropic', 'models', NO_MODELS_OF_LANGCHAIN],
];
