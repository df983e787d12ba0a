/** Client packages that the mock server is tested with, and their protocols. */
export const SDK_PACKAGES: readonly (readonly [name: string, protocols: string])[] = [
  ['openai', 'Chat Completions, Responses, also over a WebSocket'],
  ['@anthropic-ai/sdk', 'Anthropic Messages'],
  ['@google/genai', 'Gemini, also at Vertex AI, Gemini Interactions'],
  ['@anthropic-ai/vertex-sdk', 'Anthropic Messages at Vertex AI'],
  ['@aws-sdk/client-bedrock-runtime', 'Bedrock Converse, Anthropic Messages by InvokeModel'],
  ['@anthropic-ai/bedrock-sdk', 'Anthropic Messages at Bedrock'],
  ['ollama', 'Ollama'],
  ['ai', 'all of the providers below'],
  ['@ai-sdk/openai', 'Chat Completions, Responses'],
  ['@ai-sdk/openai-compatible', 'Chat Completions'],
  ['@ai-sdk/anthropic', 'Anthropic Messages'],
  ['@ai-sdk/google', 'Gemini'],
  ['@langchain/openai', 'Chat Completions, Responses'],
  ['@langchain/anthropic', 'Anthropic Messages'],
];

/** The checks that do not apply to every SDK. */
export type OptionalCheck =
  | 'reasoning'
  | 'models'
  | 'pieces of arguments'
  | 'retry-after'
  | 'a retry'
  | 'an arbitrary answer in chunks of any size';

const NO_MODELS = 'it cannot list models';

/** The checks that do not apply to an SDK, each with the reason. */
export const SDK_GAPS: readonly (readonly [sdk: string, check: OptionalCheck, reason: string])[] = [
  ['openai, chat', 'reasoning', 'its types have no field for it'],
  ['openai, responses over a WebSocket', 'retry-after', 'its error events have no headers'],
  ['openai, responses over a WebSocket', 'a retry', 'it does not retry'],
  ['openai, responses over a WebSocket', 'an arbitrary answer in chunks of any size', 'each message has one event'],
  ['@google/genai', 'pieces of arguments', 'Gemini sends the arguments of a call in one piece'],
  ['@google/genai, Vertex AI', 'pieces of arguments', 'Gemini sends the arguments of a call in one piece'],
  ['@google/genai, interactions', 'models', 'this API cannot list models'],
  ['@anthropic-ai/vertex-sdk', 'models', NO_MODELS],
  ['@aws-sdk/client-bedrock-runtime, Converse', 'models', NO_MODELS],
  ['@aws-sdk/client-bedrock-runtime, InvokeModel', 'models', NO_MODELS],
  ['@anthropic-ai/bedrock-sdk', 'models', NO_MODELS],
  ['ollama', 'pieces of arguments', 'Ollama sends the arguments of a call in one piece'],
  ['ollama', 'retry-after', 'its errors keep no headers'],
  ['ollama', 'a retry', 'it does not retry'],
  ['@ai-sdk/openai, chat', 'reasoning', 'its chat model ignores it'],
  ['@ai-sdk/openai, chat', 'models', NO_MODELS],
  ['@ai-sdk/openai, responses', 'models', NO_MODELS],
  ['@ai-sdk/openai-compatible', 'models', NO_MODELS],
  ['@ai-sdk/anthropic', 'models', NO_MODELS],
  ['@ai-sdk/google', 'models', NO_MODELS],
  ['@langchain/openai, chat', 'reasoning', 'its chat model ignores it'],
  ['@langchain/openai, chat', 'models', NO_MODELS],
  ['@langchain/openai, responses', 'models', NO_MODELS],
  ['@langchain/anthropic', 'models', NO_MODELS],
];
