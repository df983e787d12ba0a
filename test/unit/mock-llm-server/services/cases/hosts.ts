import {
  CHAT,
  callAndResult,
  calls,
  chat,
  chatCase,
  functions,
  functionTool,
  MESSAGES,
  PICTURE,
  RESPONSES,
  type RuleCase,
  result,
  user,
} from './case.ts';

const answer = (fields: object) => ({ role: 'assistant', content: 'Hi.', ...fields });
const withField = (name: string) => ({ more: [answer({ [name]: 'Hm.' }), user()] });
const tools = [functionTool()];
const badArguments = { more: callAndResult('call_1', {}, '{"path":') };
const goodArguments = { more: callAndResult('call_1') };
const choice = (name: string) => ({ tools, tool_choice: { type: 'function', function: { name } } });
const json = { response_format: { type: 'json_object' } };
const saysJson = { ...json, messages: [user('go, as JSON')] };
const items = (...list: readonly object[]) => ({ model: 'any', input: [user('go'), ...list] });
const call = { type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{}' };
const output = (value: unknown) => ({ type: 'function_call_output', call_id: 'call_1', output: value });
const parts = [{ type: 'output_text', text: 'Hi.' }];
const hot = { temperature: 'hot' };
const mild = { temperature: '0.5' };
const message = { model: 'any', max_tokens: 9, messages: [user()] };
const listFormat = (fields: object) => {
  const list = { type: 'array', items: { type: 'string' }, ...fields };
  const schema = { type: 'object', properties: { list }, required: ['list'], additionalProperties: false };
  return { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } };
};
const customCall = { id: 'call_1', type: 'custom', custom: { name: 'sql', input: 'SELECT 1' } };
const reasoning = (fields: object) => ({ type: 'reasoning', summary: [], ...fields });

/** The cases of hosts and gateways. */
export const HOST_CASES: Readonly<Record<string, RuleCase>> = {
  'groq/reasoning-field': chatCase(
    'llama-3.3-70b-versatile',
    withField('reasoning_content'),
    { more: [answer({}), user()] },
    "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]",
  ),
  'groq/reasoning-of-others': chatCase(
    'llama-3.3-70b-versatile',
    withField('reasoning'),
    { ...withField('reasoning'), model: 'openai/gpt-oss-120b' },
    'reasoning is not supported with this model',
  ),
  'groq/json-with-tools': chatCase(
    'any',
    { ...saysJson, tools },
    saysJson,
    'json mode cannot be combined with tool/function calling',
  ),
  'cerebras/half-character': chatCase(
    'gpt-oss-120b',
    { messages: [user('a \ud83d')] },
    { messages: [user('a \ud83d\ude00')] },
    'Invalid JSON: lone leading surrogate in hex escape',
  ),
  'cerebras/reasoning-field': chatCase(
    'gpt-oss-120b',
    withField('reasoning_content'),
    withField('reasoning'),
    'is unsupported',
  ),
  'fireworks/shape': chatCase(
    'any',
    hot,
    mild,
    "unable to parse string as a number, field: 'temperature', value: 'hot'",
  ),
  'fireworks/tool-type': {
    path: MESSAGES,
    refused: { ...message, tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
    accepted: { ...message, tools: [{ name: 'read', input_schema: { type: 'object' } }] },
    says: "field: 'tools[0].type', value: 'web_search_20250305'",
  },
  'groq/shape': chatCase(
    'llama-3.3-70b-versatile',
    { temperature: '0.5' },
    { temperature: 0.5 },
    "'temperature' : value must be a number",
  ),
  'mistral/shape': {
    ...chatCase(
      'mistral-medium-latest',
      hot,
      mild,
      'Input should be a valid number, unable to parse string as a number',
    ),
    status: 422,
  },
  'vllm/shape': chatCase(
    'Qwen/Qwen3-8B',
    { tools: [{ type: 'function' }] },
    { tools, ...mild, more: [calls([], { tool_calls: [customCall] }), result('call_1')] },
    "{'type': 'missing', 'loc': 'body.tools.0.function', 'msg': 'Field required', 'input': '<dict of 1 items>'}",
  ),
  'vllm/encrypted-reasoning': {
    path: RESPONSES,
    refused: items(reasoning({ encrypted_content: 'AAAA' }), call, output('ok')),
    accepted: items(reasoning({}), call, output('ok')),
    says: 'Encrypted content is not supported. (parameter=input)',
  },
  'llamacpp/shape': chatCase(
    'qwen3',
    { temperature: 'hot' },
    { temperature: 0.5 },
    "Field 'temperature': [json.exception.type_error.302] type must be number, but is string",
  ),
  'ollama/chat-shape': chatCase(
    'qwen3',
    hot,
    { temperature: 0.5 },
    'json: cannot unmarshal string into Go struct field ChatCompletionRequest.temperature of type float64',
  ),
  'cerebras/choice': chatCase(
    'gpt-oss-120b',
    choice('read'),
    { tools, tool_choice: 'auto' },
    "Unsupported tool_choice: type='function' function=ChoiceObjectFunction(name='read'). Expected 'auto' or 'none'.",
  ),
  'cerebras/format-keyword': chatCase(
    'qwen-3-235b-a22b-thinking-2507',
    listFormat({ minItems: 1 }),
    listFormat({}),
    "Unsupported JSON schema fields: {'minItems'}",
  ),
  'copilot/gemini-reasoning': chatCase(
    'gemini-3-pro-preview',
    goodArguments,
    { more: callAndResult('call_1', { reasoning_opaque: 'c2ln' }) },
    'invalid request body',
  ),
  'copilot/arguments': chatCase(
    'claude-opus-4.5',
    badArguments,
    goodArguments,
    'Invalid JSON format in tool call arguments',
  ),
  'fireworks/unstreamed-limit': chatCase(
    'any',
    { max_tokens: 4097 },
    { max_tokens: 4097, stream: true },
    'Requests with max_tokens > 4096 must have stream=true',
  ),
  'openrouter/one-effort': chatCase(
    'any',
    { reasoning: { effort: 'low', max_tokens: 1024 } },
    { reasoning: { effort: 'low' } },
    'Only one of "reasoning.effort" and "reasoning.max_tokens" can be specified',
  ),
  'copilot/other-api': chatCase(
    'gpt-5-codex',
    {},
    { model: 'gpt-4.1' },
    'model "gpt-5-codex" is not accessible via the /chat/completions endpoint',
  ),
  'copilot/call-id-length': chatCase(
    'gpt-4.1',
    { more: callAndResult('c'.repeat(46)) },
    { more: callAndResult('c'.repeat(40)) },
    "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 46 instead.",
  ),
  'copilot/too-many-tools': chatCase(
    'gpt-4.1',
    { tools: functions(129) },
    { tools: functions(128) },
    'got an array with length 129 instead.',
  ),
  'litellm/model': {
    path: CHAT,
    refused: { messages: [user()] },
    accepted: chat('any'),
    says: 'Invalid model name passed in model=None.',
  },
  'litellm/history-without-tools': chatCase(
    'claude-sonnet-4-5',
    goodArguments,
    { ...goodArguments, tools },
    "Bedrock doesn't support tool calling without `tools=` param specified.",
  ),
};

/** The cases of servers that run models on one's own machine. */
export const LOCAL_CASES: Readonly<Record<string, RuleCase>> = {
  'vllm/unknown-choice': chatCase(
    'tiny',
    choice('write'),
    choice('read'),
    'does not match any of the specified `tools`',
  ),
  'vllm/empty-tools': chatCase('tiny', { tools: [] }, {}, '`tools` must not be an empty array.'),
  'vllm/choice-without-tools': chatCase(
    'tiny',
    { tool_choice: 'auto' },
    { tool_choice: 'none' },
    'When using `tool_choice`, `tools` must be set.',
  ),
  'vllm/picture': chatCase(
    'tiny',
    { messages: [PICTURE] },
    { messages: [PICTURE], model: 'qwen2.5-vl-7b' },
    'tiny is not a multimodal model',
  ),
  'vllm/tool-parser': chatCase(
    'gemma-3-27b-it',
    { tools },
    { tools, model: 'qwen3-8b' },
    '"auto" tool choice requires --enable-auto-tool-choice',
  ),
  'sglang/choice-without-tools': chatCase(
    'any',
    { tool_choice: 'required' },
    { tool_choice: 'required', tools },
    'Tools cannot be empty if tool choice is set to required.',
  ),
  'sglang/unknown-choice': chatCase('any', choice('write'), choice('read'), "Tool 'write' not found in tools list."),
  'sglang/arguments': chatCase(
    'any',
    { more: callAndResult('call_1', {}, '"path"') },
    goodArguments,
    'Assistant tool call function.arguments must be a JSON object.',
  ),
  'llamacpp/arguments': chatCase(
    'any',
    badArguments,
    goodArguments,
    'Failed to parse tool call arguments as JSON',
    500,
  ),
  'llamacpp/picture': chatCase('any', { messages: [PICTURE] }, {}, 'image input is not supported', 500),
  'llamacpp/schema-type': chatCase(
    'any',
    { tools: [functionTool({ type: 'objekt' })] },
    { tools },
    'JSON schema error at #: unrecognized type objekt',
  ),
  'llamacpp/repetitions': chatCase(
    'any',
    { tools: [functionTool({ properties: { text: { type: 'string', minLength: 2001 } } })] },
    { tools: [functionTool({ properties: { text: { type: 'string', maxLength: 2001 } } })] },
    'Failed to initialize samplers: failed to parse grammar',
  ),
  'llamacpp/untyped-answer': {
    path: RESPONSES,
    refused: items(answer({}), user('again')),
    accepted: items({ type: 'message', role: 'assistant', content: parts }, user('again')),
    says: "Cannot determine type of 'item'",
  },
  'llamacpp/reasoning-content': {
    path: RESPONSES,
    refused: items(reasoning({}), { type: 'message', role: 'assistant', content: parts }, user('again')),
    accepted: items(
      reasoning({ content: [{ type: 'reasoning_text', text: 'Hm.' }] }),
      { type: 'message', role: 'assistant', content: parts },
      user('again'),
    ),
    says: "item['content'] is not an array",
  },
  'ollama/tools': {
    path: '/api/chat',
    refused: chat('gemma3:4b', { tools, stream: false }),
    accepted: chat('llama3.1:8b', { tools, stream: false }),
    says: 'registry.ollama.ai/library/gemma3:4b does not support tools',
  },
  'ollama/thinking': {
    path: '/api/chat',
    refused: chat('llama3.1:8b', { think: true, stream: false }),
    accepted: chat('qwen3:8b', { think: true, stream: false }),
    says: '"llama3.1:8b" does not support thinking',
  },
  'ollama/effort': chatCase(
    'qwen3',
    { reasoning_effort: 'banana' },
    { reasoning_effort: 'high' },
    "invalid reasoning value: 'banana'",
  ),
  'ollama/arguments': chatCase('qwen3', badArguments, goodArguments, 'invalid tool call arguments'),
  'ollama/null-content': chatCase(
    'qwen3',
    { more: [answer({ content: null }), user()] },
    { more: callAndResult('call_1', { content: null }) },
    'invalid message content type: <nil>',
  ),
  'ollama/model': { path: CHAT, refused: { messages: [user()] }, accepted: chat('qwen3'), says: 'model is required' },
  'ollama/output-parts': {
    path: RESPONSES,
    refused: items(call, output([{ type: 'input_text', text: 'ok' }])),
    accepted: items(call, output('ok')),
    says: 'cannot unmarshal array into Go struct field ResponsesFunctionCallOutput.output of type string',
  },
  'lmstudio/choice-object': chatCase(
    'any',
    choice('read'),
    { tools, tool_choice: 'required' },
    "Invalid tool_choice type: 'object'.",
  ),
  'lmstudio/text-format': { path: RESPONSES, refused: { ...items(), text: {} }, accepted: items(), says: 'Required' },
  'lmstudio/json-object': chatCase('any', saysJson, {}, "'response_format.type' must be 'json_schema' or 'text'"),
};
