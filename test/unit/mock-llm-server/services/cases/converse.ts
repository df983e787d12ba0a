import type { Json, RuleCase } from './case.ts';

const CLAUDE = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
const said = (role: string, ...content: readonly Json[]) => ({ role, content });
const go = said('user', { text: 'go' });
const point = { cachePoint: { type: 'default' } };
const call = (input: unknown = {}) => ({ toolUse: { toolUseId: 'tooluse_1', name: 'read', input } });
const result = { toolResult: { toolUseId: 'tooluse_1', content: [{ text: 'ok' }] } };
const toolConfig = (toolChoice?: Json) => ({
  toolConfig: { tools: [{ toolSpec: { name: 'read', inputSchema: { json: { type: 'object' } } } }], toolChoice },
});
const reasoning = {
  reasoningContent: { redactedContent: 'eA==' },
};
const more = (fields: Json) => ({ additionalModelRequestFields: fields });

/** A case over Converse. The other model of a pair accepts the same request. */
function converse(model: string, refused: Json, accepted: Json, says: string, other = model): RuleCase {
  const path = (name: string) => `/model/${name}/converse`;
  return {
    path: path(model),
    refused: { messages: [go], ...refused },
    ...(other !== model && { acceptedPath: path(other) }),
    accepted: { messages: [go], ...accepted },
    says,
  };
}

/** The cases of what the models of Converse differ in. */
export const CONVERSE_MODEL_CASES: Readonly<Record<string, RuleCase>> = {
  'bedrock/profile': converse(
    'anthropic.claude-sonnet-4-6',
    {},
    {},
    'Invocation of model ID anthropic.claude-sonnet-4-6 with on-demand throughput isn’t supported.',
    'us.anthropic.claude-sonnet-4-6',
  ),
  'bedrock/converse-lone-cache-point': converse(
    CLAUDE,
    { messages: [go, said('assistant', point), go] },
    { messages: [go, said('assistant', { text: 'Hi.' }, point), go] },
    'There is nothing available to cache.',
  ),
  'bedrock/converse-sampling': converse(
    'global.xai.grok-4.6',
    { inferenceConfig: { temperature: 1 } },
    { inferenceConfig: { maxTokens: 99 } },
    "This model doesn't support the temperature field. Remove temperature and try again.",
  ),
  'bedrock/converse-no-arguments': converse(
    CLAUDE,
    { ...toolConfig(), messages: [go, said('assistant', call(null)), said('user', result)] },
    { ...toolConfig(), messages: [go, said('assistant', call()), said('user', result)] },
    'The value at messages.1.content.0.toolUse.input is empty.',
  ),
  'bedrock/converse-no-tools': converse(
    'us.deepseek.r1-v1:0',
    toolConfig(),
    {},
    "This model doesn't support tool use.",
  ),
  'bedrock/converse-streamed-tools': {
    path: '/model/us.meta.llama4-scout-17b-instruct-v1:0/converse-stream',
    refused: { messages: [go], ...toolConfig() },
    acceptedPath: '/model/us.meta.llama4-scout-17b-instruct-v1:0/converse',
    accepted: { messages: [go], ...toolConfig() },
    says: "This model doesn't support tool use in streaming mode.",
  },
  'bedrock/converse-system': converse(
    'mistral.mistral-7b-instruct-v0:2',
    { system: [{ text: 'Be brief.' }] },
    {},
    "This model doesn't support system messages.",
  ),
  'bedrock/converse-cache': {
    ...converse(
      'qwen.qwen3-coder-next',
      { system: [{ text: 'Be brief.' }, point] },
      { system: [{ text: 'Be brief.' }, point] },
      'You invoked an unsupported model or your request did not allow prompt caching.',
      CLAUDE,
    ),
    status: 403,
  },
  'bedrock/converse-cache-time': converse(
    'us.amazon.nova-pro-v1:0',
    { system: [{ text: 'Be brief.' }, { cachePoint: { type: 'default', ttl: '1h' } }] },
    { system: [{ text: 'Be brief.' }, { cachePoint: { type: 'default', ttl: '5m' } }] },
    'Extended TTL prompt caching is only supported for Anthropic models',
  ),
  'bedrock/converse-cache-beside-results': converse(
    'us.amazon.nova-pro-v1:0',
    { ...toolConfig(), messages: [go, said('assistant', call()), said('user', point, result)] },
    {
      ...toolConfig(),
      messages: [said('user', { text: 'go' }, point), said('assistant', call()), said('user', result)],
    },
    'Malformed input request: #/messages/2/content/0: extraneous key [cachePoint] is not permitted',
  ),
  'bedrock/converse-cache-after-reasoning': converse(
    CLAUDE,
    { messages: [go, said('assistant', { text: 'Yes.' }, reasoning, point), go] },
    { messages: [go, said('assistant', reasoning, { text: 'Yes.' }, point), go] },
    'Cache point cannot be inserted after reasoning block.',
  ),
  'bedrock/converse-call-of-user': converse(
    CLAUDE,
    { ...toolConfig(), messages: [said('user', call())] },
    { ...toolConfig(), messages: [go, said('assistant', call()), said('user', result)] },
    'User messages cannot contain tool uses.',
  ),
  'bedrock/converse-nova-reasoning': converse(
    'us.amazon.nova-pro-v1:0',
    more({ reasoningConfig: { type: 'enabled', maxReasoningEffort: 'low' } }),
    more({ reasoningConfig: { type: 'enabled', maxReasoningEffort: 'low' } }),
    'the provided reasoning config value is invalid',
    'us.amazon.nova-2-lite-v1:0',
  ),
};
