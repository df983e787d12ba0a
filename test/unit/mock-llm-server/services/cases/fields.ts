import { callAndResult, chatCase, functionTool, type Json, type RuleCase, result, user } from './case.ts';

const tools = [functionTool()];
const named = { type: 'function', function: { name: 'other' } };
const invalid = (message: string) => `<400> InternalError.Algo.InvalidParameter: ${message}`;
/** A case whose requests differ in their messages alone. */
const messagesCase = (
  model: string,
  refused: readonly Json[],
  accepted: readonly Json[],
  says: string,
  status?: number,
): RuleCase => chatCase(model, { messages: refused }, { messages: accepted }, says, status);
const system = { role: 'system', content: 'x' };

/** The cases of fields and parameters of the services with models of their own or of others. */
export const FIELD_CASES: Readonly<Record<string, RuleCase>> = {
  'groq/unknown-parameter': chatCase(
    'llama-3.3-70b-versatile',
    { store: false },
    { stop: ['END'] },
    "property 'store' is unsupported, did you mean 'stop'?",
  ),
  'cerebras/parallel-calls': chatCase(
    'gpt-oss-120b',
    { tools, parallel_tool_calls: false },
    { tools, parallel_tool_calls: true },
    'parallel_tool_calls=False is not supported by this model.',
  ),
  'cerebras/mixed-strict': chatCase(
    'gpt-oss-120b',
    { tools: [functionTool({}, 'a', { strict: true }), functionTool({}, 'b', { strict: false })] },
    { tools: [functionTool({}, 'a', { strict: true }), functionTool({}, 'b', { strict: true })] },
    "Tools with mixed values for 'strict' are not allowed.",
    422,
  ),
  'fireworks/unknown-parameter': {
    ...chatCase(
      'accounts/fireworks/models/qwen3-235b-a22b',
      { vl_high_resolution_images: true },
      { top_k: 40 },
      "Extra inputs are not permitted, field: 'vl_high_resolution_images', value: True",
    ),
    path: '/inference/v1/chat/completions',
  },
  'xai/sampling': chatCase(
    'grok-4.6',
    { frequency_penalty: 0, presence_penalty: 0 },
    { temperature: 0 },
    'Model grok-4.6 does not support parameter presencePenalty.',
  ),
  'xai/stop': chatCase(
    'grok-4-fast-reasoning',
    { stop: ['END'] },
    { model: 'grok-4.20-0309-non-reasoning', stop: ['END'] },
    'Model grok-4-fast-reasoning does not support parameter stop.',
  ),
  'xai/message-name': messagesCase(
    'grok-2',
    [{ ...system, name: 'a' }, user()],
    [system, { ...user(), name: 'a' }],
    "Only messages of role 'user' can have a name.",
  ),
  'moonshot/choice-while-thinking': chatCase(
    'kimi-k2.6',
    { tools, tool_choice: 'required' },
    { tools, tool_choice: 'required', thinking: { type: 'disabled' } },
    "tool_choice 'required' is incompatible with thinking enabled",
  ),
  'moonshot/thinking-and-effort': chatCase(
    'kimi-k2.6',
    { thinking: { type: 'enabled' }, reasoning_effort: 'medium' },
    { thinking: { type: 'enabled' } },
    "cannot specify both 'thinking' and 'reasoning_effort'",
  ),
  'zai/no-user': messagesCase('glm-4.6', [system], [system, user()], 'The messages parameter is illegal.'),
  'zai/arguments': chatCase(
    'glm-4.6',
    { tools, more: callAndResult('call_1', {}, '{"path":') },
    { tools, more: callAndResult('call_1') },
    'Invalid API parameter, please check the documentation.',
  ),
  'dashscope/no-user': messagesCase(
    'qwen-max',
    [system],
    [system, user()],
    invalid('The input messages do not contain elements with the role of user'),
  ),
  'dashscope/unknown-choice': chatCase(
    'qwen-max',
    { tools, tool_choice: named },
    { tools, tool_choice: { type: 'function', function: { name: 'read' } } },
    invalid('Invalid value for "tool_choice": no function named "other" was specified in the "tools" parameter.'),
  ),
  'dashscope/empty-tools': chatCase('qwen-max', { tools: [] }, { tools }, "[] is too short - 'tools'"),
  'vllm/part-type': messagesCase(
    'gpt-oss-120b',
    [user(), { role: 'assistant', content: [{ type: 'output_text', text: 'x' }] }, user()],
    [user(), { role: 'assistant', content: [{ type: 'text', text: 'x' }] }, user()],
    "Input should be 'text'",
  ),
  'lmstudio/parameters': chatCase(
    'openai/gpt-oss-120b',
    { tools: [{ type: 'function', function: { name: 'read', parameters: {} } }] },
    { tools },
    "Invalid discriminator value. Expected 'object'",
  ),
  'lmstudio/result-parts': chatCase(
    'qwen/qwen3-30b',
    {
      tools,
      more: [callAndResult('call_1')[0] ?? {}, result('call_1', [{ type: 'text', text: 'ok' }])],
    },
    { tools, more: callAndResult('call_1') },
    "Invalid 'messages' in payload",
  ),
};
