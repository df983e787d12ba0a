import {
  callAndResult,
  calledBefore,
  calls,
  chatCase,
  functionTool,
  MESSAGES,
  messages,
  RESPONSES,
  type RuleCase,
  responses,
  result,
  user,
} from './case.ts';

const tools = [functionTool()];
const server = (blocks: readonly object[]) => ({
  model: 'claude-sonnet-4-5',
  max_tokens: 99,
  messages: [user(), { role: 'assistant', content: [...blocks, { type: 'text', text: 'Hi.' }] }, user()],
});
const referred = { type: 'tool_reference', tool_name: 'read' };
const ofReferences = (content: readonly object[]) => ({
  model: 'claude-opus-4-8',
  max_tokens: 99,
  tools: [
    { name: 'find', input_schema: { type: 'object' } },
    { name: 'read', input_schema: { type: 'object' } },
  ],
  messages: [
    user(),
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'find', input: {} }] },
    user([{ type: 'tool_result', tool_use_id: 'toolu_1', content }]),
  ],
});
const found = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] };
const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } };
const lite = { 'x-openai-internal-codex-responses-lite': 'true' };
/** The reason of DeepSeek's reader for another type in a list of types. */
const PLAIN = 'Invalid tool parameters schema : field `type`: unknown variant `object`, expected one of `string`';
const strict = (type: readonly string[]) => ({
  tools: [functionTool({ properties: { a: { type } } }, 'read', { strict: true })],
});
const called = { type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{}' };
const output = { type: 'function_call_output', call_id: 'call_1', output: 'ok' };
const said = (fields: object = {}) => ({
  input: [user(), { role: 'assistant', content: [{ type: 'output_text', text: 'Hi.' }], ...fields }, user()],
});
const reference = (schema: object) => ({
  contents: [{ role: 'user', parts: [{ text: 'go' }] }],
  tools: [
    {
      functionDeclarations: [
        {
          name: 'run',
          parametersJsonSchema: { type: 'object', properties: { language: { $ref: '#/$defs/Language' } }, ...schema },
        },
      ],
    },
  ],
});
const spoken = (role: string) => ({ role, parts: [{ text: 'go' }] });
const go = { role: 'user', content: [{ text: 'go' }] };
const novaTool = (schema: object) => ({
  messages: [go],
  toolConfig: { tools: [{ toolSpec: { name: 'read', inputSchema: { json: { type: 'object', ...schema } } } }] },
});
const NOVA = '/model/us.amazon.nova-lite-v1:0/converse';
const claudeTool = { name: 'read', input_schema: { type: 'object' } };
const inMessages = (refused: object, accepted: object, says: string): RuleCase => {
  const rest = { model: 'claude-sonnet-4-5', max_tokens: 99, messages: [user()] };
  return { path: MESSAGES, refused: { ...rest, ...refused }, accepted: { ...rest, ...accepted }, says };
};
const pdf = (data: string) => ({ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } });
const pages = (count: number) => {
  const objects = Array.from({ length: count }, (_, index) => `${index} 0 obj << /Type /Page >> endobj`);
  return Buffer.from(`%PDF-1.4 /Type /Pages ${objects.join(' ')}`).toString('base64');
};
const failed = (content: string) => calledBefore({}, { content, is_error: true });
const GGUF = 'hf.co/unsloth/Qwen3.5-9B-GGUF:Q4_K_M';
const JSON_OBJECT = { type: 'json_object' };
const system = { role: 'system', content: 'Be brief.' };
const nested = (depth: number) => {
  let parameters: object = { type: 'STRING' };
  for (let left = depth; left > 0; left--) {
    parameters =
      left % 2 === 1 ? { type: 'OBJECT', properties: { a: parameters } } : { type: 'ARRAY', items: parameters };
  }
  return {
    contents: [{ role: 'user', parts: [{ text: 'go' }] }],
    tools: [{ functionDeclarations: [{ name: 'read', description: 'x', parameters }] }],
  };
};
const ID = 'aB3dE6gH9';
const signed = (content: string) => {
  const extra_content = { google: { thought_signature: 'c2ln' } };
  const called = { name: 'read', arguments: '{}' };
  const call = { id: 'call_1', type: 'function', function: called, extra_content };
  return [{ role: 'assistant', content, tool_calls: [call] }, result('call_1')];
};

/** The cases of rules that reports of the third list name. */
export const REPORT_CASES: Readonly<Record<string, RuleCase>> = {
  'ollama/shape': {
    path: '/api/chat',
    refused: { model: 'qwen3', messages: [user()], think: 'false' },
    accepted: { model: 'qwen3', messages: [user()], think: false, truncate: null },
    says: 'invalid think value: "false" (must be "high", "medium", "low", "max", true, or false)',
  },
  'groq/retired-model': chatCase(
    'gemma2-9b-it',
    {},
    { model: 'openai/gpt-oss-120b' },
    'The model `gemma2-9b-it` has been decommissioned and is no longer supported.',
  ),
  'together/one-call': chatCase(
    'meta-llama/Llama-3.3-70B-Instruct-Turbo',
    { tools, more: [calls(['call_1', 'call_2']), result('call_1'), result('call_2')] },
    { tools, more: callAndResult('call_1') },
    'Unable to call `raise_exception`, which is undefined or falsey',
  ),
  'lmstudio/property-items': chatCase(
    'openai/gpt-oss-120b',
    { tools: [functionTool({ properties: { items: { type: 'string' } } })] },
    { tools: [functionTool({ properties: { list: { type: 'string' } } })] },
    'Cannot call something that is not a function: got ObjectValue',
  ),
  'moonshot/retired-model': chatCase(
    'kimi-k2-0711-preview',
    {},
    { model: 'kimi-k2.6' },
    'Not found the model kimi-k2-0711-preview or Permission denied',
    404,
  ),
  'zai/empty-answer': chatCase(
    'glm-4',
    { more: [{ role: 'assistant', content: '' }, user()] },
    { more: [{ role: 'assistant', content: 'Hi.' }, user()] },
    'messages[1]:content和tool_calls 字段不能同时为空',
  ),
  'xai/choice-without-tools': chatCase(
    'grok-3-mini-fast',
    { tool_choice: 'auto' },
    { tool_choice: 'auto', tools },
    'A tool_choice was set on the request but no tools were specified.',
  ),
  'dashscope/output-limit': chatCase(
    'qwen3-max',
    { max_tokens: 131_072 },
    { max_tokens: 65_536 },
    'Range of max_tokens should be [1, 65536]',
  ),
  'fireworks/tool-field': {
    path: '/inference/v1/messages',
    refused: { model: 'kimi-k2p6', max_tokens: 9, messages: [user()], tools: [{ ...claudeTool, defer_loading: true }] },
    accepted: { model: 'kimi-k2p6', max_tokens: 9, messages: [user()], tools: [claudeTool] },
    says: "Extra inputs are not permitted, field: 'tools[0].defer_loading', value: True",
  },
  'fireworks/schema': chatCase(
    'accounts/fireworks/models/kimi-k2p6',
    { tools: [functionTool({ anyOf: [{ required: ['criteria'] }] })] },
    { tools: [functionTool({ required: ['criteria'] })] },
    "JSON Schema not supported: could not understand the instance `{'required': ['criteria']}`.",
  ),
  'lmstudio/no-properties': chatCase(
    'qwen3-8b',
    { tools: [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }] },
    { tools },
    '"received": "undefined"',
  ),
  'openrouter/model-prefix': chatCase(
    'openrouter/google/gemini-2.5-flash',
    {},
    { model: 'google/gemini-2.5-flash' },
    'openrouter/google/gemini-2.5-flash is not a valid model ID',
  ),
  'azure/responses-lite': {
    path: `/openai${RESPONSES}`,
    headers: lite,
    refused: { model: 'gpt-5.6-sol', input: 'go', tools: [{ type: 'namespace', name: 'collaboration', tools: [] }] },
    accepted: {
      model: 'gpt-5.6-sol',
      input: 'go',
      tools: [{ type: 'function', name: 'read', parameters: { type: 'object', properties: {} } }],
    },
    says: 'X-OpenAI-Internal-Codex-Responses-Lite only supports function tools',
  },
  'vertex/text-beside-calls': {
    ...chatCase(
      'google/gemini-3.6-flash',
      { tools, more: signed('I read it.') },
      { tools, more: signed('') },
      'Request contains an invalid argument.',
    ),
    path: '/v1/projects/p/locations/global/endpoints/openapi/chat/completions',
  },
  'anthropic/mixed-references': {
    path: MESSAGES,
    refused: ofReferences([{ type: 'text', text: 'Found it.' }, referred]),
    accepted: ofReferences([referred, referred]),
    says: 'Tool definitions/code execution functions cannot be mixed with other content',
  },
  'anthropic/lone-server-result': {
    path: MESSAGES,
    refused: server([found]),
    accepted: server([search, found]),
    says: 'messages.1.content.0: unexpected `tool_use_id` found in `web_search_tool_result` blocks: srvtoolu_1.',
  },
  'vllm/listed-content': chatCase(
    'openai/gpt-oss-20b',
    { tools, more: [...callAndResult('c1', { content: [] })] },
    { tools, more: callAndResult('c1', { content: null }) },
    '1 validation error for Message',
  ),
  'vllm/last-answer': chatCase(
    'mistralai/Devstral-Small-2-24B-Instruct-2512',
    { more: [{ role: 'assistant', content: 'Hi.' }] },
    { more: [{ role: 'assistant', content: 'Hi.' }], continue_final_message: true },
    'Cannot set `add_generation_prompt` to True when the last message is from the assistant.',
  ),
  'vllm/user-after-result': chatCase(
    'mistralai/Devstral-Small-2-24B-Instruct-2512',
    { tools, more: [...callAndResult(ID), user()] },
    { tools, more: [...callAndResult(ID).slice(0, 1), result(ID), { role: 'assistant', content: 'Hi.' }, user()] },
    "Unexpected role 'user' after role 'tool'",
  ),
  'bedrock/converse-nova-schema': {
    path: NOVA,
    refused: novaTool({ properties: {}, $defs: { a: { type: 'string' } } }),
    accepted: novaTool({ properties: {} }),
    says: '#/toolConfig/tools/0/toolSpec/inputSchema/json: extraneous key [$defs] is not permitted',
  },
  'litellm/choice-word': chatCase(
    'bedrock/au.anthropic.claude-sonnet-4-5-20250929-v1:0',
    { tools, tool_choice: 'any' },
    { tools, tool_choice: 'required' },
    "bedrock does not support parameters: ['tool_choice'], for model=au.anthropic.claude-sonnet-4-5-20250929-v1:0.",
  ),
  'gemini/reference': {
    path: '/v1beta/models/gemini-2.5-pro:generateContent',
    refused: reference({}),
    accepted: reference({ $defs: { Language: { type: 'string' } } }),
    says: 'reference to undefined schema at properties.language',
  },
  'vllm/answer-item': responses('glm-4.7-flash', said(), said({ type: 'message' }), '2 validation errors'),
  'lmstudio/output-parts': responses(
    'gemma-4-e2b-it-qat',
    { input: [user(), called, { ...output, output: [{ type: 'input_text', text: 'ok' }] }] },
    { input: [user(), called, output] },
    "Invalid type for 'input'.",
  ),
  'xai/choice': {
    ...responses(
      'grok-4.5',
      { input: 'go', tools: [{ type: 'web_search' }], tool_choice: { type: 'web_search' } },
      { input: 'go', tools: [{ type: 'web_search' }], tool_choice: 'required' },
      'data did not match any variant of untagged enum ModelToolChoice',
    ),
    status: 422,
  },
  'deepseek/root-type': chatCase(
    'deepseek-chat',
    { tools: [functionTool({ type: undefined })] },
    { tools },
    "Invalid schema for function 'read': schema must be a JSON Schema of 'type: \"object\"', got 'type: null'.",
  ),
  'deepseek/strict-schema': {
    ...chatCase('deepseek-v4-pro', strict(['object', 'null']), strict(['string', 'null']), PLAIN),
    path: '/beta/chat/completions',
  },
  'openrouter/deepseek': chatCase(
    'deepseek/deepseek-v4-pro',
    strict(['array']),
    strict(['string', 'null']),
    'DeepSeek',
  ),
  'openrouter/moonshot': chatCase(
    'moonshotai/kimi-k2.6',
    { tools: [functionTool({ properties: { a: { description: 'x' } } })] },
    { tools: [functionTool({ properties: { a: { type: 'string' } } })] },
    'is not a valid moonshot flavored json schema',
  ),
  'openrouter/gemini-schema': chatCase(
    'google/gemini-3.5-flash',
    { tools: [functionTool({ properties: { a: { type: 'array' } } })] },
    { tools: [functionTool({ properties: { a: { type: 'array', items: { type: 'string' } } }, required: ['a'] })] },
    'Provider returned error',
  ),
  'openrouter/mistral': chatCase(
    'mistralai/devstral-medium',
    { tools, more: [...callAndResult(ID), user('and?')] },
    { tools, more: callAndResult(ID) },
    "Unexpected role 'user' after role 'tool'",
  ),
  'azure/claude-tools': messages(
    'claude-opus-4-6',
    { tools: [{ name: 'read.file', input_schema: { type: 'object' } }] },
    { tools: [{ name: 'read_file', input_schema: { type: 'object' } }] },
    'tools.0.custom.name',
  ),
  'azure/claude': messages(
    'claude-opus-4-6',
    { system: [{ type: 'text', text: '' }] },
    { system: [{ type: 'text', text: 'Be kind.' }] },
    'system: text content blocks must be non-empty',
  ),
  'azure/claude-in-chat': {
    path: '/openai/v1/chat/completions',
    refused: { model: 'claude-opus-4-6', messages: [user()] },
    accepted: { model: 'gpt-4o', messages: [user()] },
    says: 'Requested API is currently not supported',
    status: 404,
  },
  'deepseek/missing-reasoning-item': responses(
    'deepseek-v4-flash',
    { input: [user(), called, output] },
    { input: [user(), { type: 'reasoning', id: 'rs_1', summary: [] }, called, output] },
    'The `reasoning_text` in the thinking mode must be passed back to the API.',
  ),
  'openrouter/providers': chatCase(
    'anthropic/claude-sonnet-5',
    { provider: { only: ['open-inference'] } },
    { provider: { only: ['anthropic'] } },
    'No allowed providers are available for the selected model.',
    404,
  ),
  'dashscope/no-content': chatCase(
    'qwen3-max',
    { tools, more: callAndResult(ID, { content: undefined }) },
    { tools, more: callAndResult(ID) },
    'Input error. Field required: input.messages.1.content',
  ),
  'ollama/cloud-role': {
    path: '/api/chat',
    refused: { model: 'gemini-3-pro-preview', messages: [user(), { role: 'thinking', content: 'Hm.' }, user()] },
    accepted: { model: 'gemini-3-pro-preview', messages: [user()] },
    says: 'Invalid role: thinking',
  },
  'ollama/user-query': {
    ...chatCase(GGUF, {}, {}, 'No user query found in messages.', 500),
    refused: { model: GGUF, messages: [{ role: 'system', content: 'Be brief.' }] },
  },
  'ollama/late-system': {
    ...chatCase(GGUF, { more: [system] }, { more: [] }, 'System message must be at the beginning.', 500),
    accepted: { model: 'qwen3.5', messages: [user(), system] },
  },
  'anthropic/document': inMessages(
    { messages: [user([pdf('bm8gUERG')])] },
    { messages: [user([pdf('JVBERi0xLjQK')])] },
    'messages.0.content.0.pdf.source.base64.data: The PDF specified was not valid.',
  ),
  'anthropic/pages': inMessages(
    { messages: [user([pdf(pages(101))])] },
    { messages: [user([pdf(pages(100))])] },
    'messages.0.content.0.pdf.source.base64.data: A maximum of 100 PDF pages may be provided.',
  ),
  'anthropic/empty-error': inMessages(
    { tools: [claudeTool], messages: failed('') },
    { tools: [claudeTool], messages: failed('It failed.') },
    'messages.2.content.0.tool_result: content cannot be empty if `is_error` is true',
  ),
  'vertex/web-search': inMessages(
    { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
    {
      tools: [{ type: 'web_search_20250305', name: 'web_search' }],
      anthropic_beta: ['web-search-2025-03-05'],
    },
    "tools.0: Input tag 'web_search_20250305' found using 'type' does not match any of the expected tags:",
  ),
  'lmstudio/empty-parameters': responses(
    'openai/gpt-oss-20b',
    { input: 'go', tools: [{ type: 'function', name: 'read', parameters: {} }] },
    { input: 'go', tools: [{ type: 'function', name: 'read', parameters: { type: 'object', properties: {} } }] },
    'Invalid input',
  ),
  'openai/format-by-model': {
    ...chatCase('gpt-4', { response_format: JSON_OBJECT }, {}, "'response_format' of type 'json_object' is not"),
    accepted: { model: 'gpt-4-turbo', messages: [user('JSON')], response_format: JSON_OBJECT },
  },
  'gemini/schema-depth': {
    path: '/v1beta/models/gemini-2.5-flash:generateContent',
    refused: nested(6),
    accepted: nested(5),
    says: "FunctionDeclaration 'read' in the request exceeds the maximum allowed nesting depth.",
  },
  'gemini/last-turn': {
    path: '/v1beta/models/gemini-3.6-flash:generateContent',
    refused: { contents: [spoken('user'), spoken('model')] },
    accepted: { contents: [spoken('model'), spoken('user')] },
    says: 'Requests ending with a model turn are not supported.',
  },
  'deepseek/empty-answer': chatCase(
    'deepseek-chat',
    { messages: [user('go'), { role: 'assistant', content: '' }, user('on')] },
    { messages: [user('go'), { role: 'assistant', content: 'Yes.' }, user('on')] },
    'Invalid assistant message: content or tool_calls must be set',
  ),
  'mistral/reasoning-by-model': chatCase(
    'mistral-large-2512',
    { reasoning_effort: 'high' },
    {},
    'reasoning_effort is not enabled for this model',
  ),
  'openrouter/responses-request': responses(
    'openai/gpt-5.4',
    { input: 'go', tools: [{ type: 'namespace', name: 'a', description: 'x', tools: [] }] },
    { input: 'go' },
    'Invalid Responses API request',
  ),
};
