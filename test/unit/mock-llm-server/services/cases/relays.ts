import {
  CHAT,
  callAndResult,
  chat,
  chatCase,
  functionTool,
  type Json,
  MESSAGES,
  RESPONSES,
  type RuleCase,
  responses,
  resultWith,
  user,
} from './case.ts';

const claude = (refused: Json, accepted: Json, says: string, model = 'claude-sonnet-4-6'): RuleCase => ({
  path: MESSAGES,
  refused: { model, max_tokens: 100, messages: [user()], ...refused },
  accepted: { model, max_tokens: 100, messages: [user()], ...accepted },
  says,
});
const converse = (model: string, refused: Json, accepted: Json, says: string): RuleCase => ({
  path: `/model/${model}/converse`,
  refused: { messages: [user([{ text: 'go' }])], ...refused },
  accepted: { messages: [user([{ text: 'go' }])], ...accepted },
  says,
});
const gemini = (path: string, refused: Json, accepted: Json, says: string): RuleCase => ({
  path,
  refused: { contents: [{ role: 'user', parts: [{ text: 'go' }] }], generationConfig: { thinkingConfig: refused } },
  accepted: { contents: [{ role: 'user', parts: [{ text: 'go' }] }], generationConfig: { thinkingConfig: accepted } },
  says,
});
const vertex = (model: string) =>
  `/v1/projects/p/locations/us-central1/publishers/google/models/${model}:generateContent`;
const format = (schema: Json) => ({ output_config: { format: { type: 'json_schema', schema } } });
const closed = (fields: Json) => ({ type: 'object', additionalProperties: false, ...fields });
const optional = (count: number) =>
  closed({ properties: Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, { type: 'string' }])) });
const mark = (fields: Json = {}) => ({ cache_control: { type: 'ephemeral', ...fields } });
const picture = (data: string, type = 'png') => [
  user([{ type: 'image_url', image_url: { url: `data:image/${type};base64,${data}` } }]),
];
const prefill = { more: [{ role: 'assistant', content: 'Hi' }] };
const dotted = { tools: [functionTool({}, 'my.tool')] };
const plain = { tools: [functionTool({}, 'my_tool')] };
const open = { tools: [{ type: 'function', function: { name: 'read', parameters: {} } }] };
const root = { tools: [{ type: 'function', name: 'read', parameters: {} }] };
const rooted = { tools: [{ type: 'function', name: 'read', parameters: { type: 'object', properties: {} } }] };
const anyOf = { type: 'object', properties: {}, anyOf: [{ required: ['a'] }] };
const specs = (json: Json) => ({ toolConfig: { tools: [{ toolSpec: { name: 'read', inputSchema: { json } } }] } });
const image = { image: { format: 'png', source: { bytes: 'iVBORw0KGgo=' } } };
const NAME = "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'";
const PREFILL = 'This model does not support assistant message prefill.';

/** A request as Codex sends it. */
const codexCase = (refused: Json, accepted: Json, says: string) => {
  const fields = { instructions: 'Be kind.', input: [user()], store: false, stream: true };
  return responses('gpt-5.5', { ...fields, ...refused }, { ...fields, ...accepted }, says);
};

/** The cases of requests that a gateway hands on, and of the rules that it meets there. */
export const RELAY_CASES: Readonly<Record<string, RuleCase>> = {
  'anthropic/strict-schema': claude(
    format(closed({ properties: { a: { type: 'array', items: {}, maxItems: 3 } }, required: ['a'] })),
    format(closed({ properties: { a: { type: 'array', items: {}, minItems: 1 } }, required: ['a'] })),
    "output_config.format.schema: For 'array' type, property 'maxItems' is not supported",
  ),
  'anthropic/optional-properties': claude(
    format(optional(25)),
    format(optional(24)),
    'Schemas contains too many optional parameters (25)',
  ),
  'anthropic/nested-mark': claude(
    resultWith([
      { type: 'text', text: 'a', ...mark() },
      { type: 'text', text: 'b' },
    ]),
    resultWith([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b', ...mark() },
    ]),
    'messages.2.content.0.tool_result.content.0.cache_control: cache_control may not be specified within',
  ),
  'anthropic/mark-time': claude(
    { ...mark(), messages: [user([{ type: 'text', text: 'go', ...mark({ ttl: '1h' }) }])] },
    { ...mark(), messages: [user([{ type: 'text', text: 'go', ...mark() }])] },
    "Top-level cache_control has ttl='5m' but the target block already has cache_control with ttl='1h'",
  ),
  'anthropic/forced-call': claude(
    { tools: [{ name: 'read', input_schema: { type: 'object', properties: {} } }], tool_choice: { type: 'any' } },
    { tools: [{ name: 'read', input_schema: { type: 'object', properties: {} } }], tool_choice: { type: 'auto' } },
    'tool_choice: type "tool" and "any" are not supported for this model.',
    'claude-fable-5-1',
  ),
  'openai/broken-picture': chatCase(
    'gpt-4o',
    { messages: picture('AAAA') },
    { messages: picture('/9j/4AAQ', 'jpeg') },
    'You uploaded an unsupported image.',
  ),
  'openai/picture': chatCase(
    'gpt-3.5-turbo',
    { messages: picture('iVBORw0KGgo=') },
    { messages: picture('iVBORw0KGgo='), model: 'gpt-4o' },
    'Invalid content type. image_url is only supported by certain models.',
  ),
  'gemini/in-chat': {
    ...chatCase(
      'gemini-2.5-flash',
      { tools: [functionTool(), functionTool()] },
      { tools: [functionTool()], more: callAndResult('call_1') },
      'Duplicate function declaration found: read',
    ),
    path: '/v1beta/openai/chat/completions',
  },
  'vertex/no-budget': gemini(
    vertex('gemini-2.5-pro'),
    { thinkingBudget: 0 },
    { thinkingBudget: 128 },
    'The model does not support setting thinking_budget to 0.',
  ),
  'vertex/thinking-level': gemini(
    vertex('gemini-3-pro-preview'),
    { thinkingLevel: 'medium' },
    { thinkingLevel: 'low' },
    'thinking_level MEDIUM is not supported by this model. Learn more: https://',
  ),
  'bedrock/converse-claude': converse(
    'global.anthropic.claude-opus-4-6-v1',
    { messages: [user([{ text: 'go' }]), { role: 'assistant', content: [{ text: 'I' }] }] },
    {},
    `The model returned the following errors: ${PREFILL}`,
  ),
  'bedrock/converse-claude-tools': converse(
    'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    specs(anyOf),
    specs({ type: 'object', properties: {} }),
    'The model returned the following errors: tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf',
  ),
  'bedrock/converse-pictures': converse(
    'us.anthropic.claude-3-5-sonnet-20241022-v2:0',
    { messages: [user([...Array.from({ length: 21 }, () => image), { text: 'go' }])] },
    { messages: [user([...Array.from({ length: 20 }, () => image), { text: 'go' }])] },
    'too many images and documents: 21 + 0 > 20',
  ),
  'openrouter/claude': chatCase('anthropic/claude-opus-4.6', prefill, {}, PREFILL),
  'openrouter/claude-tools': chatCase('anthropic/claude-sonnet-4.5', dotted, plain, NAME),
  'openrouter/claude-in-messages': claude(
    { messages: [user(), { role: 'assistant', content: 'Hi' }] },
    {},
    PREFILL,
    'anthropic/claude-opus-4.6',
  ),
  'openrouter/gpt-tools': chatCase('openai/gpt-5', open, plain, "Invalid schema for function 'read'"),
  'openrouter/output-minimum': chatCase(
    'openai/gpt-5-mini',
    { max_tokens: 15 },
    { max_tokens: 16 },
    'Expected a value >= 16, but got 15 instead.',
  ),
  'copilot/plan': {
    ...chatCase('claude-sonnet-4.5', {}, {}, 'The requested model is not supported.'),
    headers: { authorization: 'Bearer tid=1;exp=1;sku=free_limited_copilot;chat=1' },
  },
  'copilot/claude': chatCase('claude-opus-4.6', prefill, {}, PREFILL),
  'copilot/claude-tools': chatCase('claude-sonnet-4.5', dotted, plain, NAME),
  'copilot/gemini-tools': chatCase(
    'gemini-2.5-pro',
    { tools: [functionTool({}, '1read')] },
    plain,
    'Invalid function name. Must start with a letter or an underscore.',
  ),
  'copilot/gpt': chatCase(
    'gpt-5-mini',
    { max_tokens: 99 },
    { max_completion_tokens: 99 },
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
  ),
  'copilot/gpt-tools': chatCase(
    'gpt-4.1',
    { tools: [functionTool({ properties: { list: { type: 'array' } } })] },
    { tools: [functionTool()] },
    "Invalid schema for function 'read': In context=('properties', 'list'), array schema missing items.",
  ),
  'copilot/item-reference': {
    ...responses('gpt-5.4', { input: [user(), { type: 'item_reference', id: 'rs_1' }, user()] }, {}, ''),
    status: 404,
  },
  'codex/form': codexCase({ stream: false }, { instructions: '' }, 'Stream must be set to true'),
  'codex/parameter': codexCase(
    { metadata: {} },
    { client_metadata: { 'x-codex-installation-id': 'a' }, prompt_cache_key: 'a', service_tier: 'priority' },
    'Unsupported parameter: metadata',
  ),
  'codex/model': codexCase(
    { model: 'gpt-5.4/medium' },
    { model: 'gpt-5.4' },
    "The 'gpt-5.4/medium' model is not supported when using Codex with a ChatGPT account.",
  ),
  'codex/api': codexCase(
    { prompt_cache_key: 'k'.repeat(67) },
    { prompt_cache_key: 'k'.repeat(64) },
    "Invalid 'prompt_cache_key': string too long. Expected a string with maximum length 64, but got a string with length 67 instead.",
  ),
  'codex/api-tools': codexCase(
    { tools: [{ type: 'function', name: 'my.tool', parameters: closed({ properties: {} }) }] },
    rooted,
    "Invalid 'tools[0].name': string does not match pattern.",
  ),
  'copilot/gpt-in-responses': responses(
    'gpt-5.2',
    { input: [user(), { type: 'reasoning', id: 'thinking_0', summary: [] }, user()] },
    { input: [user(), { role: 'assistant', content: 'Hi.' }, user()] },
    "Invalid 'input[1].id': 'thinking_0'. Expected an ID that begins with 'rs'.",
  ),
  'copilot/gpt-in-responses-tools': responses(
    'gpt-5.2',
    { tools: [{ type: 'function', name: 'my.tool', parameters: closed({ properties: {} }) }] },
    rooted,
    "Invalid 'tools[0].name': string does not match pattern.",
  ),
  'copilot/integration': {
    path: RESPONSES,
    refused: { model: 'gpt-5.6-sol', input: 'go' },
    acceptedPath: CHAT,
    accepted: chat('gpt-4.1'),
    says: 'Forbidden',
    status: 403,
  },
  'litellm/claude': chatCase('anthropic/claude-opus-4-6', prefill, {}, PREFILL),
  'litellm/claude-tools': chatCase('claude-sonnet-4-5', dotted, plain, NAME),
  'litellm/claude-in-messages': claude({ messages: [user(), { role: 'assistant', content: 'Hi' }] }, {}, PREFILL),
  'litellm/claude-in-messages-tools': claude(
    { tools: [{ name: 'read', input_schema: anyOf }] },
    { tools: [{ name: 'read', input_schema: { type: 'object', properties: {} } }] },
    'input_schema does not support oneOf, allOf, or anyOf at the top level',
  ),
  'litellm/gpt-tools': chatCase('gpt-4o', dotted, plain, "OpenAIException - Invalid 'tools[0].function.name'"),
  'litellm/gpt-in-responses': responses(
    'openai/gpt-4o',
    { include: ['reasoning.encrypted_content'] },
    { include: ['message.output_text.logprobs'] },
    'Encrypted content is not supported with this model.',
  ),
  'litellm/gpt-in-responses-tools': responses('openai/gpt-4o', root, rooted, "Invalid schema for function 'read'"),
};
