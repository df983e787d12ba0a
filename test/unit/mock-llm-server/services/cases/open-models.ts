import { callAndResult, chatCase, functions, functionTool, PICTURE, type RuleCase, user } from './case.ts';

const ID = 'aB3dE6gH9';
const answer = (fields: object = {}) => ({ role: 'assistant', content: 'Hi.', ...fields });
const json = { response_format: { type: 'json_object' } };
const saysJson = { ...json, messages: [user('go, as JSON')] };
const jsonSchema = {
  response_format: { type: 'json_schema', json_schema: { name: 'out', schema: { type: 'object' } } },
};
const tools = [functionTool()];

/** The cases of Mistral. */
export const MISTRAL_CASES: Readonly<Record<string, RuleCase>> = {
  'mistral/extra-field': chatCase(
    'mistral-large-latest',
    { max_completion_tokens: 99 },
    { max_tokens: 99 },
    'Extra inputs are not permitted',
    422,
  ),
  'mistral/reasoning-field': chatCase(
    'devstral-2512',
    { more: [answer({ reasoning_content: 'Hm.' }), user()] },
    { more: [answer(), user()] },
    'Extra inputs are not permitted',
    422,
  ),
  'mistral/call-id': chatCase(
    'mistral-large-latest',
    { more: callAndResult('turn1_0') },
    { more: callAndResult(ID) },
    'Tool call id was turn1_0 but must be a-z, A-Z, 0-9, with a length of 9.',
  ),
  'mistral/user-after-tool': chatCase(
    'devstral-medium-latest',
    { more: [...callAndResult(ID), user('go')] },
    { more: [...callAndResult(ID), answer(), user('go')] },
    "Unexpected role 'user' after role 'tool'",
  ),
  'mistral/tool-after-user': chatCase(
    'mistral-medium-latest',
    { more: [...callAndResult(ID).slice(0, 1), user('and'), ...callAndResult(ID).slice(1)] },
    { more: callAndResult(ID) },
    "Unexpected role 'tool' after role 'user'",
  ),
  'mistral/last-assistant': chatCase(
    'mistral-small-latest',
    { more: [answer()] },
    { more: [answer({ prefix: true })] },
    'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant',
  ),
  'mistral/empty-answer': chatCase(
    'mistral-small-latest',
    { more: [answer({ content: '' }), user()] },
    { more: [answer(), user()] },
    'Assistant message must have either content or tool_calls',
  ),
};

/** The cases of DeepSeek, Moonshot, xAI, Z.AI and DashScope. */
export const OPEN_MODEL_CASES: Readonly<Record<string, RuleCase>> = {
  'deepseek/half-character': chatCase(
    'deepseek-chat',
    { messages: [user('a \ud83d')] },
    { messages: [user('a \ud83d\ude00')] },
    'lone leading surrogate in hex escape',
  ),
  'deepseek/missing-reasoning': chatCase(
    'deepseek-v4-pro',
    { more: callAndResult('call_1') },
    { more: callAndResult('call_1', { reasoning_content: 'Hm.' }) },
    'The `reasoning_content` in the thinking mode must be passed back to the API.',
  ),
  'deepseek/choice-while-thinking': chatCase(
    'deepseek-v4-flash',
    { tools, tool_choice: 'required' },
    { tools, tool_choice: 'auto' },
    'Thinking mode does not support this tool_choice',
  ),
  'deepseek/picture': chatCase(
    'deepseek-chat',
    { messages: [PICTURE] },
    {},
    'unknown variant `image_url`, expected `text`',
  ),
  'deepseek/developer-role': chatCase(
    'deepseek-chat',
    { messages: [{ role: 'developer', content: 'Be kind.' }, user()] },
    { messages: [{ role: 'system', content: 'Be kind.' }, user()] },
    'unknown variant `developer`',
  ),
  'deepseek/tool-name': chatCase(
    'deepseek-chat',
    { tools: [functionTool({}, 'read.file')] },
    { tools },
    "Invalid 'tools[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
  ),
  'deepseek/json-schema': chatCase(
    'deepseek-chat',
    jsonSchema,
    saysJson,
    'This response_format type is unavailable now',
  ),
  'deepseek/json-word': chatCase('deepseek-chat', json, saysJson, "Prompt must contain the word 'json' in some form"),
  'deepseek/output-limit': chatCase(
    'deepseek-chat',
    { max_tokens: 8193 },
    { max_tokens: 8192 },
    'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]',
  ),
  'moonshot/missing-reasoning': chatCase(
    'kimi-k2.5',
    { more: callAndResult('call_1') },
    { more: callAndResult('call_1', { reasoning_content: 'Hm.' }) },
    'thinking is enabled but reasoning_content is missing in assistant tool call message at index 1',
  ),
  'moonshot/empty-answer': chatCase(
    'kimi-k2-0905-preview',
    { more: [answer({ content: '' }), user()] },
    { more: [answer(), user()] },
    "Invalid request: the message at position 1 with role 'assistant' must not be empty",
  ),
  'moonshot/root-type': chatCase(
    'kimi-k2.5',
    { tools: [{ type: 'function', function: { name: 'read', parameters: { properties: {} } } }] },
    { tools },
    'tools.function.parameters.type is required and must be "object"',
  ),
  'moonshot/schema-dialect': chatCase(
    'kimi-k2.5',
    { tools: [functionTool({ properties: { skill: { type: 'string', anyOf: [{ minLength: 1 }] } } })] },
    { tools: [functionTool({ properties: { skill: { anyOf: [{ type: 'string', minLength: 1 }] } } })] },
    "<At path 'properties.skill': when using anyOf, type should be defined in anyOf items instead of the parent schema>",
  ),
  'moonshot/tool-name': chatCase(
    'kimi-k2.5',
    { tools: [functionTool({}, '1read')] },
    { tools },
    'function name is invalid, must start with a letter and can contain letters, numbers, underscores, and dashes',
  ),
  'moonshot/temperature': chatCase(
    'kimi-k2.5',
    { temperature: 0 },
    { temperature: 1 },
    'invalid temperature: only 1 is allowed for this model',
  ),
  'zai/tool-choice': chatCase(
    'glm-5.3-flash',
    { tools, tool_choice: 'required' },
    { tools, tool_choice: 'auto' },
    'Tool choice must be auto',
  ),
  'zai/picture': chatCase(
    'glm-4.6',
    { messages: [PICTURE] },
    { messages: [PICTURE], model: 'glm-4.6v' },
    'Invalid API parameter',
  ),
  'dashscope/json-word': chatCase('qwen-plus', json, saysJson, "'messages' must contain the word 'json' in some form"),
  'dashscope/thinking-unstreamed': chatCase(
    'qwen3-max',
    { enable_thinking: true },
    { enable_thinking: true, stream: true },
    'parameter.enable_thinking must be set to false for non-streaming calls',
  ),
  'dashscope/choice-while-thinking': chatCase(
    'qwen3-max',
    { tools, tool_choice: 'required', enable_thinking: true, stream: true },
    { tools, tool_choice: 'auto', enable_thinking: true, stream: true },
    'The tool_choice parameter does not support being set to required or object in thinking mode',
  ),
  'dashscope/arguments': chatCase(
    'qwen3-coder-plus',
    { more: callAndResult('call_1', {}, '{"path":') },
    { more: callAndResult('call_1') },
    'parameter of the code model must be in JSON format.',
  ),
  'xai/null-content': chatCase(
    'grok-4',
    { more: callAndResult('call_1', { content: null }) },
    { more: callAndResult('call_1') },
    'Each message must have at least one content element.',
  ),
  'xai/too-many-tools': chatCase(
    'grok-4',
    { tools: functions(201) },
    { tools: functions(200) },
    'Maximum tools limit reached. 201 tools have been provided but the maximum is 200.',
  ),
  'xai/effort': chatCase(
    'grok-4',
    { reasoning_effort: 'low' },
    { reasoning_effort: 'low', model: 'grok-3-mini' },
    'Model grok-4 does not support parameter reasoningEffort.',
  ),
};
