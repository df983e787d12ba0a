import { chatCase, functions, functionTool, RESPONSES, type RuleCase, user } from './cases/case.ts';

const tools = [functionTool()];
const read = { type: 'function', name: 'read', parameters: { type: 'object', properties: {} } };
const called = { role: 'assistant', content: '', tool_calls: [{ function: { name: 'read', arguments: {} } }] };
const hot = { temperature: 'hot' };
const mild = { temperature: 0.5 };
const partial = [user(), { role: 'assistant', content: 'I', partial: true }];

/** The cases of the rules that published schemas and references state. */
export const STATED_CASES: Readonly<Record<string, RuleCase>> = {
  'groq/range': chatCase(
    'llama-3.3-70b-versatile',
    { tools: functions(129) },
    { tools: functions(128) },
    "'tools' : maximum number of items is 128",
  ),
  'groq/log-probabilities': chatCase(
    'llama-3.3-70b-versatile',
    { logprobs: true },
    { logprobs: false },
    '`logprobs` is not supported with this model',
  ),
  'groq/reasoning-format': chatCase(
    'llama-3.3-70b-versatile',
    { reasoning_format: 'hidden' },
    { reasoning_format: 'hidden', model: 'qwen/qwen3-32b' },
    '`reasoning_format` is not supported with this model',
  ),
  'groq/both-reasonings': chatCase(
    'qwen/qwen3-32b',
    { reasoning_format: 'parsed', include_reasoning: true },
    { reasoning_format: 'parsed' },
    'mutually exclusive',
  ),
  'vllm/harmony-choice': {
    path: RESPONSES,
    refused: { model: 'openai/gpt-oss-120b', input: 'go', tools: [read], tool_choice: 'required' },
    accepted: { model: 'openai/gpt-oss-120b', input: 'go', tools: [read], tool_choice: 'auto' },
    says: "Only 'auto' or 'none' tool_choice is supported in response API with Harmony",
    status: 501,
  },
  'ollama/cloud-results': {
    path: '/api/chat',
    refused: { model: 'gpt-oss:120b-cloud', messages: [user(), called, user('ok')] },
    accepted: { model: 'gpt-oss:120b-cloud', messages: [user(), called, { role: 'tool', content: 'ok' }] },
    says: 'Invalid tool usage: mismatch between tool calls and tool results',
  },
  'cerebras/shape': chatCase(
    'qwen-3-32b',
    hot,
    mild,
    'body.temperature: Input should be a valid number, unable to parse string as a number',
  ),
  'cerebras/range': chatCase(
    'qwen-3-32b',
    { temperature: 1.6 },
    { temperature: 1.5 },
    'body.temperature: Input should be less than or equal to 1.5',
  ),
  'together/shape': chatCase(
    'any',
    hot,
    { ...mild, response_format: { type: 'regex', pattern: '(yes|no)' } },
    'Input validation error',
  ),
  'fireworks/range': chatCase(
    'any',
    { temperature: 3 },
    { temperature: 2 },
    "Input should be less than or equal to 2, field: 'temperature', value: 3",
  ),
  'deepseek/needed-flag': chatCase(
    'deepseek-v4-flash',
    { stream_options: { include_usage: true } },
    { stream_options: { include_usage: true }, stream: true },
    'stream_options should be set along with stream = true',
  ),
  'moonshot/shape': chatCase(
    'kimi-k3',
    { reasoning_effort: 5 },
    { reasoning_effort: 'high' },
    'the `reasoning_effort` field in the request (expected type string) is illegal, and number is not acceptable',
  ),
  'moonshot/fixed-value': chatCase('kimi-k3', { n: 2 }, { n: 1 }, 'invalid n: only 1 is allowed for this model'),
  'moonshot/log-probabilities': chatCase(
    'moonshot-v1-8k',
    { top_logprobs: 5 },
    { top_logprobs: 5, logprobs: true },
    'Invalid request: logprobs must be set to true if top_logprobs is used',
  ),
  'zai/shape': chatCase(
    'glm-5.2',
    { reasoning_effort: 5 },
    { reasoning_effort: 'high' },
    'reasoning_effort 参数值非法，可选值为：none、minimal、low、medium、high、xhigh、max',
  ),
  'zai/range': chatCase('glm-5.2', { temperature: 1.5 }, { temperature: 1 }, 'temperature参数非法：限制数值范围[0,1]'),
  'zai/always-thinks': chatCase(
    'glm-5.3',
    { thinking: { type: 'disabled' } },
    { thinking: { type: 'enabled' } },
    '该模型始终思考，不支持关闭思考；请使用 low、high 或 max。',
  ),
  'dashscope/shape': chatCase(
    'qwen-max',
    { top_p: 'a' },
    { top_p: '0.9' },
    '<400> InternalError.Algo.InvalidParameter: Input should be a valid number, unable to parse string as a number: parameters.top_p',
  ),
  'dashscope/reserved-name': chatCase(
    'qwen-max',
    { tools: [functionTool({}, 'search')] },
    { tools: [functionTool({}, 'web_search')] },
    'Tool names are not allowed to be [search]',
  ),
  'dashscope/partial-thinking': chatCase(
    'qwen3-max',
    { messages: partial, enable_thinking: true, stream: true },
    { messages: partial, enable_thinking: false },
    'Partial mode is not supported when enable_thinking is true',
  ),
  'vllm/range': chatCase(
    'tiny',
    { temperature: 5 },
    { temperature: 2 },
    'temperature must be in [0, 2], got 5.0. (parameter=temperature, value=5.0)',
  ),
  'sglang/shape': chatCase(
    'tiny',
    { tools, tool_choice: 'any' },
    { tools, tool_choice: 'required' },
    "{'type': 'literal_error', 'loc': ('body', 'tool_choice'), 'msg': 'Input should be 'none', 'auto' or 'required''",
  ),
  'sglang/range': chatCase('tiny', { top_p: 0 }, { temperature: 3 }, 'top_p must be in (0, 1], got 0.0.'),
  'llamacpp/range': chatCase(
    'any',
    { n: 2 },
    { n: 1, max_tokens: -1 },
    "Field 'n': Value must be between 1 <= value <= 1, but got 2",
  ),
  'llamacpp/option': chatCase(
    'any',
    { tools, grammar: 'root ::= "a"' },
    { grammar: 'root ::= "a"' },
    'Cannot use custom grammar constraints with tools.',
  ),
  'xai/live-search': chatCase(
    'grok-4.3',
    { search_parameters: { mode: 'auto' } },
    {},
    'Live search is deprecated. Please switch to the Agent Tools API',
    410,
  ),
  'xai/shape': chatCase(
    'grok-4.3',
    hot,
    mild,
    'Failed to deserialize the JSON body into the target type: temperature: invalid type: string "hot", expected f32',
    422,
  ),
  'xai/range': chatCase('grok-4.3', { temperature: 3 }, { temperature: 2 }, 'temperature is out of range'),
  'openrouter/shape': chatCase(
    'openai/gpt-4.1',
    hot,
    mild,
    'temperature: Invalid input: expected number, received string',
  ),
};
