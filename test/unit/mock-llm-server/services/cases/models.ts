import {
  callAndResult,
  chatCase,
  functionTool,
  type Json,
  MESSAGES,
  PICTURE,
  RESPONSES,
  type RuleCase,
  user,
} from './case.ts';

const tools = [functionTool()];
/** The word of Messages for a forced call, which agents also send to other services. */
const FORCED_IN_MESSAGES = 'any';
const withProperty = (a: Json) => ({ tools: [functionTool({ properties: { a } })] });
const called = (json: string) => ({ tools, more: callAndResult('call_1', {}, json) });
const contents = [{ role: 'user', parts: [{ text: 'go' }] }];
const declared = (parameters: Json) => ({ functionDeclarations: [{ name: 'read', parameters }] });
const edits = [{ type: 'clear_tool_uses_20250919' }];
const betaRequest = (fields: Json) => ({
  model: 'claude-sonnet-4-5',
  max_tokens: 100,
  messages: [user()],
  anthropic_beta: ['context-management-2025-06-27'],
  ...fields,
});
/** A history with a call, whose answer has these blocks before it. */
const calledBack = (before: readonly Json[], model = 'deepseek-v4-pro'): Json => ({
  model,
  max_tokens: 100,
  thinking: { type: 'enabled', budget_tokens: 1024 },
  messages: [
    user(),
    { role: 'assistant', content: [...before, { type: 'tool_use', id: 'call_00_1', name: 'read', input: {} }] },
    user([{ type: 'tool_result', tool_use_id: 'call_00_1', content: 'ok' }]),
  ],
});
/** A request of Qwen over Messages. */
const thinkingOf = (thinking: Json, choice?: Json): Json => ({
  ...{ model: 'qwen3.5-plus', max_tokens: 2000, thinking, messages: [user()] },
  ...(choice === undefined ? {} : { tool_choice: choice, tools: [{ name: 'read', input_schema: { type: 'object' } }] }),
});
/** A case of Gemini on Vertex AI. */
const vertex = (refused: Json, accepted: Json, says: string): RuleCase => ({
  path: '/v1beta/models/gemini-2.5-flash:generateContent',
  refused: { contents, ...refused },
  accepted: { contents, ...accepted },
  says,
});

const manyFunctions = (length: number): Json => ({
  tools: [{ functionDeclarations: Array.from({ length }, (_, index) => ({ name: `read_${index}` })) }],
});

/** A case of two models of Gemini, of which one lacks an ability. */
const lacking = (model: string, fields: Json, says: string, other = 'gemini-2.5-flash'): RuleCase => ({
  path: `/v1beta/models/${model}:generateContent`,
  acceptedPath: `/v1beta/models/${other}:generateContent`,
  refused: { contents, ...fields },
  accepted: { contents, ...fields },
  says,
});
/** A case of two models over Responses, of which one has no efforts. */
const withEffort = (model: string, other: string, says: string): RuleCase => ({
  path: RESPONSES,
  refused: { model, input: 'go', reasoning: { effort: 'low' } },
  accepted: { model: other, input: 'go', reasoning: { effort: 'low' } },
  says,
});
const thoughts = { generationConfig: { thinkingConfig: { includeThoughts: true } } };
const seen = { image: { format: 'png', source: { bytes: 'iVBORw0KGgo=' } } };
const looked = {
  toolConfig: { tools: [{ toolSpec: { name: 'read', inputSchema: { json: { type: 'object', properties: {} } } } }] },
  messages: [
    user([{ text: 'go' }]),
    { role: 'assistant', content: [{ toolUse: { toolUseId: 'a', name: 'read', input: {} } }] },
    user([{ toolResult: { toolUseId: 'a', content: [seen] } }]),
  ],
};

/** The cases of rules of single models and servers. */
export const MODEL_CASES: Readonly<Record<string, RuleCase>> = {
  'openai/needed-sound': chatCase(
    'gpt-4o-audio-preview',
    {},
    { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } },
    'This model requires that either input content or output modality contain audio.',
  ),
  'azure/no-responses': {
    path: '/openai/v1/responses',
    refused: { model: 'Kimi-K2.5', input: 'go' },
    accepted: { model: 'gpt-4.1', input: 'go' },
    says: 'This model is not supported by the Responses API.',
  },
  'azure/no-effort': withEffort(
    'DeepSeek-V4-Pro',
    'gpt-5',
    "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
  ),
  'fireworks/effort': withEffort(
    'accounts/fireworks/models/qwen3p7-plus',
    'accounts/fireworks/models/kimi-k2p6',
    'non-reasoning model does not support reasoning_effort',
  ),
  'gemini/tools': lacking(
    'gemma-3-27b-it',
    { tools: [declared({ type: 'OBJECT', properties: {} })] },
    'Function calling is not enabled for models/gemma-3-27b-it',
  ),
  'gemini/system': lacking(
    'gemma-3-12b-it',
    { systemInstruction: { parts: [{ text: 'Be brief.' }] } },
    'Developer instruction is not enabled for models/gemma-3-12b-it',
  ),
  'gemini/json': lacking(
    'gemini-2.5-flash-image',
    { generationConfig: { responseMimeType: 'application/json' } },
    'JSON mode is not enabled for this model',
  ),
  'gemini/thoughts': lacking(
    'gemini-2.0-flash-preview-image-generation',
    thoughts,
    'Thinking is not enabled for models/gemini-2.0-flash-preview-image-generation',
  ),
  'vertex/no-thoughts': lacking(
    'gemini-2.0-flash',
    thoughts,
    'Thinking_config.include_thoughts is only enabled when thinking is enabled.',
  ),
  'vertex/least-thinking': lacking(
    'gemini-3.8-flash',
    { generationConfig: { thinkingConfig: { thinkingLevel: 'MINIMAL' } } },
    'Thinking level is unsupported: THINKING_LEVEL_MINIMAL',
    'gemini-3-flash-preview',
  ),
  'fireworks/picture': chatCase(
    'accounts/fireworks/models/kimi-k2-instruct',
    { messages: [PICTURE] },
    { messages: [PICTURE], model: 'accounts/fireworks/models/kimi-k2p6' },
    'Cannot preprocess image len(combined_imgs) = 1',
  ),
  'bedrock/converse-result-picture': {
    path: '/model/us.openai.gpt-5.6-sol/converse',
    refused: looked,
    acceptedPath: '/model/us.amazon.nova-pro-v1:0/converse',
    accepted: looked,
    says: "This model doesn't support the image field for user messages. Remove image and try again.",
  },
  'dashscope/picture': chatCase(
    'qwen3.7-max',
    { messages: [PICTURE] },
    { messages: [PICTURE], model: 'qwen3.7-plus' },
    'The error info is [Unexpected item type in content.]',
  ),
  'xai/text-model': chatCase(
    'grok-3',
    { messages: [PICTURE] },
    { messages: [PICTURE], model: 'grok-4.3' },
    'The model does not support image input but some images are present in the request.',
  ),
  'copilot/picture': {
    ...chatCase(
      'grok-code-fast-1',
      { messages: [PICTURE] },
      { messages: [PICTURE], model: 'gpt-4.1' },
      'model "grok-code-fast-1" not supported for vision',
    ),
    headers: { 'copilot-vision-request': 'true' },
  },
  'gemini/too-many-functions': vertex(
    manyFunctions(513),
    manyFunctions(512),
    'At most 512 function declarations can be specified.',
  ),
  'openai/highest-token': chatCase(
    'gpt-4',
    { logit_bias: { 100265: -100 } },
    { logit_bias: { 100257: -100 } },
    "Invalid key in 'logit_bias': 100265. Maximum value is 100257.",
  ),
  'copilot/web-search': {
    path: RESPONSES,
    refused: { model: 'gpt-5-mini', input: [user()], tools: [{ type: 'web_search' }] },
    accepted: { model: 'gpt-5-mini', input: [user()] },
    says: 'The use of the web search tool is not supported.',
  },
  'vertex/untyped-property': vertex(
    { tools: [declared({ type: 'OBJECT', properties: { a: { enum: ['x'] } } })] },
    { tools: [declared({ type: 'OBJECT', properties: { a: { type: 'STRING', enum: ['x'] } } })] },
    "Unable to submit request because `read` functionDeclaration `parameters.a` schema didn't specify the schema type field.",
  ),
  'vertex/any-of': vertex(
    { tools: [declared({ type: 'OBJECT', properties: { a: { anyOf: [{ type: 'STRING' }], description: 'Text.' } } })] },
    { tools: [declared({ type: 'OBJECT', properties: { a: { anyOf: [{ type: 'STRING' }] } } })] },
    'Unable to submit request because `read` functionDeclaration `parameters.a` schema specified other fields alongside any_of. When using any_of, it must be the only field set.',
  ),
  'groq/tool-use': chatCase(
    'openai/gpt-oss-120b',
    {
      tools: [functionTool({ properties: { path: { type: 'string' } }, required: ['path'] })],
      more: [user('call it')],
    },
    { tools: [functionTool()], more: [user('call it')] },
    "Tool call validation failed: tool call validation failed: parameters for tool read did not match schema: errors: [missing properties: 'path']",
  ),
  'groq/choice-word': chatCase(
    'openai/gpt-oss-120b',
    { tools, tool_choice: FORCED_IN_MESSAGES },
    { tools, tool_choice: 'auto' },
    "Only allowed string values for 'tool_choice' are none, auto, and required",
  ),
  'vllm/choice-word': chatCase(
    'qwen3-8b',
    { tools, tool_choice: FORCED_IN_MESSAGES },
    { tools, tool_choice: 'auto' },
    `Invalid value for \`tool_choice\`: ${FORCED_IN_MESSAGES}! Only named tools, "none", "auto" or "required" are supported.`,
  ),
  'deepseek/missing-thinking': {
    path: MESSAGES,
    refused: calledBack([]),
    accepted: calledBack([{ type: 'thinking', thinking: 'Read it.', signature: 'c2ln' }]),
    says: 'The `content[].thinking` in the thinking mode must be passed back to the API.',
  },
  'moonshot/missing-thinking': {
    path: MESSAGES,
    refused: calledBack([], 'kimi-k2.6'),
    accepted: calledBack([{ type: 'thinking', thinking: 'Read it.', signature: 'c2ln' }], 'kimi-k2.6'),
    says: 'reasoning_content is missing in assistant tool call message at index 1',
  },
  'dashscope/messages-choice': {
    path: MESSAGES,
    refused: thinkingOf({ type: 'enabled', budget_tokens: 1024 }, { type: 'any' }),
    accepted: thinkingOf({ type: 'enabled', budget_tokens: 1024 }, { type: 'auto' }),
    says: 'The tool_choice parameter does not support being set to required or object in thinking mode',
  },
  'dashscope/thinking-kind': {
    path: MESSAGES,
    refused: thinkingOf({ type: 'adaptive' }),
    accepted: thinkingOf({ type: 'disabled' }),
    says: "Only 'enabled' and 'disabled' are supported for thinking; 'adaptive' is not supported.",
  },
  'anthropic/beta-field': {
    path: MESSAGES,
    refused: betaRequest({ context_management: { edits, enabled: true } }),
    accepted: betaRequest({ context_management: { edits } }),
    says: 'context_management.enabled: Extra inputs are not permitted',
  },
  'vertex/root-type': vertex(
    { tools: [declared({ properties: { a: { type: 'STRING' } } })] },
    { tools: [declared({ type: 'object', properties: { a: { type: 'STRING' } } })] },
    'Unable to submit request because `read` functionDeclaration parameters schema should be of type OBJECT.',
  ),
  'vertex/mixed-tools': vertex(
    { tools: [declared({ type: 'OBJECT' }), { googleSearch: {} }] },
    { tools: [{ googleSearch: {} }] },
    'Multiple tools are supported only when they are all search tools.',
  ),
  'groq/effort': chatCase(
    'qwen/qwen3-32b',
    { reasoning_effort: 'high' },
    { reasoning_effort: 'default' },
    '`reasoning_effort` must be one of `none` or `default`',
  ),
  'litellm/tool-choice': chatCase(
    'bedrock/us.meta.llama3-3-70b-instruct-v1:0',
    { tools, tool_choice: 'auto' },
    { tools },
    "bedrock does not support parameters: ['tool_choice'], for model=us.meta.llama3-3-70b-instruct-v1:0.",
  ),
  'lmstudio/tool-type': {
    path: RESPONSES,
    refused: { model: 'qwen3', input: 'go', tools: [{ type: 'namespace', name: 'mcp__x__', tools: [] }] },
    accepted: { model: 'qwen3', input: 'go', tools: [{ type: 'function', name: 'x', parameters: { type: 'object' } }] },
    says: 'Invalid',
  },
  'lmstudio/numbers': chatCase(
    'google/gemma-4-12b',
    called('{"n":3}'),
    called('{"n":"3","all":true}'),
    'Unknown test: sequence',
  ),
  'lmstudio/untyped-property': chatCase(
    'google/gemma-4-12b',
    withProperty({ description: 'A path.' }),
    withProperty({ type: 'string' }),
    'Cannot call something that is not a function: got UndefinedValue',
  ),
  'vllm/user-name': chatCase(
    'mistralai/Mistral-Large-Instruct-2411',
    { messages: [{ ...user(), name: 'bob' }] },
    { messages: [user()] },
    'messages.0.user.name',
  ),
};
