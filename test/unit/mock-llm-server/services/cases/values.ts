import {
  callAndResult,
  chat,
  chatCase,
  functionTool,
  type Json,
  messages,
  PICTURE,
  RESPONSES,
  type RuleCase,
  responses,
  resultWith,
  user,
} from './case.ts';

const tools = [functionTool()];
const named = (name: string) => ({ tools, tool_choice: { type: 'function', function: { name } } });
const json = { response_format: { type: 'json_object' } };
const schema = { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'object' } } } };
const unread = 'Failed to deserialize the JSON body into the target type: ';
const badCall = { tools, more: callAndResult('call_1', {}, '') };
const goodCall = { tools, more: callAndResult('call_1') };
const resultParts = (content: unknown) => ({
  tools,
  more: [callAndResult('call_1')[0] ?? {}, { role: 'tool', tool_call_id: 'call_1', content }],
});
const address = { messages: [user([{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }])] };
const answerWith = (status: string | null) => ({
  type: 'message',
  role: 'assistant',
  status,
  content: [{ type: 'output_text', text: 'ok', annotations: [] }],
});
const claudeTool = { name: 'read', input_schema: { type: 'object', properties: {} } };
const mark = (ttl?: string) => [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral', ...(ttl && { ttl }) } }];
/** A case of Gemini. */
const gemini = (model: string, refused: Json, accepted: Json, says: string): RuleCase => {
  const contents = [{ role: 'user', parts: [{ text: 'go' }] }];
  const path = `/v1beta/models/${model}:generateContent`;
  return { path, refused: { contents, ...refused }, accepted: { contents, ...accepted }, says };
};
const thinking = (thinkingConfig: Json) => ({ generationConfig: { thinkingConfig } });
const declared = (a: unknown) => ({
  tools: [{ functionDeclarations: [{ name: 'read', parameters: { type: 'OBJECT', properties: { a } } }] }],
});
/** A case of Converse. */
const converse = (refused: Json, accepted: Json, says: string): RuleCase => ({
  path: '/model/us.anthropic.claude-sonnet-4-5-20250929-v1:0/converse',
  refused,
  accepted,
  says,
});
const spec = (json_: Json) => ({
  toolConfig: { tools: [{ toolSpec: { name: 'read', inputSchema: { json: json_ } } }] },
});
const text = (role: string, ...content: readonly Json[]) => ({ role, content });
const use = (toolUseId: string) => ({ toolUse: { toolUseId, name: 'read', input: {} } });
const used = (id: string, ...more: readonly Json[]) => ({
  ...spec({ type: 'object' }),
  messages: [
    text('user', { text: 'go' }),
    text('assistant', ...more, use(id)),
    text('user', { toolResult: { toolUseId: id, content: [{ text: 'ok' }] } }),
  ],
});

/** The cases of values, ranges and forms. */
export const VALUE_CASES: Readonly<Record<string, RuleCase>> = {
  'openai/unknown-choice': chatCase(
    'gpt-4o',
    named('write'),
    named('read'),
    "Invalid value for 'function_call': no function named 'write' was specified in the 'functions' parameter.",
  ),
  'openai/part': chatCase(
    'gpt-4o',
    { messages: [user([{ type: 'input_text', text: 'go' }])] },
    { messages: [PICTURE] },
    "Invalid value: 'input_text'. Supported values are: 'text', 'image_url', 'input_audio', 'refusal', 'audio', and 'file'.",
  ),
  'openai/reasoning-of-others': chatCase(
    'gpt-4o',
    { reasoning_effort: 'low' },
    { model: 'gpt-5', reasoning_effort: 'low' },
    'Unrecognized request argument supplied: reasoning_effort',
  ),
  'openai/stop': chatCase(
    'gpt-5',
    { stop: ['END'] },
    { model: 'gpt-4o', stop: ['END'] },
    "Unsupported parameter: 'stop' is not supported with this model.",
  ),
  'azure/null-status': {
    path: '/openai/responses?api-version=2025-11-15-preview',
    refused: { model: 'gpt-4.1', input: [answerWith(null), user()] },
    accepted: { model: 'gpt-4.1', input: [answerWith('completed'), user()] },
    says: "Invalid payload: Value is 'null' but should be 'string' at /input/0/status",
  },
  'gemini/choice-without-functions': gemini(
    'gemini-2.5-pro',
    { tools: [{ google_search: {} }], toolConfig: { function_calling_config: { mode: 'AUTO' } } },
    { toolConfig: { functionCallingConfig: { mode: 'NONE' } } },
    'Function calling config is set without function_declarations.',
  ),
  'zai/output-limit': chatCase(
    'glm-5.2',
    { max_tokens: 1_000_000 },
    { max_tokens: 131_072 },
    'Invalid API parameter, please check the documentation.',
  ),
  'openai/shape': chatCase(
    'gpt-4o',
    { temperature: 3 },
    { temperature: 2 },
    "Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got 3 instead.",
  ),
  'openai/verbosity': chatCase(
    'gpt-4o',
    { verbosity: 'low' },
    { verbosity: 'medium' },
    "Unsupported value: 'verbosity' does not support 'low' with this model. Supported values are: 'medium'.",
  ),
  'openai/cache-retention': chatCase(
    'gpt-5.6',
    { prompt_cache_retention: 'in_memory' },
    { prompt_cache_retention: '24h' },
    'This model is compatible only with 24h extended prompt caching',
  ),
  'openai/empty-input': responses(
    'gpt-4o',
    { input: [] },
    { input: 'go' },
    `One of "input" or "previous_response_id" or 'prompt' or 'conversation' must be provided.`,
  ),
  'azure/unrecognized-argument': {
    path: '/openai/v1/chat/completions',
    refused: chat('gpt-4o', { chat_template_kwargs: {} }),
    accepted: chat('gpt-4o'),
    says: 'Unrecognized request argument supplied: chat_template_kwargs',
  },
  'anthropic/shape': messages(
    'claude-sonnet-4-5',
    { temperature: 1.5 },
    { temperature: 1 },
    'temperature: range: 0..1',
  ),
  'anthropic/container': messages(
    'claude-sonnet-4-5',
    { container: 'container_1' },
    {},
    'container: Container identifier can only be provided when using the code execution tool',
  ),
  'anthropic/geography': messages(
    'claude-sonnet-4-5',
    { inference_geo: 'eu' },
    { inference_geo: 'us' },
    "inference_geo: must be one of ['global', 'us']",
  ),
  'anthropic/system-place': messages(
    'claude-sonnet-5',
    { messages: [user(), { role: 'system', content: 'a' }, user()] },
    { messages: [user(), { role: 'system', content: 'a' }] },
    "messages.1: role 'system' must precede an 'assistant' message or end the array;",
  ),
  'bedrock/converse-s3': converse(
    {
      messages: [
        {
          role: 'user',
          content: [
            { document: { format: 'pdf', name: 'a', source: { s3Location: { uri: 's3://a/b' } } } },
            { text: 'go' },
          ],
        },
      ],
    },
    { messages: [{ role: 'user', content: [{ text: 'go' }] }] },
    'messages.0.content.0.document.source.type: Field required',
  ),
  'gemini/empty-object': gemini(
    'gemini-2.0-flash-exp',
    { tools: [{ functionDeclarations: [{ name: 'read', parameters: { type: 'OBJECT', properties: {} } }] }] },
    declared({ type: 'STRING' }),
    '* GenerateContentRequest.tools[0].function_declarations[0].parameters.properties: should be non-empty for OBJECT type',
  ),
  'openai/logit-bias': chatCase(
    'gpt-4o',
    { logit_bias: { AI: 10 } },
    { logit_bias: { 100: 10 } },
    "Invalid key in 'logit_bias': AI. You should only be submitting non-negative integers.",
  ),
  'xai/picture': chatCase(
    'grok-4',
    { messages: [user([{ type: 'image_url', image_url: { url: 'data:image/webp;base64,UklGRg==' } }])] },
    { messages: [PICTURE] },
    'Invalid request content: Downloaded response does not contain a valid JPG or PNG image.',
  ),
  'xai/stream-options': chatCase(
    'grok-3',
    { stream_options: { include_usage: true } },
    { stream_options: { include_usage: true }, stream: true },
    'Argument not supported: stream_options',
  ),
  'copilot/sampling': {
    path: RESPONSES,
    refused: { model: 'gpt-5.5', input: 'go', temperature: 0.5 },
    accepted: { model: 'gpt-5.5', input: 'go' },
    says: "Unsupported parameter: 'temperature' is not supported with this model.",
  },
  'openrouter/tool-without-schema': {
    path: '/api/v1/chat/completions',
    refused: chat('anthropic/claude-3.7-sonnet', { tools: [{ type: 'function', function: { name: 'read' } }] }),
    accepted: chat('anthropic/claude-3.7-sonnet', { tools }),
    says: 'tools.0.custom.input_schema: Field required',
  },
  'anthropic/mark-order': messages(
    'claude-sonnet-4-5',
    { system: mark(), messages: [user(mark('1h'))] },
    { system: mark('1h'), messages: [user(mark())] },
    "messages.0.content.0.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block.",
  ),
  'anthropic/block-type': messages(
    'claude-sonnet-4-5',
    { messages: [PICTURE] },
    { messages: [user([{ type: 'text', text: 'go' }])] },
    "messages.0.content.1: Input tag 'image_url' found using 'type' does not match any of the expected tags:",
  ),
  'anthropic/tool-field': messages(
    'claude-sonnet-4-5',
    { tools: [{ ...claudeTool, parameters: {} }] },
    { tools: [{ ...claudeTool, description: 'Reads.' }] },
    'tools.0.custom.parameters: Extra inputs are not permitted',
  ),
  'anthropic/effort': messages(
    'claude-haiku-4-5',
    { output_config: { effort: 'high' } },
    { model: 'claude-opus-4-5', output_config: { effort: 'high' } },
    'This model does not support the effort parameter.',
  ),
  'anthropic/adaptive': messages(
    'claude-sonnet-4-5',
    { thinking: { type: 'adaptive' } },
    { model: 'claude-opus-4-6', thinking: { type: 'adaptive' } },
    'adaptive thinking is not supported on this model',
  ),
  'anthropic/stop-sequence': messages(
    'claude-sonnet-4-5',
    { stop_sequences: ['\n'] },
    { stop_sequences: ['\n\nHuman:'] },
    'stop_sequences: each stop sequence must contain non-whitespace',
  ),
  'gemini/thinking-range': gemini(
    'gemini-2.5-pro',
    thinking({ thinkingBudget: 64 }),
    thinking({ thinkingBudget: 1024 }),
    'The thinking budget 64 is invalid. Please choose a value between 128 and 32768.',
  ),
  'gemini/budget-and-level': gemini(
    'gemini-3-pro-preview',
    thinking({ thinkingBudget: 1024, thinkingLevel: 'low' }),
    thinking({ thinkingLevel: 'low' }),
    'You can only set only one of thinking budget and thinking level.',
  ),
  'vertex/message-shape': gemini(
    'gemini-2.5-flash',
    declared('object'),
    declared({ type: 'OBJECT', additionalProperties: false }),
    "Invalid value at 'tools[0].function_declarations[0].parameters.properties[0].value' (type.googleapis.com/google.cloud.aiplatform.v1beta1.Schema)",
  ),
  'vertex/publisher': {
    ...gemini('claude-sonnet-4-6', {}, {}, 'claude-sonnet-4-6 is not supported in the generateContent API.'),
    acceptedPath: '/v1beta/models/gemini-2.5-flash:generateContent',
  },
  'bedrock/converse-schema-type': converse(
    { ...spec({ type: 'string' }), messages: [text('user', { text: 'go' })] },
    { ...spec({ type: 'object' }), messages: [text('user', { text: 'go' })] },
    'The value at toolConfig.tools.0.toolSpec.inputSchema.json.type must be one of the following: object.',
  ),
  'bedrock/converse-text-after-calls': converse(
    {
      ...used('a'),
      messages: [
        text('user', { text: 'go' }),
        text('assistant', use('a'), { text: 'I look.' }),
        text('user', { toolResult: { toolUseId: 'a', content: [{ text: 'ok' }] } }),
      ],
    },
    used('a', { text: 'I look.' }),
    '`tool_use` blocks can only be followed by other `tool_use` blocks',
  ),
  'ollama/picture-address': chatCase('qwen2.5vl:7b', address, { messages: [PICTURE] }, 'invalid image input'),
  'openrouter/picture': chatCase(
    'deepseek/deepseek-chat-v3.1',
    { messages: [PICTURE] },
    { model: 'openai/gpt-4o', messages: [PICTURE] },
    'No endpoints found that support image input',
    404,
  ),
  'openrouter/choice': chatCase(
    'z-ai/glm-4.5-air',
    { tools, tool_choice: 'required' },
    { tools, tool_choice: 'auto' },
    "No endpoints found that support the provided 'tool_choice' value.",
    404,
  ),
  'deepseek/shape': chatCase(
    'deepseek-chat',
    { tools: [{ type: 'function', name: 'read' }] },
    { tools },
    `${unread}tools[0]: missing field \`function\``,
  ),
  'deepseek/result-parts': chatCase(
    'deepseek-chat',
    resultParts([{ type: 'text', text: 'ok' }]),
    resultParts('ok'),
    `${unread}messages[2]: invalid type: sequence, expected a string`,
  ),
  'deepseek/range': chatCase(
    'deepseek-chat',
    { temperature: 3 },
    { temperature: 2 },
    'Invalid temperature value, the valid range of temperature is [0, 2]',
  ),
  'moonshot/only-thinking': chatCase(
    'kimi-k2.7-code',
    { thinking: { type: 'disabled' } },
    { thinking: { type: 'enabled' } },
    'invalid thinking: only type=enabled is allowed for this model',
  ),
  'moonshot/range': chatCase('moonshot-v1-8k', { n: 6 }, { n: 5 }, 'Invalid request: invalid n'),
  'zai/tool-type': chatCase(
    'glm-4.6',
    { tools: [{ function: { name: 'read', parameters: { type: 'object', properties: {} } } }] },
    { tools },
    'tools[0].type:type cannot be empty',
  ),
  'zai/empty-text': chatCase(
    'glm-4.6',
    { messages: [user([{ type: 'text', text: '' }])] },
    { messages: [user([{ type: 'text', text: 'go' }])] },
    'messages[0].content[0].text:text cannot be empty',
  ),
  'zai/part-type': chatCase(
    'glm-5.2',
    { messages: [user([{ type: 'input_text', text: 'go' }])] },
    { messages: [user([{ type: 'text', text: 'go' }])] },
    "messages.content.type is invalid, allowed values: ['text']",
  ),
  'dashscope/stream-only': chatCase(
    'qwq-plus',
    {},
    { stream: true },
    'This model only support stream mode, please enable the stream parameter to access the model.',
  ),
  'dashscope/range': chatCase(
    'qwen-max',
    { top_p: 2 },
    { top_p: 0.9 },
    'InternalError.Algo.InvalidParameter: Range of top_p should be (0.0, 1.0]',
  ),
  'groq/json-word': chatCase(
    'llama-3.3-70b-versatile',
    json,
    { ...json, messages: [user('go, as JSON')] },
    "'messages' must contain the word 'json' in some form",
  ),
  'groq/json-schema': chatCase(
    'llama-3.3-70b-versatile',
    schema,
    { ...schema, model: 'openai/gpt-oss-120b' },
    'This model does not support response format `json_schema`.',
  ),
  'groq/picture': chatCase(
    'llama-3.3-70b-versatile',
    { messages: [PICTURE] },
    { model: 'meta-llama/llama-4-scout', messages: [PICTURE] },
    'messages[0].content must be a string',
  ),
  'cerebras/unknown-argument': chatCase(
    'gpt-oss-120b',
    { frequency_penalty: 1 },
    { seed: 1 },
    "body.frequency_penalty: property 'body.frequency_penalty' is unsupported",
  ),
  'xai/empty-content': chatCase(
    'grok-4',
    { messages: [{ role: 'system', content: '' }, user()] },
    { messages: [user()] },
    'Each message must have at least one content element.',
  ),
  'xai/arguments': chatCase(
    'grok-4',
    badCall,
    goodCall,
    "The arguments to a tool_call with ID 'call_1' are not a valid JSON string.",
  ),
  'xai/one-text': chatCase(
    'grok-2',
    {
      messages: [
        user([
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ]),
      ],
    },
    { messages: [user([{ type: 'text', text: 'a' }])] },
    'The model expects a single `text` element per message.',
  ),
  'xai/instructions': responses(
    'grok-4',
    { instructions: 'Be kind.', previous_response_id: 'resp_f12ee8dca22d218106fe5e5492eb5893' },
    { instructions: 'Be kind.' },
    'Argument not supported: instructions and previous_response_id together',
  ),
  'together/range': chatCase('any', { temperature: 3 }, { temperature: 1 }, 'Input validation error'),
  'together/foreign-limit': chatCase('any', { max_output_tokens: 9 }, { max_tokens: 9 }, 'Input validation error'),
  'together/dedicated-model': chatCase(
    'meta-llama/Llama-3-8b-chat-hf',
    {},
    { model: 'meta-llama/Llama-3.3-70B-Instruct-Turbo' },
    'Unable to access non-serverless model meta-llama/Llama-3-8b-chat-hf.',
  ),
  'together/json-mode': chatCase(
    'mistralai/Mistral-7B-Instruct-v0.2',
    json,
    { ...json, model: 'meta-llama/Llama-3.3-70B-Instruct-Turbo' },
    'Input validation error',
  ),
  'copilot/claude-effort': messages(
    'claude-opus-4.7',
    { output_config: { effort: 'high' } },
    { output_config: { effort: 'medium' } },
    'output_config.effort "high" is not supported by model claude-opus-4.7; supported values: [medium]',
  ),
  'vllm/needed-flag': chatCase(
    'tiny',
    { stream_options: { include_usage: true } },
    { stream: true, stream_options: { include_usage: true } },
    'Stream options can only be defined when `stream=True`.',
  ),
  'sglang/null-content': chatCase(
    'any',
    { more: [{ role: 'assistant', content: null }, user()] },
    goodCall,
    'Input should be a valid string',
  ),
  'lmstudio/picture-address': chatCase(
    'any',
    address,
    { messages: [PICTURE] },
    "'url' field must be a base64 encoded image.",
  ),
  'openai/schema': chatCase(
    'gpt-4o',
    { tools: [functionTool({ required: null })] },
    { tools: [functionTool({ required: [] })] },
    "Invalid schema for function 'read': None is not of type 'array'.",
  ),
  'openai/pattern': chatCase(
    'gpt-4o',
    { tools: [functionTool({ properties: { name: { type: 'string', pattern: '^[^\\p{Cc}\\\\]{1,200}$' } } })] },
    { tools: [functionTool({ properties: { name: { type: 'string', pattern: '^(?!__)(?<=a)\\\\p\\w[\\u0041]' } } })] },
    "Invalid schema for function 'read': '^[^\\\\p{Cc}\\\\\\\\]{1,200}$' is not a 'regex'.",
  ),
  'openai/output-limit': chatCase(
    'gpt-4o',
    { max_tokens: 20_000 },
    { max_tokens: 16_384 },
    'max_tokens is too large: 20000. This model supports at most 16384 completion tokens, whereas you provided 20000.',
  ),
  'openai/responses-only': chatCase(
    'gpt-5.1-codex',
    {},
    { model: 'gpt-5.1' },
    'This model is only supported in v1/responses and not in v1/chat/completions.',
    404,
  ),
  'azure/responses-only': {
    ...chatCase(
      'gpt-5.2-codex',
      {},
      { model: 'gpt-5.1' },
      'The chatCompletion operation does not work with the specified model, gpt-5.2-codex.',
    ),
    path: '/openai/v1/chat/completions',
  },
  'gemini/empty-part': gemini(
    'gemini-2.5-flash',
    { contents: [{ role: 'user', parts: [{ text: 'go' }, {}] }] },
    { contents: [{ role: 'user', parts: [{ text: 'go' }, { text: 'on' }] }] },
    "* GenerateContentRequest.contents[0].parts[1].data: required oneof field 'data' must have one initialized field",
  ),
  'gemini/output-limit': gemini(
    'gemini-2.5-flash',
    { generationConfig: { maxOutputTokens: 100_000 } },
    { generationConfig: { maxOutputTokens: 65_536 } },
    'Unable to submit request because it has a maxOutputTokens value of 100000 but the supported range is from 1 (inclusive) to 65537 (exclusive).',
  ),
  'bedrock/converse-output': {
    path: '/model/anthropic.claude-3-5-sonnet-20240620-v1:0/converse',
    refused: { messages: [text('user', { text: 'go' })], inferenceConfig: { maxTokens: 9000 } },
    accepted: { messages: [text('user', { text: 'go' })], inferenceConfig: { maxTokens: 8192 } },
    says: 'The maximum tokens you requested exceeds the model limit of 8192.',
  },
  'ollama/part-type': chatCase(
    'qwen3:8b',
    { messages: [user([{ type: 'input_text', text: 'go' }])] },
    { messages: [user([{ type: 'text', text: 'go' }])] },
    'invalid message format',
  ),
  'fireworks/thinking-and-effort': chatCase(
    'accounts/fireworks/models/kimi-k2p6',
    { thinking: { type: 'enabled' }, reasoning_effort: 'high' },
    { thinking: { type: 'enabled' } },
    "cannot specify both 'thinking' and 'reasoning_effort'",
  ),
  'llamacpp/unread': chatCase(
    'any',
    { more: [{ role: 'assistant', content: 'a', reasoning_content: null }, user()] },
    { more: [{ role: 'assistant', content: 'a', reasoning_content: '' }, user()] },
    'Failed to parse messages: [json.exception.type_error.302] type must be string, but is null',
    500,
  ),
  'sglang/schema': chatCase(
    'qwen3',
    { tools: [functionTool({ required: null })] },
    { tools: [functionTool({ required: [] })] },
    "Tool 0 function has invalid 'parameters' schema: None is not of type 'array'",
  ),
  'llamacpp/two-answers-at-end': chatCase(
    'any',
    {
      more: [
        { role: 'assistant', content: 'a' },
        { role: 'assistant', content: 'b' },
      ],
    },
    { more: [{ role: 'assistant', content: 'a' }] },
    'Cannot have 2 or more assistant messages at the end of the list.',
  ),
  'llamacpp/thinking-prefill': chatCase(
    'qwen3-8b',
    { more: [{ role: 'assistant', content: 'a' }] },
    { more: [{ role: 'assistant', content: 'a' }], chat_template_kwargs: { enable_thinking: false } },
    'Assistant response prefill is incompatible with enable_thinking.',
  ),
  'openrouter/missing-reasoning': chatCase(
    'deepseek/deepseek-v4-flash',
    { tools, more: callAndResult('call_1') },
    { tools, more: callAndResult('call_1', { reasoning: 'Hm.' }) },
    'Provider returned error',
  ),
  'openrouter/format-with-tools': chatCase('qwen/qwen3-32b', { tools, ...schema }, schema, 'Provider returned error'),
  'mistral/range': chatCase(
    'mistral-large-latest',
    { temperature: 2 },
    { temperature: 0.7 },
    'Input should be less than or equal to 1.5',
    422,
  ),
  'moonshot/reference': chatCase(
    'kimi-k3',
    { tools: [functionTool({ properties: { a: { $ref: '#/properties/b' }, b: { type: 'string' } } })] },
    { tools: [functionTool({ properties: { a: { $ref: '#/$defs/b' } }, $defs: { b: { type: 'string' } } })] },
    'references must start with #/$defs/',
  ),
  'moonshot/block': messages(
    'kimi-for-coding',
    resultWith([{ type: 'tool_reference', tool_name: 'x' }]),
    resultWith([{ type: 'text', text: 'ok' }]),
    'Invalid request Error',
  ),
  'groq/system-parts': chatCase(
    'deepseek-r1-distill-llama-70b',
    { messages: [{ role: 'system', content: [{ type: 'text', text: 'a' }] }, user()] },
    { messages: [{ role: 'system', content: 'a' }, user()] },
    "('messages.0.content' : value must be a string)",
  ),
  'groq/output-limit': chatCase(
    'llama-3.3-70b-versatile',
    { max_tokens: 40_000 },
    { max_tokens: 32_768 },
    '`max_tokens` must be less than or equal to `32768`',
  ),
  'cerebras/strict-model': chatCase(
    'llama3.1-8b',
    { tools: [functionTool({}, 'read', { strict: true })] },
    { tools },
    'Tools with strict=True are not supported by this model',
  ),
  'cerebras/strict-schema': chatCase(
    'zai-glm-4.7',
    { tools: [functionTool({}, 'read', { strict: true })] },
    { tools: [functionTool({ additionalProperties: false }, 'read', { strict: true })] },
    "'additionalProperties' is required to be supplied and set to false.",
  ),
  'cerebras/format-with-tools': chatCase(
    'gpt-oss-120b',
    { tools, ...schema },
    schema,
    '"tools" is incompatible with "response_format"',
  ),
  'cerebras/null-calls': chatCase(
    'gpt-oss-120b',
    { more: [{ role: 'assistant', content: 'Hi.', tool_calls: null }, user()] },
    { more: [{ role: 'assistant', content: 'Hi.' }, user()] },
    "'NoneType' object is not iterable",
  ),
  'xai/schema': chatCase(
    'grok-4.5',
    { tools: [functionTool({ required: null })] },
    { tools },
    '[standard_violation] /required: null is not of type "array"',
  ),
  'xai/encrypted-reasoning': {
    path: RESPONSES,
    refused: { model: 'grok-4.5', input: [user('go'), { type: 'reasoning', encrypted_content: 'x' }] },
    accepted: { model: 'grok-4.5', input: [user('go'), { type: 'reasoning', summary: [], encrypted_content: 'x' }] },
    says: 'Could not decode the compaction blob.',
  },
  'xai/item': {
    ...responses(
      'grok-4.5',
      { input: [user(), { type: 'agent_message', content: [] }] },
      { input: [user()] },
      'data did not match any variant of untagged enum ModelInput',
    ),
    status: 422,
  },
  'copilot/gemini-schema': chatCase(
    'gemini-3-flash',
    { tools: [functionTool({ properties: { a: { type: ['string', 'null'] } } })] },
    { tools },
    'Bad Request',
  ),
};
