import {
  CHAT,
  chatCase,
  functions,
  functionTool,
  type Json,
  messages,
  PICTURE,
  type RuleCase,
  responses,
  resultWith,
  user,
} from './case.ts';

const tools = [functionTool()];
const call = { type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{}' };
const output = (type: string) => ({
  input: [user(), call, { type: 'function_call_output', call_id: 'call_1', output: [{ type, text: 'ok' }] }],
});
const json = { response_format: { type: 'json_object' }, messages: [user('as JSON')], stream: true };
const block = (type: string, fields: Json = {}) => ({
  messages: [user([{ type, text: 'a', ...fields }]), { role: 'assistant', content: 'Hi.' }, user()],
});
const document = block('document', { source: { type: 'text', media_type: 'text/plain', data: 'a' } });
const thought = (fields: Json) => ({
  messages: [user(), { role: 'assistant', content: [fields, { type: 'text', text: 'Hi.' }] }, user()],
});
const system = { role: 'system', content: 'Be kind.' };
const developer = { ...system, role: 'developer' };
const answer = { role: 'assistant', content: 'Hi.' };
const calledAs = (name: string): readonly Json[] => [
  { ...answer, content: '', tool_calls: [{ id: 'abcdefgh1', type: 'function', function: { name, arguments: '{}' } }] },
  { role: 'tool', tool_call_id: 'abcdefgh1', content: 'ok' },
];
const called = (content: unknown): readonly Json[] => {
  const [first, ...others] = calledAs('read');
  return [{ ...first, content }, ...others];
};
const limitedTo = (maxItems: number) => ({
  tools: [{ name: 'read', input_schema: { type: 'object', properties: { list: { type: 'array', maxItems } } } }],
});

/** Cases of rules over the protocols that services have beside Chat Completions, and of values. */
export const WIRE_CASES: Readonly<Record<string, RuleCase>> = {
  'llamacpp/item': responses(
    'any',
    { input: [user(), { type: 'item_reference', id: 'msg_1' }] },
    { input: [user(), call, { type: 'function_call_output', call_id: 'call_1', output: 'ok' }] },
    "Cannot determine type of 'item'",
  ),
  'llamacpp/item-parts': responses(
    'any',
    output('output_text'),
    output('input_text'),
    "Output of tool call should be 'Input text'",
  ),
  'llamacpp/part-type': chatCase(
    'any',
    { messages: [user([{ type: 'input_text', text: 'a' }])] },
    { messages: [user([{ type: 'text', text: 'a' }])] },
    'unsupported content[].type',
  ),
  'llamacpp/logprobs': chatCase(
    'any',
    { tools, logprobs: true, stream: true },
    { tools, stream: true },
    'logprobs is not supported with tools + stream',
  ),
  'ollama/item': responses(
    'qwen3:8b',
    { input: [user(), { type: 'item_reference', id: 'msg_1' }] },
    { input: [user(), call, { type: 'function_call_output', call_id: 'call_1', output: 'ok' }] },
    'input[1]: unknown input item type: "item_reference"',
  ),
  'ollama/item-arguments': responses(
    'qwen3:8b',
    {
      input: [
        user(),
        { ...call, arguments: '{"path' },
        { type: 'function_call_output', call_id: 'call_1', output: 'ok' },
      ],
    },
    {
      input: [user(), { ...call, arguments: '{}' }, { type: 'function_call_output', call_id: 'call_1', output: 'ok' }],
    },
    'failed to parse function call arguments',
  ),
  'ollama/picture-source': messages(
    'qwen3-vl:8b',
    { messages: [user([{ type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }])] },
    {
      messages: [user([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } }])],
    },
    'invalid image source type: url. Only base64 images are supported.',
  ),
  'ollama/tool-schema': chatCase(
    'qwen3:8b',
    { tools: [functionTool({ properties: { path: { type: 'string', required: true } } })] },
    { tools: [functionTool({ properties: { path: { type: 'string' } }, required: ['path'] })] },
    'json: cannot unmarshal bool into Go struct field ToolProperty.required of type []string',
  ),
  'ollama/embedding-model': {
    path: '/api/chat',
    refused: { model: 'bge-m3:latest', messages: [user()], stream: false },
    accepted: { model: 'qwen3:8b', messages: [user()], stream: false },
    says: '"bge-m3:latest" does not support chat',
  },
  'ollama/cloud-picture': {
    path: CHAT,
    refused: { model: 'glm-5.2:cloud', messages: [PICTURE] },
    accepted: { model: 'qwen3-vl:235b-cloud', messages: [PICTURE] },
    says: 'this model does not support image input',
  },
  'moonshot/document': messages(
    'kimi-k2.5',
    document,
    block('text'),
    "messages.0.content.0: Input tag 'document' found using 'type' does not match any of the expected tags",
  ),
  'moonshot/too-many-tools': chatCase(
    'kimi-k3',
    { tools: functions(129) },
    { tools: functions(128) },
    'a max of 128 tools can be supported',
  ),
  'moonshot/top-p': chatCase('kimi-k2.5', { top_p: 0.9 }, { top_p: 0.95 }, 'invalid top_p: only 0.95 is allowed'),
  'deepseek/messages-role': messages(
    'deepseek-chat',
    { messages: [user(), { role: 'system', content: 'Be kind.' }, user()] },
    { system: 'Be kind.' },
    'messages[1].role: unknown variant `system`, expected `user` or `assistant`',
  ),
  'deepseek/block': messages(
    'deepseek-chat',
    document,
    block('text'),
    'messages[0].content: unknown variant `document`, expected one of `text`, `tool_use`, `tool_result`, `thinking`',
  ),
  'deepseek/unique-names': chatCase(
    'deepseek-v4-pro',
    { tools: [functionTool(), functionTool()] },
    { tools: functions(2) },
    'Tool names must be unique.',
  ),
  'dashscope/developer-role': chatCase(
    'qwen-plus',
    { messages: [developer, user()] },
    { messages: [system, user()] },
    "developer is not one of ['system', 'assistant', 'user', 'tool', 'function'] - 'messages.['0'].role'",
  ),
  'moonshot/developer-role': chatCase(
    'kimi-for-coding',
    { messages: [developer, user()] },
    { messages: [system, user()] },
    'Invalid request Error',
  ),
  'groq/tool-name': chatCase(
    'llama-3.3-70b-versatile',
    { tools: [functionTool({}, 'Code Calculator!')] },
    { tools: [functionTool({}, 'code_calculator')] },
    "Invalid 'tools[0].function.name': string does not match pattern.",
  ),
  'mistral/function-name': chatCase(
    'mistral-large-latest',
    { tools: [functionTool({}, 'files/read')] },
    { tools: [functionTool({}, 'files-read')] },
    'Function name was files/read but must be a-z, A-Z, 0-9, or contain underscores and dashes',
  ),
  'mistral/called-name': chatCase(
    'mistral-large-latest',
    { more: calledAs('files.read') },
    { more: calledAs('files_read') },
    'Function name was files.read but must be',
  ),
  'mistral/schema': chatCase(
    'mistral-large-latest',
    { tools: [functionTool({ required: null })] },
    { tools: [functionTool({ required: [] })] },
    "Invalid tool schema: None is not of type 'array'",
  ),
  'mistral/system-after-answer': chatCase(
    'mistral-large-latest',
    { more: [answer, system, user()] },
    { more: [answer, user()] },
    "Unexpected role 'system' after role 'assistant'",
  ),
  'mistral/prefix': chatCase(
    'mistral-large-latest',
    { more: [{ ...answer, prefix: true }, user()] },
    { more: [{ ...answer, prefix: true }] },
    'Assistant message with prefix True must be last message',
  ),
  'mistral/first-role': chatCase(
    'mistral-large-latest',
    { messages: [{ ...answer, prefix: true }] },
    { messages: [user()] },
    'Conversation must start with a user message or system message',
  ),
  'mistral/developer-role': chatCase(
    'mistral-large-latest',
    { messages: [developer, user()] },
    { messages: [system, user()] },
    "Input tag 'developer' found using 'role' does not match any of the expected tags",
    422,
  ),
  'dashscope/only-thinking': chatCase(
    'qwen3-235b-a22b-thinking-2507',
    { enable_thinking: false, stream: true },
    { stream: true },
    'The value of the enable_thinking parameter is restricted to True.',
  ),
  'dashscope/json-while-thinking': chatCase(
    'qwen3.5-plus',
    { ...json, enable_thinking: true },
    { ...json, enable_thinking: false },
    'Json mode response is not supported when enable_thinking is true',
  ),
  'groq/unsupported-in-responses': responses(
    'openai/gpt-oss-120b',
    { truncation: 'auto' },
    {},
    "property 'truncation' is unsupported",
  ),
  'xai/empty-item': responses(
    'grok-4.3',
    { input: [user(), { role: 'assistant', content: [] }, user()] },
    { input: [user(), { role: 'assistant', content: 'Hi.' }, user()] },
    'Each message must have at least one content element.',
  ),
  'xai/retired-model': chatCase('grok-2-latest', {}, { model: 'grok-4.3' }, 'Model not found: grok-2-latest'),
  'xai/root-union': chatCase(
    'grok-4.5',
    { tools: [functionTool({ properties: {}, anyOf: [{ required: ['path'] }] })] },
    { tools: [functionTool({ anyOf: [{ type: 'object', properties: {} }] })] },
    'read: tool parameter root must be an object type (root schema is an anyOf/oneOf union with a non-object branch)',
  ),
  'xai/tool-field': responses(
    'grok-4.6',
    { tools: [{ type: 'web_search', external_web_access: true }] },
    { tools: [{ type: 'web_search' }] },
    'Argument not supported: external_web_access',
  ),
  'xai/always-thinks': responses(
    'grok-4.5',
    { reasoning: { effort: 'none' } },
    { reasoning: { effort: 'low' } },
    'Model grok-4.5 does not support reasoning effort none.',
  ),
  'lmstudio/repetitions': {
    ...messages(
      'any',
      limitedTo(2000),
      limitedTo(1999),
      'Engine protocol predict request returned 400: {"error":{"code":400,"message":"Failed to initialize samplers',
    ),
    status: 500,
  },
  'moonshot/empty-text': chatCase(
    'kimi-k2-0905-preview',
    { tools, messages: [user(), ...called([{ type: 'text', text: '' }])] },
    { tools, messages: [user(), ...called('')] },
    'text content is empty',
  ),
  'moonshot/result-content': messages('kimi-k3', resultWith(undefined), resultWith([]), 'Invalid request Error'),
  'groq/metadata': chatCase(
    'openai/gpt-oss-120b',
    { metadata: { a: 'b' } },
    {},
    '`metadata` is not supported with this model',
  ),
  'groq/result-content': chatCase(
    'llama-3.3-70b-versatile',
    { tools, messages: [user(), calledAs('read')[0] ?? {}, { role: 'tool', tool_call_id: 'abcdefgh1' }] },
    { tools, messages: [user(), ...calledAs('read')] },
    "property 'content' is missing",
  ),
  'dashscope/parts': chatCase(
    'deepseek-v3.1',
    { messages: [user([{ type: 'text', text: 'a' }])] },
    { messages: [user('a')] },
    "The content field's type should be `str` in messages.",
  ),
  'deepseek/user-id': chatCase(
    'deepseek-v4-pro',
    { user_id: 'a@b' },
    { user_id: 'user-1' },
    "Invalid 'user_id': string does not match pattern.",
  ),
  'vllm/foreign-block': messages(
    'any',
    document,
    block('text'),
    "Input should be 'text', 'image', 'tool_use', 'tool_result', 'tool_reference', 'thinking' or 'redacted_thinking'",
  ),
  'vllm-without-parser/tool-parser': chatCase(
    'any',
    { tools },
    { tools, tool_choice: 'required' },
    '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
  ),
  'sglang/redacted-thinking': messages(
    'any',
    thought({ type: 'redacted_thinking', data: 'abc' }),
    thought({ type: 'thinking', thinking: 'Hm.', signature: 'abc' }),
    'Anthropic redacted_thinking history is not supported',
  ),
};
