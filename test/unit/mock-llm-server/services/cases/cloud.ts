import {
  CHAT,
  callAndResult,
  calledBefore,
  chat,
  chatCase,
  functions,
  functionTool,
  type Json,
  MESSAGES,
  PICTURE,
  RESPONSES,
  type RuleCase,
  user,
} from './case.ts';

const tools = functions(1);
const text = { type: 'object', properties: { path: { type: 'string' } } };
const strictFormat = (schema: Json, strict = true) => ({
  response_format: { type: 'json_schema', json_schema: { name: 'out', strict, schema } },
});
const responses = (refused: Json, accepted: Json, says: string): RuleCase => ({
  path: RESPONSES,
  refused: { model: 'gpt-4o', input: 'go', ...refused },
  accepted: { model: 'gpt-4o', input: 'go', ...accepted },
  says,
});
const items = (...list: readonly Json[]) => ({ input: [user('go'), ...list] });
const fcall = (fields: Json) => ({
  type: 'function_call',
  call_id: 'call_1',
  name: 'read',
  arguments: '{}',
  ...fields,
});
const output = (call_id = 'call_1') => ({ type: 'function_call_output', call_id, output: 'ok' });
const answer = { type: 'message', role: 'assistant', id: 'msg_1', content: [{ type: 'output_text', text: 'Hi.' }] };
const reasoning = (fields: Json) => ({ type: 'reasoning', id: 'rs_1', summary: [], ...fields });
const calledAs = (name: string) => [
  { role: 'assistant', content: '', tool_calls: [{ id: 'c1', type: 'function', function: { name, arguments: '{}' } }] },
  { role: 'tool', tool_call_id: 'c1', content: 'ok' },
];

const CONVERSE_TOOLS = { tools: [{ toolSpec: { name: 'read', inputSchema: { json: { type: 'object' } } } }] };
const said = (line: string) => ({ role: 'user', content: [{ text: line }] });
const converse = (refused: readonly Json[], accepted: readonly Json[], says: string): RuleCase => ({
  path: '/model/amazon.nova-pro-v1:0/converse',
  refused: { messages: refused, toolConfig: CONVERSE_TOOLS },
  accepted: { messages: accepted, toolConfig: CONVERSE_TOOLS },
  says,
});
const resulted = (fields: Json) => [
  said('go'),
  { role: 'assistant', content: [{ toolUse: { toolUseId: 'tooluse_1', name: 'read', input: {} } }] },
  { role: 'user', content: [{ toolResult: { toolUseId: 'tooluse_1', ...fields } }] },
];

/** The cases of OpenAI. */
const reasoned = { type: 'function_call', call_id: 'call_thought', name: 'read', arguments: '{}' };
const ended = { type: 'function_call_output', output: 'ok' };

export const OPENAI_CASES: Readonly<Record<string, RuleCase>> = {
  'openai/model': {
    path: CHAT,
    refused: { messages: [user()] },
    accepted: chat('gpt-4o'),
    says: 'you must provide a model parameter',
  },
  'openai/call-id-length': chatCase(
    'gpt-4o',
    { more: callAndResult('c'.repeat(41)) },
    { more: callAndResult('c'.repeat(40)) },
    "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 41 instead.",
  ),
  'openai/empty-calls': chatCase(
    'gpt-4o',
    { more: [{ role: 'assistant', content: 'Hi.', tool_calls: [] }, user()] },
    { more: [{ role: 'assistant', content: 'Hi.' }, user()] },
    "Invalid 'messages[1].tool_calls': empty array.",
  ),
  'openai/null-content': chatCase(
    'gpt-4o',
    { more: [{ role: 'assistant', content: null }, user()] },
    { more: callAndResult('call_1', { content: null }) },
    "Invalid value for 'content': expected a string, got null.",
  ),
  'openai/item-id': responses(
    items(fcall({ id: 'call_1' }), output()),
    items(fcall({ id: 'fc_1' }), output()),
    "Invalid 'input[1].id': 'call_1'. Expected an ID that begins with 'fc'.",
  ),
  'openai/dropped-reasoning': {
    path: RESPONSES,
    refused: { model: 'gpt-5', ...items({ ...reasoned, id: 'fc_1' }, { ...ended, call_id: reasoned.call_id }) },
    accepted: { model: 'gpt-5', ...items(reasoned, { ...ended, call_id: reasoned.call_id }) },
    says: "Item 'fc_1' of type 'function_call' was provided without its required preceding item of type 'reasoning'.",
  },
  'openai/lone-reasoning': responses(
    items(reasoning({}), user('and?')),
    items(reasoning({}), answer, user('and?')),
    "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
  ),
  'openai/encrypted-reasoning': responses(
    items(reasoning({ encrypted_content: 'EuYBCkQYAiJA' }), answer, user('and?')),
    items(reasoning({ encrypted_content: 'gAAAAABo' }), answer, user('and?')),
    'could not be verified. Reason: Encrypted content could not be decrypted or parsed',
  ),
  'openai/too-many-tools': chatCase(
    'gpt-4o',
    { tools: functions(129) },
    { tools: functions(128) },
    'Expected an array with maximum length 128, but got an array with length 129 instead.',
  ),
  'openai/tool-name': chatCase(
    'gpt-4o',
    { tools: [functionTool({}, 'files.read')] },
    { tools: [functionTool({}, 'files-read_2')] },
    "Invalid 'tools[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
  ),
  'openai/picture-role': chatCase(
    'gpt-4o',
    { more: [{ ...PICTURE, role: 'assistant' }, user('and?')] },
    { more: [{ role: 'assistant', content: 'Hi.' }, PICTURE] },
    "Invalid 'messages[1]'. Image URLs are only allowed for messages with role 'user', but this message with role 'assistant' contains an image URL.",
  ),
  'openai/root-type': chatCase(
    'gpt-4o',
    { tools: [{ type: 'function', function: { name: 'read', parameters: { anyOf: [text] } } }] },
    { tools: [functionTool()] },
    `Invalid schema for function 'read': schema must be a JSON Schema of 'type: "object"', got 'type: "None"'.`,
  ),
  'openai/array-items': chatCase(
    'gpt-4o',
    { tools: [functionTool({ properties: { texts: { type: 'array' } } })] },
    { tools: [functionTool({ properties: { texts: { type: 'array', items: {} } } })] },
    "Invalid schema for function 'read': In context=('properties', 'texts'), array schema missing items.",
  ),
  'openai/no-properties': {
    path: RESPONSES,
    refused: {
      model: 'gpt-5.4',
      input: 'go',
      tools: [{ type: 'function', name: 'get_me', parameters: { type: 'object' } }],
    },
    accepted: {
      model: 'gpt-5.4',
      input: 'go',
      tools: [{ type: 'function', name: 'get_me', parameters: { type: 'object', properties: {} } }],
    },
    says: "Invalid schema for function 'get_me': In context=(), object schema missing properties.",
  },
  'openai/strict-function': chatCase(
    'gpt-4o',
    { tools: [functionTool(text, 'read', { strict: true })] },
    { tools: [functionTool({ ...text, additionalProperties: false, required: ['path'] }, 'read', { strict: true })] },
    "In context=(), 'additionalProperties' is required to be supplied and to be false.",
  ),
  'openai/strict-format': chatCase(
    'gpt-4o',
    strictFormat({ ...text, additionalProperties: false }),
    strictFormat(text, false),
    "Invalid schema for response_format 'out': In context=(), 'required' is required to be supplied and to be an array including every key in properties. Missing 'path'.",
  ),
  'openai/without-tools': chatCase(
    'gpt-4o',
    { tool_choice: 'auto' },
    { tool_choice: 'auto', tools },
    "'tool_choice' is only allowed when 'tools' are specified.",
  ),
  'openai/json-word': chatCase(
    'gpt-4o',
    { response_format: { type: 'json_object' } },
    { response_format: { type: 'json_object' }, more: [{ role: 'assistant', content: 'Hi.' }, user('as Json')] },
    "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
  ),
  'openai/stop-count': chatCase(
    'gpt-4o',
    { stop: ['a', 'b', 'c', 'd', 'e'] },
    { stop: ['a', 'b', 'c', 'd'] },
    'Expected an array with maximum length 4, but got an array with length 5 instead.',
  ),
  'openai/max-tokens': chatCase(
    'gpt-5-mini',
    { max_tokens: 99 },
    { max_completion_tokens: 99 },
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
  ),
  'openai/temperature': chatCase(
    'gpt-5',
    { temperature: 0 },
    { temperature: 0, model: 'gpt-5.1' },
    "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
  ),
  'openai/tools-with-effort': chatCase(
    'gpt-5.4',
    { tools, reasoning_effort: 'low' },
    { tools },
    'Function tools with reasoning_effort are not supported for gpt-5.4 in /v1/chat/completions. Please use /v1/responses instead.',
  ),
  'openai/o1-roles': chatCase(
    'o1-mini',
    { messages: [{ role: 'system', content: 'Be kind.' }, user()] },
    {},
    "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
  ),
  'openai/moved-parameter': responses(
    { model: 'gpt-5', reasoning_effort: 'low' },
    { model: 'gpt-5', reasoning: { effort: 'low' } },
    "Unsupported parameter: 'reasoning_effort'. In the Responses API, this parameter has moved to 'reasoning.effort'. Try again with the new parameter. See the API documentation for more information: https://platform.openai.com/docs/api-reference/responses/create.",
  ),
  'openai/unknown-parameter': responses(
    { max_tokens: 99 },
    { max_output_tokens: 99 },
    "Unknown parameter: 'max_tokens'.",
  ),
  'openai/minimal-effort': responses(
    { model: 'gpt-5', reasoning: { effort: 'minimal' }, tools: [{ type: 'web_search' }] },
    { model: 'gpt-5', reasoning: { effort: 'low' }, tools: [{ type: 'web_search' }] },
    "The following tools cannot be used with reasoning.effort 'minimal': web_search.",
  ),
  'openai/called-name': chatCase(
    'gpt-4o',
    { more: calledAs('get_/whoami') },
    { more: calledAs('get_whoami') },
    "Invalid 'messages[1].tool_calls[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
  ),
  'openai/item-id-form': responses(
    items(fcall({ id: '' }), output()),
    items(fcall({}), output()),
    "Invalid 'input[1].id': ''. Expected an ID that contains letters, numbers, underscores, or dashes, but this value contained additional characters.",
  ),
};

const claude = (refused: Json, accepted: Json, says: string, model = 'claude-sonnet-4-5'): RuleCase => {
  const body = (fields: Json) => ({ model, max_tokens: 2048, messages: [user()], ...fields });
  return { path: MESSAGES, refused: body(refused), accepted: body(accepted), says };
};
const prefill = { role: 'assistant', content: 'The answer is' };
const marked = (count: number) => ({
  messages: [
    user(
      Array.from({ length: count }, (_, index) => ({
        type: 'text',
        text: `part ${index}`,
        cache_control: { type: 'ephemeral' },
      })),
    ),
  ],
});
const tool = (fields: Json = {}) => ({ name: 'read', input_schema: { type: 'object', properties: {} }, ...fields });
const withTool = (fields: Json) => ({ tools: [tool(fields)] });
const schema = (fields: Json) => withTool({ input_schema: { type: 'object', ...fields } });
const thinks = { type: 'enabled', budget_tokens: 1024 };

/** The cases of Anthropic and Bedrock. */
export const ANTHROPIC_CASES: Readonly<Record<string, RuleCase>> = {
  'anthropic/first-role': claude(
    { messages: [prefill, user()] },
    { messages: [prefill, user()], model: 'claude-sonnet-4-5' },
    'messages: first message must use the "user" role',
    'claude-3-5-sonnet-20241022',
  ),
  'anthropic/prefill': claude(
    { messages: [user(), prefill] },
    { messages: [user(), prefill], model: 'claude-sonnet-4-5' },
    'This model does not support assistant message prefill. The conversation must end with a user message.',
    'claude-sonnet-4-6',
  ),
  'anthropic/cache-marks': claude(
    marked(5),
    marked(4),
    'A maximum of 4 blocks with cache_control may be provided. Found 5.',
  ),
  'anthropic/blank-text': claude(
    {
      messages: [
        user([
          { type: 'text', text: 'go' },
          { type: 'text', text: ' \n' },
        ]),
      ],
    },
    { messages: [user([{ type: 'text', text: ' go\n' }])] },
    'messages: text content blocks must contain non-whitespace text',
  ),
  'anthropic/trailing-space': claude(
    { messages: [user(), { role: 'assistant', content: 'The answer is ' }] },
    { messages: [user(), prefill] },
    'messages: final assistant content cannot end with trailing whitespace',
  ),
  'anthropic/message-fields': claude(
    { messages: [{ ...user(), name: 'me' }] },
    { messages: [{ ...user(), output_config: { effort: 'low' } }] },
    'messages.0.name: Extra inputs are not permitted',
  ),
  'anthropic/call-input': claude(
    { messages: calledBefore({ input: '{}' }), tools: [tool()] },
    { messages: calledBefore({}), tools: [tool()] },
    'messages.1.content.0.tool_use.input: Input should be a valid dictionary',
  ),
  'anthropic/foreign-tool': claude(
    { tools: functions(1) },
    { tools: [tool()] },
    "tools.0: Input tag 'function' found using 'type'",
  ),
  'anthropic/tool-name': claude(
    withTool({ name: 'read file' }),
    withTool({ name: 'read_file-2' }),
    "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
  ),
  'anthropic/schema-type': claude(
    withTool({ input_schema: { properties: {} } }),
    withTool({ input_schema: { type: 'object' } }),
    'tools.0.custom.input_schema.type: Field required',
  ),
  'anthropic/top-alternatives': claude(
    schema({ anyOf: [text] }),
    schema({ properties: { path: { anyOf: [{ type: 'string' }] } } }),
    'tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level',
  ),
  'anthropic/property-keys': claude(
    schema({ properties: { 'filter[id]': { type: 'string' } } }),
    schema({ properties: { 'filter.id': { type: 'string' } } }),
    "tools.0.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'",
  ),
  'anthropic/schema-draft': claude(
    schema({ properties: { size: { type: 'number', minimum: 0, exclusiveMinimum: true } } }),
    schema({ properties: { size: { type: 'number', exclusiveMinimum: 0 } } }),
    'tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12',
  ),
  'anthropic/advisor': claude(
    { tools: [{ type: 'advisor_20260301', name: 'advisor', model: 'claude-haiku-4-5' }] },
    { tools: [{ type: 'advisor_20260301', name: 'advisor', model: 'claude-opus-4-7' }] },
    "tools.0.model: 'claude-haiku-4-5' cannot be used as an advisor when the request model is 'claude-sonnet-4-5'.",
  ),
  'anthropic/unknown-choice': claude(
    { tools: [tool()], tool_choice: { type: 'tool', name: 'write' } },
    { tools: [tool()], tool_choice: { type: 'tool', name: 'read' } },
    "Tool 'write' not found in provided tools",
  ),
  'anthropic/choice-without-tools': claude(
    { tool_choice: { type: 'auto' } },
    { tool_choice: { type: 'auto' }, tools: [tool()] },
    'tool_choice.auto may only be specified while providing tools',
  ),
  'anthropic/budget': claude(
    { thinking: { type: 'enabled', budget_tokens: 2048 } },
    { thinking: thinks },
    '`max_tokens` must be greater than `thinking.budget_tokens`.',
  ),
  'anthropic/both-samplings': claude(
    { temperature: 1, top_p: 0.9 },
    { temperature: 1 },
    '`temperature` and `top_p` cannot both be specified for this model. Please use only one.',
  ),
  'anthropic/temperature-with-thinking': claude(
    { thinking: thinks, temperature: 0 },
    { thinking: thinks, temperature: 1 },
    '`temperature` may only be set to 1 when thinking is enabled or in adaptive mode.',
  ),
  'anthropic/temperature': claude(
    { temperature: 0 },
    {},
    '`temperature` is deprecated for this model.',
    'claude-opus-4-7',
  ),
  'anthropic/thinking-budget': claude(
    { thinking: thinks },
    { thinking: { type: 'adaptive' } },
    '"thinking.type.enabled" is not supported for this model.',
    'claude-opus-4-8',
  ),
  'anthropic/retired-model': {
    path: MESSAGES,
    refused: { model: 'claude-opus-4-20250514', max_tokens: 9, messages: [user()] },
    accepted: { model: 'claude-opus-4-5', max_tokens: 9, messages: [user()] },
    says: 'model: claude-opus-4-20250514',
    status: 404,
  },
  'anthropic/effort-without-thinking': claude(
    { thinking: { type: 'disabled' }, output_config: { effort: 'xhigh' } },
    { thinking: { type: 'disabled' }, output_config: { effort: 'high' } },
    "output_config.effort 'xhigh' is not supported when thinking is disabled on this model.",
    'claude-opus-5',
  ),
  'anthropic/max-tokens': claude(
    { max_tokens: 128_001 },
    { max_tokens: 128_000 },
    'max_tokens: 128001 > 128000, which is the maximum allowed number of output tokens for claude-opus-4-8',
    'claude-opus-4-8',
  ),
  'anthropic/foreign-parameter': claude(
    { extra_body: {} },
    { stop_sequences: ['END'] },
    'extra_body: Extra inputs are not permitted',
  ),
  'anthropic/half-character': claude(
    { messages: [user('a \ud83d')] },
    { messages: [user('a \ud83d\ude00, and the text \\ud83d')] },
    'The request body is not valid JSON: no low surrogate in string: line 1 column',
  ),
  'bedrock/converse-blank-text': converse(
    [said(' \n')],
    [{ role: 'user', content: [{ text: 'go' }, { text: '\n' }] }],
    'The text field in the ContentBlock object at messages.0.content.0 is blank. Add text to the text field, and try again.',
  ),
  'bedrock/converse-empty-content': converse(
    [said('go'), { role: 'assistant', content: [] }, said('go on')],
    [said('go'), { role: 'assistant', content: [{ text: 'Yes.' }] }, said('go on')],
    'The content field in the Message object at messages.1 is empty. Add a ContentBlock object to the content field and try again.',
  ),
  'bedrock/converse-json-result': converse(
    resulted({ content: [{ json: [1] }] }),
    resulted({ content: [{ json: { list: [1] } }] }),
    'The format of the value at messages.2.content.0.toolResult.content.0.json is invalid. Provide a json object for the field and try again.',
  ),
  'bedrock/converse-empty-error': converse(
    resulted({ status: 'error', content: [] }),
    resulted({ status: 'error', content: [{ text: 'No such file.' }] }),
    'The content field at messages.2.content.0.toolResult cannot be empty when status value is error.',
  ),
  'bedrock/converse-history-without-tools': {
    ...converse([], [], 'The toolConfig field must be defined when using toolUse and toolResult content blocks.'),
    refused: { messages: resulted({ content: [{ text: 'ok' }] }) },
    accepted: { messages: resulted({ content: [{ text: 'ok' }] }), toolConfig: CONVERSE_TOOLS },
  },
  'bedrock/history-without-tools': claude(
    { messages: calledBefore({}) },
    { messages: calledBefore({}), tools: [tool()] },
    'The toolConfig field must be defined when using toolUse and toolResult content blocks.',
  ),
};

const google = (refused: Json, accepted: Json, says: string, model = 'gemini-2.5-pro'): RuleCase => ({
  path: `/v1beta/models/${model}:generateContent`,
  refused: { contents: [{ role: 'user', parts: [{ text: 'go' }] }], ...refused },
  accepted: { contents: [{ role: 'user', parts: [{ text: 'go' }] }], ...accepted },
  says,
});
const declared = (parameters: Json, name = 'read') => ({ tools: [{ functionDeclarations: [{ name, parameters }] }] });
const field = (value: Json, fields: Json = {}) => declared({ type: 'OBJECT', properties: { x: value }, ...fields });
const at = '* GenerateContentRequest.tools[0].function_declarations[0]';
const mixed = { tools: [{ googleSearch: {} }, { functionDeclarations: [{ name: 'read' }] }] };
const json = { generationConfig: { responseMimeType: 'application/json' } };
const modelCall = { role: 'model', parts: [{ functionCall: { name: 'read', args: {} } }] };
const signedCall = { role: 'model', parts: [{ functionCall: { name: 'read', args: {} }, thoughtSignature: 'c2ln' }] };
const resultOf = (fields: Json) => ({
  role: 'user',
  parts: [{ functionResponse: { name: 'read', response: { output: 'ok' }, ...fields } }],
});
const response = resultOf({});
const prompt = { role: 'user', parts: [{ text: 'go' }] };

/** The cases of Gemini. */
export const GEMINI_CASES: Readonly<Record<string, RuleCase>> = {
  'gemini/message-shape': google(
    field({ type: 'STRING', const: 'a' }, { additionalProperties: false }),
    {
      tools: [
        { functionDeclarations: [{ name: 'read', parametersJsonSchema: { ...text, additionalProperties: false } }] },
      ],
    },
    `Invalid JSON payload received. Unknown name "additionalProperties" at 'tools[0].function_declarations[0].parameters': Cannot find field.`,
  ),
  'gemini/schema-types': google(
    field({ type: 'STRING', properties: { a: { type: 'STRING' } } }),
    field({ type: 'OBJECT', properties: { a: { type: 'STRING' } } }),
    `${at}.parameters.properties[x].properties: only allowed for OBJECT type`,
  ),
  'gemini/function-name': google(
    declared({ type: 'OBJECT' }, '1read'),
    declared({ type: 'OBJECT' }, 'read_1'),
    `${at}.name: Invalid function name.`,
  ),
  'gemini/same-names': google(
    { tools: [{ functionDeclarations: [{ name: 'read' }, { name: 'read' }] }] },
    { tools: [{ functionDeclarations: [{ name: 'read' }, { name: 'write' }] }] },
    'Duplicate function declaration found: read',
  ),
  'gemini/result-name': google(
    { contents: [prompt, modelCall, resultOf({ name: '' })] },
    { contents: [prompt, modelCall, resultOf({})] },
    '* GenerateContentRequest.contents[2].parts[0].function_response.name: Name cannot be empty.',
  ),
  'gemini/unknown-parameter': {
    path: '/v1beta/openai/chat/completions',
    refused: chat('gemini-2.5-pro', { prompt_cache_key: 'a' }),
    accepted: chat('gemini-2.5-pro', { reasoning_effort: 'low' }),
    says: `Unknown name "prompt_cache_key": Cannot find field.`,
  },
  'gemini/penalty': {
    path: '/v1beta/openai/chat/completions',
    refused: chat('gemini-2.5-pro', { frequency_penalty: 0 }),
    accepted: chat('gemini-2.5-pro', { top_p: 1 }),
    says: `Unknown name "frequency_penalty": Cannot find field.`,
  },
  'gemini/call-order': google(
    { contents: [modelCall, response] },
    { contents: [prompt, { role: 'model', parts: [{ text: 'Hi.' }] }, modelCall, response] },
    'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
  ),
  'gemini/missing-responses': {
    ...google(
      { contents: [prompt, signedCall, prompt] },
      { contents: [prompt, signedCall, response] },
      'Please ensure that the number of function response parts is equal to the number of function call parts',
    ),
    path: '/v1beta/models/gemini-3-flash-preview:generateContent',
  },
  'gemini/json-with-functions': google(
    { ...json, ...declared({ type: 'OBJECT' }) },
    json,
    "Function calling with a response mime type: 'application/json' is unsupported",
  ),
  'gemini/mixed-tools': google(
    mixed,
    { ...mixed, toolConfig: { includeServerSideToolInvocations: true } },
    'Please enable tool_config.include_server_side_tool_invocations to use Built-in tools with Function calling.',
    'gemini-3.1-pro-preview',
  ),
  'gemini/temperature-range': google(
    { generationConfig: { temperature: 3 } },
    { generationConfig: { temperature: 2 } },
    'Unable to submit request because it has a temperature value of 3 but the supported range is from 0 (inclusive) to 2.0001 (exclusive).',
  ),
};
